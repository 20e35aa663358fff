import type { ProductErrors } from '../accounts/apiProduct.ts'
import { lacksPlan, sendKey } from '../accounts/keyErrors.ts'
import {
  CALLS_PER_MINUTE_MAX,
  CLIENT_ADDRESSES_PER_HOUR,
  HISTORY_DAYS_FREE,
} from '../accounts/products.ts'
import { ordinalWord } from '../core/text/counts.ts'
import { refusalRow, retryRow } from '../platform/http/error.ts'
import { errorFactory, houseRows, type ProductErrorRow } from '../platform/http/errors/catalogue.ts'
import { codedEnvelope } from '../platform/http/errors/envelope.ts'

/** A row for a request that has to be changed. */
const bad = <const Code extends string>(code: Code, meaning: string) =>
  ({ code, status: 400, isRetryable: false, meaning }) as const

/** All errors of the levels API, in precedence. */
const LIVE_ROWS = [
  ...houseRows('bad_request', 'request_timeout', 'headers_too_large'),
  retryRow(
    'unavailable',
    503,
    'the account store did not answer during the key check, or the server cannot take the ' +
      'question now',
    { extras: ['retry_after_s'] },
  ),
  refusalRow('no_key', 401, 'no key was sent'),
  refusalRow('bad_key', 401, 'the key is mistyped, unknown, revoked or of another scope'),
  refusalRow(
    'live_required',
    403,
    'the account has no active LIVE plan; `pricing` names the page',
    { always: { pricing: '/pricing' } },
  ),
  refusalRow(
    'too_many_places',
    429,
    `the key was used from ${CLIENT_ADDRESSES_PER_HOUR} client addresses this hour; a ${ordinalWord(CLIENT_ADDRESSES_PER_HOUR + 1)} is refused`,
  ),
  retryRow('rate_limited', 429, `over ${CALLS_PER_MINUTE_MAX} requests in a minute on one key`, {
    extras: ['retry_after_s'],
  }),
  refusalRow('not_found', 404, 'no such endpoint'),
  refusalRow('method_not_allowed', 405, 'the levels API takes GET and HEAD only'),
  bad('missing_sym', 'no `sym` is given'),
  bad('too_many_symbols', 'over 20 symbols for a levels call, or 8 for a levels string'),
  bad('bad_book', '`book` is not `vol` or `oi`'),
  bad('bad_g', '`g` is not a whole number 0 to 30'),
  bad('bad_expiry', '`expiry` is not `0dte`, `next` or `all`'),
  bad('bad_exposure', '`exposure` is not `delta`, `gamma`, `vanna` or `charm`'),
  bad('bad_part', '`part` is not `all`, `0dte`, `calls` or `puts`'),
  bad('bad_span', '`span` is not `day` or `5m`'),
  bad('bad_style', '`style` is not `pairs`, `mq`, `lines`, `sierra` or `thinkscript`'),
  bad('bad_day', '`day` is not `YYYY-MM-DD`'),
  bad('bad_time', '`time` is not an ET minute `HH:MM` from 09:31 to 15:59'),
  bad('not_finished', "a past session is asked for with today's date or a later one"),
  bad('spx_only', 'the expected move and the flow are measured for SPX only'),
  refusalRow(
    'history_too_old',
    403,
    `the day is older than ${HISTORY_DAYS_FREE} days and the account has no DATASET licence`,
    { extras: ['oldest'] },
  ),
  refusalRow('unknown_symbol', 404, 'there is no book for the symbol'),
  refusalRow(
    'contract_not_live',
    404,
    'the dated futures contract was not measured that day; `live` lists those that were',
    { extras: ['live'] },
  ),
  retryRow('no_basis', 404, 'no ES, NQ or RTY basis is measured for the day yet', {
    extras: ['next_update_s'],
  }),
  retryRow(
    'no_data',
    404,
    'there is no reading of the symbol or day yet; `next_update_s` says when to ask again',
    { extras: ['next_update_s'] },
  ),
  ...houseRows('not_acceptable', 'damaged', 'internal'),
] as const satisfies readonly ProductErrorRow[]

export type LiveCode = (typeof LIVE_ROWS)[number]['code']

export const liveError = errorFactory(LIVE_ROWS)

const headers = { 'www-authenticate': 'Bearer' }

/** Errors of the levels API. */
export const LIVE_ERRORS: ProductErrors = {
  rows: LIVE_ROWS,
  envelope: codedEnvelope,
  names: { no_route: 'not_found', method: 'method_not_allowed', rate: 'rate_limited' },
  mayRespond200: true,
  noKey: () => liveError('no_key', { message: sendKey('ftpl_…'), headers }),
  unknownKey: () => liveError('bad_key', { message: sendKey('ftpl_…'), headers }),
  noPlan: (holder, atMs) =>
    liveError('live_required', { message: lacksPlan('live', holder, atMs) }),
}
