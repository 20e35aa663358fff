import type { ProductErrors } from '../accounts/apiProduct.ts'
import { lacksPlan, sendKey } from '../accounts/keyErrors.ts'
import { errorFactory, houseRow, type ProductErrorRow } from '../platform/http/errors/catalogue.ts'
import { codedEnvelope } from '../platform/http/errors/envelope.ts'

/** A row for a request that has to be changed. */
const bad = <const Code extends string, const Status extends number>(
  code: Code,
  status: Status,
  meaning: string,
) => ({ code, status, isRetryable: false, meaning }) as const

/** All errors of the archive and of dataset files, in precedence. */
const DATASET_ROWS = [
  houseRow('bad_request'),
  houseRow('request_timeout'),
  houseRow('headers_too_large'),
  houseRow('unavailable'),
  bad('no_key', 401, 'no key was sent'),
  bad('bad_key', 401, 'the key is mistyped, unknown, revoked or of another scope'),
  {
    ...bad('dataset_required', 403, 'the account has no active DATASET plan; `pricing` names it'),
    always: { pricing: '/pricing' },
  },
  {
    code: 'rate_limited',
    status: 429,
    isRetryable: true,
    meaning:
      'over 60 requests a minute without a key from one address, 120 of the sample, or 600 with one key',
    extras: ['retry_after_s'],
  },
  bad('not_found', 404, 'no such endpoint, or no file of this name'),
  bad('method_not_allowed', 405, 'the archive takes GET and HEAD only'),
  bad('bad_book', 400, '`book` is not `measured`, `vol` or `oi`'),
  bad('bad_time', 400, '`time` is not an ET minute `HH:MM`'),
  bad('bad_day', 400, 'the day is not `YYYY-MM-DD`'),
  bad('not_finished', 400, "the day is today's date or a later one, in New York"),
  {
    code: 'no_data',
    status: 404,
    isRetryable: true,
    meaning: 'nothing is published of the day; `next_update_s` says when to ask again',
    extras: ['next_update_s'],
  },
  houseRow('not_acceptable'),
  bad('precondition_failed', 412, 'If-Match names another version of the file'),
  bad('bad_range', 416, 'the range is outside of the file; Content-Range has its size'),
  houseRow('damaged'),
  houseRow('internal'),
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
