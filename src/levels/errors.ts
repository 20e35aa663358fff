import type { ProductErrors } from '../accounts/apiProduct.ts'
import { lacksPlan, sendKey } from '../accounts/keyErrors.ts'
import {
  CALLS_PER_MINUTE_MAX,
  CLIENT_ADDRESSES_PER_HOUR,
  HISTORY_DAYS_FREE,
} from '../accounts/products.ts'
import { ordinalWord } from '../core/text/counts.ts'
import { errorFactory, houseRow, type ProductErrorRow } from '../platform/http/errors/catalogue.ts'
import { codedEnvelope } from '../platform/http/errors/envelope.ts'

/** A row for a request that has to be changed. */
const bad = <const Code extends string>(code: Code, meaning: string) =>
  ({ code, status: 400, isRetryable: false, meaning }) as const

/** All errors of the levels API, in precedence. */
const LIVE_ROWS = [
  houseRow('bad_request'),
  houseRow('request_timeout'),
  houseRow('headers_too_large'),
  {
    code: 'unavailable',
    status: 503,
    isRetryable: true,
    meaning:
      'the account store did not answer during the key check, or the server cannot take the ' +
      'question now',
    extras: ['retry_after_s'],
  },
  { code: 'no_key', status: 401, isRetryable: false, meaning: 'no key was sent' },
  {
    code: 'bad_key',
    status: 401,
    isRetryable: false,
    meaning: 'the key is mistyped, unknown, revoked or of another scope',
  },
  {
    code: 'live_required',
    status: 403,
    isRetryable: false,
    meaning: 'the account has no active LIVE plan; `pricing` names the page',
    always: { pricing: '/pricing' },
  },
  {
    code: 'too_many_places',
    status: 429,
    isRetryable: false,
    meaning: `the key was used from ${CLIENT_ADDRESSES_PER_HOUR} client addresses this hour; a ${ordinalWord(CLIENT_ADDRESSES_PER_HOUR + 1)} is refused`,
  },
  {
    code: 'rate_limited',
    status: 429,
    isRetryable: true,
    meaning: `over ${CALLS_PER_MINUTE_MAX} requests in a minute on one key`,
    extras: ['retry_after_s'],
  },
  { code: 'not_found', status: 404, isRetryable: false, meaning: 'no such endpoint' },
  {
    code: 'method_not_allowed',
    status: 405,
    isRetryable: false,
    meaning: 'the levels API takes GET and HEAD only',
  },
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
  {
    code: 'history_too_old',
    status: 403,
    isRetryable: false,
    meaning: `the day is older than ${HISTORY_DAYS_FREE} days and the account has no DATASET licence`,
    extras: ['oldest'],
  },
  {
    code: 'unknown_symbol',
    status: 404,
    isRetryable: false,
    meaning: 'there is no book for the symbol',
  },
  {
    code: 'contract_not_live',
    status: 404,
    isRetryable: false,
    meaning: 'the dated futures contract was not measured that day; `live` lists those that were',
    extras: ['live'],
  },
  {
    code: 'no_basis',
    status: 404,
    isRetryable: true,
    meaning: 'no ES, NQ or RTY basis is measured for the day yet',
    extras: ['next_update_s'],
  },
  {
    code: 'no_data',
    status: 404,
    isRetryable: true,
    meaning: 'there is no reading of the symbol or day yet; `next_update_s` says when to ask again',
    extras: ['next_update_s'],
  },
  houseRow('not_acceptable'),
  houseRow('damaged'),
  houseRow('internal'),
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
