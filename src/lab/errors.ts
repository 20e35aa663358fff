import type { ProductErrors } from '../accounts/apiProduct.ts'
import { sendKey } from '../accounts/keyErrors.ts'
import { refusalRow, retryRow } from '../platform/http/error.ts'
import { errorFactory, houseRows, type ProductErrorRow } from '../platform/http/errors/catalogue.ts'
import { sentenceEnvelope } from '../platform/http/errors/envelope.ts'

/** All errors of the LAB API, in precedence. Its bodies have no codes. */
const LAB_ROWS = [
  ...houseRows('bad_request', 'request_timeout', 'headers_too_large', 'unavailable', 'no_key'),
  refusalRow('no_credits', 402, 'the account has no credits, or no LAB plan', {
    always: { buy: 'lab' },
    sentence: 'no credits',
  }),
  ...houseRows('no_route', 'method', 'unsupported_media_type', 'body_too_large', 'bad_json'),
  refusalRow('invalid', 400, 'the request cannot be used as sent; the sentence says what to fix'),
  refusalRow('not_found', 404, "there is no such idea or job, or it is not this account's"),
  refusalRow('out_of_order', 409, 'another idea holds the conveyor, or a step came out of order', {
    mayHave: ['holder', 'job'],
  }),
  refusalRow(
    'refused_rule',
    422,
    'the rule could not be compiled, or the engine refused it; the credit is given back',
    { extras: ['refunded'], mayHave: ['job'] },
  ),
  retryRow(
    'engine_failed',
    502,
    'the engine failed, or has too much to do; the credit is given back',
    { extras: ['refunded'], mayHave: ['job'] },
  ),
  ...houseRows('idempotency_key_reused'),
  retryRow(
    'rate',
    429,
    "the account's messages of the day are spent; the count resets at midnight ET; or too many " +
      'of them wait for their turn',
  ),
  ...houseRows('not_acceptable', 'damaged', 'internal'),
] as const satisfies readonly ProductErrorRow[]

export const labError = errorFactory(LAB_ROWS)

const noKey = () =>
  labError('no_key', { message: sendKey('labk_…'), headers: { 'www-authenticate': 'Bearer' } })

/** Errors of the LAB API. */
export const LAB_ERRORS: ProductErrors = {
  rows: LAB_ROWS,
  envelope: sentenceEnvelope,
  names: {},
  noKey,
  unknownKey: noKey,
  // the contract has no other error for a client that cannot pay
  noPlan: () => labError('no_credits', {}),
}
