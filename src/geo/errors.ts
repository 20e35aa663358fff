import type { ProductErrors } from '../accounts/apiProduct.ts'
import { lacksPlan, sendKey } from '../accounts/keyErrors.ts'
import type { MonthLimit } from '../accounts/limits/monthLimit.ts'
import { refusalRow, retryRow } from '../platform/http/error.ts'
import { errorFactory, houseRows, type ProductErrorRow } from '../platform/http/errors/catalogue.ts'
import { sentenceEnvelope } from '../platform/http/errors/envelope.ts'

/** All errors of the Geo API, in precedence. Its bodies have no codes. */
const GEO_ROWS = [
  ...houseRows('bad_request', 'request_timeout', 'headers_too_large', 'unavailable', 'no_key'),
  refusalRow(
    'plan',
    403,
    "the account has no active Geo API or Geo Team plan, or the key is beyond the plan's number",
  ),
  retryRow('rate', 429, "the month's calls are used; the next UTC month has new ones", {
    extras: ['retry_after_s'],
  }),
  ...houseRows('no_route', 'method'),
  refusalRow('invalid', 400, 'a parameter is wrong; the call is not counted'),
  ...houseRows('not_acceptable', 'damaged', 'internal'),
] as const satisfies readonly ProductErrorRow[]

export const geoError = errorFactory(GEO_ROWS)

const noKey = () =>
  geoError('no_key', { message: sendKey('gk_…'), headers: { 'www-authenticate': 'Bearer' } })

/** Errors of the Geo API. */
export const GEO_ERRORS: ProductErrors = {
  rows: GEO_ROWS,
  envelope: sentenceEnvelope,
  names: { bad_day: 'invalid', bad_time: 'invalid' },
  noKey,
  unknownKey: noKey,
  noPlan: (holder, atMs) => geoError('plan', { message: lacksPlan('geo', holder, atMs) }),
}

/** Error for a key beyond the number that the plan of its account lets work. */
export const refuseExtraKey: MonthLimit['refuseKey'] = ({ position, max }) =>
  geoError('plan', {
    message:
      `this is key ${position} of the account, and its plan lets the ${max} oldest work; revoke ` +
      'one that is not needed, or take the plan geo_team.',
  })
