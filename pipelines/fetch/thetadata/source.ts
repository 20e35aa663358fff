/**
 * ThetaData by its own terminal, which runs on this machine: HTTP at port 25503, version 3.
 * Read in docs.thetadata.us (v3, 2026): operations option_history_trade_quote,
 * option_history_quote, option_history_open_interest, index_history_price; "Error Codes"; openapiv3
 * of 2026-04-14. Recorded terminals send 403 and 400 where the documents have 471 and 473. Times of
 * a request are from 09:30 to 16:00 unless stated.
 */

import { shown } from '../../../src/core/disk/text.ts'
import {
  addDays,
  findTradingSession,
  instantMs,
  MINUTE_MS,
  type Session,
  type SessionDate,
  wallTimeEt,
} from '../../../src/core/market/calendar.ts'
import { explainStatus } from '../explain.ts'
import {
  type DataSource,
  type FailedResponse,
  FetchProblem,
  type Part,
  WITHOUT_INDEX,
} from '../source.ts'
import { dayWindows, isNight, sessionWindows, type TimeWindow, windowName } from '../windows.ts'

const NAME = 'thetadata'
const ROOTS = ['SPX', 'SPXW'] as const

/** Minutes of a window of trades: some 100,000 of SPXW. */
const TRADE_MINUTES = 120
/** Minutes of a window of quotes: 60 values of some 12,000 contracts. */
const QUOTE_MINUTES = 60

const TRADE_COLUMNS = ['symbol', 'expiration', 'strike', 'right', 'trade_timestamp', 'price']
const QUOTE_COLUMNS = ['symbol', 'expiration', 'strike', 'right', 'timestamp', 'bid', 'ask']
const INTEREST_COLUMNS = ['symbol', 'expiration', 'strike', 'right', 'open_interest']

