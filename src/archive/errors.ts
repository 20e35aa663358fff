import type { ProductErrors } from '../accounts/apiProduct.ts'
import { lacksPlan, sendKey } from '../accounts/keyErrors.ts'
import { refusalRow, retryRow } from '../platform/http/error.ts'
import { errorFactory, houseRows, type ProductErrorRow } from '../platform/http/errors/catalogue.ts'
import { codedEnvelope } from '../platform/http/errors/envelope.ts'

/** All errors of the archive and of dataset files, in precedence. */
const DATASET_ROWS = [
  ...houseRows('bad_request', 'request_timeout', 'headers_too_large', 'unavailable'),
  refusalRow('no_key', 401, 'no key was sent'),
  refusalRow('bad_key', 401, 'the key is mistyped, unknown, revoked or of another scope'),
  refusalRow(
    'dataset_required',
    403,
    'the account has no active DATASET plan; `pricing` names it',
    { always: { pricing: '/pricing' } },
  ),
  retryRow(
    'rate_limited',
    429,
    'over 60 requests a minute without a key from one address, 120 of the sample, or 600 with one key',
    { extras: ['retry_after_s'] },
  ),
  refusalRow('not_found', 404, 'no such endpoint, or no file of this name'),
  refusalRow('method_not_allowed', 405, 'the archive takes GET and HEAD only'),
  refusalRow('bad_book', 400, '`book` is not `measured`, `vol` or `oi`'),
  refusalRow('bad_time', 400, '`time` is not an ET minute `HH:MM`'),
  refusalRow('bad_day', 400, 'the day is not `YYYY-MM-DD`'),
  refusalRow('not_finished', 400, "the day is today's date or a later one, in New York"),
  retryRow(
    'no_data',
    404,
    'nothing is published of the day; `next_update_s` says when to ask again',
    { extras: ['next_update_s'] },
  ),
  ...houseRows('not_acceptable'),
  refusalRow('precondition_failed', 412, 'If-Match names another version of the file'),
  refusalRow('bad_range', 416, 'the range is outside of the file; Content-Range has its size'),
  ...houseRows('damaged', 'internal'),
] as const satisfies readonly ProductErrorRow[]

export type DatasetErrorCode = (typeof DATASET_ROWS)[number]['code']

export const datasetError = errorFactory(DATASET_ROWS)

const headers = { 'www-authenticate': 'Bearer' }

/** Errors of the archive and of dataset files. */
export const DATASET_ERRORS: ProductErrors = {
  rows: DATASET_ROWS,
  envelope: codedEnvelope,
  names: { no_route: 'not_found', method: 'method_not_allowed', rate: 'rate_limited' },
  noKey: () => datasetError('no_key', { message: sendKey('labk_…'), headers }),
  unknownKey: () => datasetError('bad_key', { message: sendKey('labk_…'), headers }),
  noPlan: (holder, atMs) =>
    datasetError('dataset_required', { message: lacksPlan('dataset', holder, atMs) }),
}
