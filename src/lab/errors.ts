import type { ProductErrors } from '../accounts/apiProduct.ts'
import { sendKey } from '../accounts/keyErrors.ts'
import { errorFactory, houseRow, type ProductErrorRow } from '../platform/http/errors/catalogue.ts'
import { sentenceEnvelope } from '../platform/http/errors/envelope.ts'

/** All errors of the LAB API, in precedence. Its bodies have no codes. */
const LAB_ROWS = [
  houseRow('bad_request'),
  houseRow('request_timeout'),
  houseRow('headers_too_large'),
  houseRow('unavailable'),
  houseRow('no_key'),
  {
    code: 'no_credits',
    status: 402,
    isRetryable: false,
    meaning: 'the account has no credits, or no LAB plan',
    always: { buy: 'lab' },
    sentence: 'no credits',
  },
  houseRow('no_route'),
  houseRow('method'),
  houseRow('unsupported_media_type'),
  houseRow('body_too_large'),
  houseRow('bad_json'),
  {
    code: 'invalid',
    status: 400,
    isRetryable: false,
    meaning: 'the request cannot be used as sent; the sentence says what to fix',
  },
  {
    code: 'not_found',
    status: 404,
    isRetryable: false,
    meaning: "there is no such idea or job, or it is not this account's",
  },
  {
    code: 'out_of_order',
    status: 409,
    isRetryable: false,
    meaning: 'another idea holds the conveyor, or a step came out of order',
    mayHave: ['holder', 'job'],
  },
  {
    code: 'refused_rule',
    status: 422,
    isRetryable: false,
    meaning: 'the rule could not be compiled, or the engine refused it; the credit is given back',
    extras: ['refunded'],
    mayHave: ['job'],
  },
  {
    code: 'engine_failed',
    status: 502,
    isRetryable: true,
    meaning: 'the engine failed, or has too much to do; the credit is given back',
    extras: ['refunded'],
    mayHave: ['job'],
  },
  houseRow('idempotency_key_reused'),
  {
    code: 'rate',
    status: 429,
    isRetryable: true,
    meaning:
      "the account's messages of the day are spent; the count resets at midnight ET; or too many " +
      'of them wait for their turn',
  },
  houseRow('not_acceptable'),
  houseRow('damaged'),
  houseRow('internal'),
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