/** Last thousandth of a second before a minute: both ends of a request count. */
const untilBefore = (minute: string): string => {
  if (minute === '24:00') return '23:59:59.999'
  const [hour, minutes] = minute.split(':').map(Number) as [number, number]
  const before = hour * 60 + minutes - 1
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(before / 60))}:${two(before % 60)}:59.999`
}

const between = ({ from, to }: Pick<TimeWindow, 'from' | 'to'>) => ({
  start_time: `${from}:00.000`,
  end_time: untilBefore(to),
})

/** The day of a time in New York, or of milliseconds since 1970. */
const toDay = (text: string): string =>
  /^\d{13}$/.test(text) ? wallTimeEt(Number(text)).date : text.slice(0, 10)

type Rows = {
  readonly columns: readonly string[]
  /** Column of the time; null where the day is not checked. */
  readonly time: string | null
  /** Days of New York that its rows may be of. */
  readonly dates: readonly string[]
}

/** Rules of lines: those of the day, which is New York's; the import passes over other roots. */
const rows = ({ columns, time, dates }: Rows): Part['content'] => ({
  kind: 'table',
  rules: {
    columns,
    judge: cell => {
      const at = time === null ? dates[0]! : toDay(cell(time))
      return dates.includes(at) ? null : `has a row of ${at}, not of ${dates[0]}`
    },
  },
})

function trades(session: SessionDate, root: string, window: TimeWindow): Part {
  return {
    day: session,
    file: `thetadata-trade-quote-${root}-${windowName(session, window)}.csv`,
    format: 'thetadata-trade-quote',
    session,
    request: {
      method: 'GET',
      path: '/v3/option/history/trade_quote',
      fields: {
        symbol: root,
        expiration: '*',
        date: window.date,
        ...between(window),
        // the quote before the trade, not one that the trade may have moved
        exclusive: 'true',
        format: 'csv',
      },
    },
    content: rows({
      columns: TRADE_COLUMNS,
      time: 'trade_timestamp',
      dates: isNight(window) ? [window.date, addDays(window.date, -1)] : [window.date],
    }),
    isRanged: false,
    mayBeEmpty: window.mayBeEmpty || root === 'SPX',
    usualBytes: window.mayBeEmpty ? 500_000 : root === 'SPX' ? 1_500_000 : 20_000_000,
  }
}

function quotes(session: SessionDate, root: string, window: TimeWindow): Part {
  return {
    day: session,
    file: `thetadata-quote-${root}-${windowName(session, window)}.csv`,
    format: 'thetadata-quote',
    session,
    request: {
      method: 'GET',
      path: '/v3/option/history/quote',
      fields: {
        symbol: root,
        expiration: '*',
        date: window.date,
        interval: '1m',
        ...between(window),
        format: 'csv',
      },
    },
    content: rows({ columns: QUOTE_COLUMNS, time: 'timestamp', dates: [window.date] }),
    isRanged: false,
    mayBeEmpty: window.mayBeEmpty,
    usualBytes: root === 'SPX' ? 50_000_000 : 80_000_000,
  }
}

const openInterest = (session: SessionDate, root: string): Part => ({
  day: session,
  file: `thetadata-open-interest-${root}.csv`,
  format: 'thetadata-open-interest',
  session,
  request: {
    method: 'GET',
    path: '/v3/option/history/open_interest',
    fields: { symbol: root, expiration: '*', date: session, format: 'csv' },
  },
  content: rows({ columns: INTEREST_COLUMNS, time: null, dates: [session] }),
  isRanged: false,
  mayBeEmpty: false,
  usualBytes: 700_000,
})

const index = (session: SessionDate, window: TimeWindow, name: string): Part => ({
  day: session,
  file: `thetadata-index-price-SPX${name}.csv`,
  format: 'thetadata-index-price',
  session,
  request: {
    method: 'GET',
    path: '/v3/index/history/price',
    fields: { symbol: 'SPX', date: window.date, interval: '1s', ...between(window), format: 'csv' },
  },
  content: rows({
    columns: ['timestamp', 'price'],
    time: 'timestamp',
    dates: [window.date],
  }),
  isRanged: false,
  mayBeEmpty: false,
  // of another plan
  withoutIt: WITHOUT_INDEX,
  usualBytes: 1_000_000,
})

const planDay = (day: SessionDate): Part[] => [
  ...ROOTS.map(root => openInterest(day, root)),
  index(day, { date: day, from: '09:00', to: '17:00', mayBeEmpty: false }, ''),
  ...ROOTS.flatMap(root =>
    sessionWindows(day, TRADE_MINUTES, true).map(each => trades(day, root, each)),
  ),
  ...ROOTS.flatMap(root => dayWindows(day, QUOTE_MINUTES).map(each => quotes(day, root, each))),
]

/** Requests of minutes of a running session, for the spool. */
function followParts({ date }: Session, fromMs: number, toMs: number): Part[] {
  const window: TimeWindow = {
    date,
    from: wallTimeEt(fromMs).minute,
    to: wallTimeEt(toMs).minute,
    mayBeEmpty: true,
  }
  const parts = [
    ...ROOTS.map(root => trades(date, root, window)),
    ...ROOTS.map(root => quotes(date, root, window)),
    index(date, window, `-${window.from.replace(':', '')}`),
  ]
  const until = window.to.replace(':', '')
  // of its own name: a whole day has other windows
  return parts.map(part => ({
    ...part,
    file: part.file.replace('.csv', `-${until}.csv`),
    mayBeEmpty: true,
  }))
}

const CODES: Readonly<Record<number, readonly [FetchProblem['kind'], string]>> = {
  400: ['bad_request', ' does not take the fields of this request: update the terminal'],
  403: ['no_permission', " does not permit this request: the account's plan does not have it"],
  404: ['bad_request', ' does not know this request: update the terminal'],
  410: ['bad_request', ' is an old terminal: start version 3'],
  429: ['too_many', ' takes no more requests for now'],
  470: ['unavailable', ' reports a general error'],
  471: ['no_permission', " does not permit this request: the account's plan does not have it"],
  472: ['no_data', ' has no data for this request'],
  473: ['bad_request', ' does not take the fields of this request: update the terminal'],
  474: ['unavailable', "'s terminal has lost its connection"],
  475: ['bad_request', ' could not read this request: update the terminal'],
  476: [
    'bad_request',
    ' was first asked from another address of this machine: restart the terminal',
  ],
  477: ['unavailable', ' no longer has this page'],
  478: ['unavailable', ' has another terminal running for the account: stop one of the two'],
  570: ['bad_request', ' finds this request too large'],
  571: ['unavailable', "'s terminal is still starting"],
  572: ['unavailable', ' reports an error that it did not expect'],
}

function explain(failed: FailedResponse): FetchProblem {
  const [kind, why] = CODES[failed.status] ?? []
  if (kind === undefined || why === undefined) return explainStatus(NAME, failed)
  return new FetchProblem(kind, `${NAME}${why} (${failed.status}).`)
}

export const THETADATA: DataSource = {
  name: NAME,
  meaning: 'trades with quotes, minute quotes, open interest, index: its terminal must run',
  address: 'http://127.0.0.1:25503',
  keys: [],
  concurrent: 2,
  headTimeoutMs: 10 * MINUTE_MS,
  isBySession: true,
  plan: days => days.flatMap(planDay),
  // the terminal has the trades of a running session; corrections come in within minutes
  readyMs: day => (findTradingSession(day)?.closesAtMs ?? instantMs(day, '16:15')) + 15 * MINUTE_MS,
  authorize: async () => ({}),
  whenNotStarted: "'s terminal is not running: start it with java -jar ThetaTerminalv3.jar",
  explain,
  probe: { method: 'GET', path: '/v3/terminal/mdds/status', fields: {} },
  judgeProbe: text => {
    const state = text.trim()
    if (state === 'CONNECTED') return null
    return `${NAME}'s terminal runs, and is not connected: it says ${shown(state)}.`
  },
  follow: {
    everyMs: MINUTE_MS,
    delayMs: 0,
    first: ({ date }) => ROOTS.map(root => openInterest(date, root)),
    parts: followParts,
  },
}
