// A test server of ThetaData's v3 terminal.
//
// Documents, read on 2026-11-27 in stored copies:
// - https://docs.thetadata.us/openapiv3.yaml (version 3.0.0, copy of 2026-04-14): paths, parameters,
//   defaults, columns, examples of CSV and JSON, the least plan of each path.
// - https://docs.thetadata.us/operations/option_history_trade_quote.html and its neighbours, such as
//   option_snapshot_quote.html: real-time, no data on a day without a session, reset at midnight ET.
// - https://docs.thetadata.us/Articles/Errors-Exchanges-Conditions/Error-Codes.html (copy of
//   2026-07-22): status codes 404 and 429, 470 to 478, 570 to 572, each with a text that describes it.
// - https://docs.thetadata.us/Articles/Data-And-Requests/Concurrent-Requests.html: 1, 2, 4 or 8
//   requests at once by plan; those above wait in a queue of 16; 429 when it is full.
// - https://docs.thetadata.us/Flat-Files/Getting-Started.html: whole days, 7 days back.
//
// Where documents are silent or disagree:
// - Public clients that recorded a terminal (2026-07 and 2026-08) saw other codes and another CSV than
//   the documents have: 403 for a missing plan (documented: 471), 400 for wrong parameters (473),
//   texts in quotes, lines that end with LF, and fractions of seconds always in three digits (".000").
//   The documents' examples have no quotes, CRLF, and no zeros at the end of a fraction. `dialect`
//   chooses; the documented one is the default.
// - They saw that a terminal ignores unknown parameters. This server refuses them with 473, so that a
//   misspelled one is found.
// - `interval` is marked as required and has a default of 1s. This server requires it.
// - No page says which code a multi-day request with `expiration=*`, or one of more than a month,
//   gets: 473 here. None says how a day outside the seven of flat files looks: 472 here.
// - Nothing is written about ranges, ETags, Retry-After or lengths: bodies come in chunks, Range is
//   ignored, and a 429 has no Retry-After.
// - `exclusive` is false in the text and true in the table of parameters: it is read, and changes
//   nothing, as the rows already hold their quotes.
// - `strike_range` needs the price of the underlying and `format=html` a browser: not served (470).
// - Columns of flat files are not listed: those of the history here.
// - Pages of stocks say how history serves the running day, those of options and indices do not, and
//   one user (2025-10) got no data for it: `hasRunningDay` chooses. Snapshots are of the running day;
//   they hold one row a contract, whose first column is its time.

import type { Fault } from './faults.ts'
import { type Call, type Reply, type RowFault, type Source, startServing } from './serve.ts'
import {
  type Days,
  filterRows,
  isRaw,
  peekRows,
  type RawBody,
  type Rows,
  readDay,
  readRows,
  type Table,
  type VendorRow,
  writeCsv,
} from './tables.ts'

const PLANS = ['free', 'value', 'standard', 'professional'] as const
type Plan = (typeof PLANS)[number]

/** Connection of a terminal to ThetaData's servers, as its status page shows it. */
type Connection = 'CONNECTED' | 'UNVERIFIED' | 'DISCONNECTED' | 'ERROR'

export type ThetadataOptions = {
  /** Rows of `option/history/trade_quote` by day. */
  readonly trades?: Days
  /** Rows of `option/history/quote`, of the finest interval there is, by day. */
  readonly quotes?: Days
  readonly openInterest?: Days
  /** Rows of `index/history/price` by day; `symbol` chooses them and is not sent. */
  readonly index?: Days
  /** Rows of `interest_rate/history/eod` by day; `symbol` chooses them and is not sent. */
  readonly rates?: Days
  /** Expiries by symbol, YYYY-MM-DD. */
  readonly expirations?: Readonly<Record<string, readonly string[]>>
  /** Plans of the account; professional by default. */
  readonly plans?: { readonly option?: Plan; readonly index?: Plan }
  readonly dialect?: 'documented' | 'observed'
  /** Requests that wait when all allowed ones run; 16 by default. */
  readonly queue?: number
  /** Day on which the terminal runs; the newest day of trades by default. */
  readonly today?: string
  /** ET wall time, 2024-11-04T10:00:00.000: rows after it do not exist yet. Tables may also grow. */
  readonly clock?: () => string
  /** False for a history that begins to serve a day when it is over. */
  readonly hasRunningDay?: boolean
  readonly faults?: readonly Fault[]
}

export type ThetadataSource = Source & {
  /** Sets the connection of the terminal; data need CONNECTED. */
  readonly setConnection: (connection: Connection) => void
}

/** Requests of an account that run at once. */
const OUTSTANDING: Readonly<Record<Plan, number>> = {
  free: 1,
  value: 2,
  standard: 4,
  professional: 8,
}

const CONTRACT = ['symbol', 'expiration', 'strike', 'right']
const BOOK = ['bid_size', 'bid_exchange', 'bid', 'bid_condition', 'ask_size', 'ask_exchange', 'ask']
const TRADE_QUOTE = [
  ...CONTRACT,
  'trade_timestamp',
  'quote_timestamp',
  'sequence',
  'ext_condition1',
  'ext_condition2',
  'ext_condition3',
  'ext_condition4',
  'condition',
  'size',
  'exchange',
  'price',
  ...BOOK,
  'ask_condition',
]
const QUOTE = [...CONTRACT, 'timestamp', ...BOOK, 'ask_condition']
const OPEN_INTEREST = [...CONTRACT, 'timestamp', 'open_interest']

const DATES = ['date', 'start_date', 'end_date']
const TIMES = ['start_time', 'end_time']
const CHOICE = ['expiration', 'strike', 'right', 'max_dte', 'strike_range']

type Endpoint = {
  readonly table: 'trades' | 'quotes' | 'openInterest' | 'index' | 'rates'
  readonly kind: 'option' | 'index' | 'rate'
  readonly plan: Plan
  readonly columns: readonly string[]
  readonly required: readonly string[]
  readonly optional: readonly string[]
  /** Column that the times of the request choose by; null where they do not. */
  readonly time: string | null
}

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  '/v3/option/history/trade_quote': {
    table: 'trades',
    kind: 'option',
    plan: 'standard',
    columns: TRADE_QUOTE,
    required: ['symbol', 'expiration'],
    optional: [...DATES, ...TIMES, ...CHOICE, 'exclusive'],
    time: 'trade_timestamp',
  },
  '/v3/option/history/quote': {
    table: 'quotes',
    kind: 'option',
    plan: 'value',
    columns: QUOTE,
    required: ['symbol', 'expiration', 'interval'],
    optional: [...DATES, ...TIMES, ...CHOICE],
    time: 'timestamp',
  },
  '/v3/option/history/open_interest': {
    table: 'openInterest',
    kind: 'option',
    plan: 'value',
    columns: OPEN_INTEREST,
    required: ['symbol', 'expiration'],
    optional: [...DATES, ...CHOICE],
    time: null,
  },
  '/v3/index/history/price': {
    table: 'index',
    kind: 'index',
    plan: 'value',
    columns: ['timestamp', 'price'],
    required: ['symbol', 'interval'],
    optional: [...DATES, ...TIMES],
    time: 'timestamp',
  },
  '/v3/interest_rate/history/eod': {
    table: 'rates',
    kind: 'rate',
    plan: 'free',
    columns: ['created', 'rate'],
    required: ['symbol', 'start_date', 'end_date'],
    optional: [],
    time: null,
  },
}

/** The newest row of each contract on the running day. */
const SNAPSHOTS: Readonly<Record<string, Endpoint>> = {
  '/v3/option/snapshot/quote': {
    table: 'quotes',
    kind: 'option',
    plan: 'value',
    columns: ['timestamp', ...CONTRACT, ...BOOK, 'ask_condition'],
    required: ['symbol', 'expiration'],
    optional: ['min_time', ...CHOICE],
    time: 'timestamp',
  },
  '/v3/option/snapshot/open_interest': {
    table: 'openInterest',
    kind: 'option',
    plan: 'value',
    columns: ['timestamp', ...CONTRACT, 'open_interest'],
    required: ['symbol', 'expiration'],
    optional: ['min_time', ...CHOICE],
    time: 'timestamp',
  },
  '/v3/index/snapshot/price': {
    table: 'index',
    kind: 'index',
    plan: 'value',
    columns: ['timestamp', 'symbol', 'price'],
    required: ['symbol'],
    optional: ['min_time'],
    time: 'timestamp',
  },
}

/** Whole days for all symbols. */
const FLAT_FILES: Readonly<Record<string, Pick<Endpoint, 'table' | 'columns'>>> = {
  '/v3/option/flat_file/trade_quote': { table: 'trades', columns: TRADE_QUOTE },
  '/v3/option/flat_file/open_interest': { table: 'openInterest', columns: OPEN_INTEREST },
}
const FLAT_FILE_DAYS = 7

const INTERVALS: Readonly<Record<string, number>> = {
  tick: 0,
  '10ms': 10,
  '100ms': 100,
  '500ms': 500,
  '1s': 1000,
  '5s': 5000,
  '10s': 10_000,
  '15s': 15_000,
  '30s': 30_000,
  '1m': 60_000,
  '5m': 300_000,
  '10m': 600_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
}

/** Documented codes, and those that terminals were seen to send. */
const CODES = {
  NO_IMPL: [404, 404],
  OS_LIMIT: [429, 429],
  GENERAL: [470, 470],
  PERMISSION: [471, 403],
  NO_DATA: [472, 472],
  INVALID_PARAMS: [473, 400],
  DISCONNECTED: [474, 474],
  WRONG_IP: [476, 476],
} as const

/** An error of the terminal: its name, and the text of the response. */
class Refused {
  readonly name: keyof typeof CODES
  readonly text: string
  constructor(name: keyof typeof CODES, text: string) {
    this.name = name
    this.text = text
  }
}

const invalid = (text: string) => new Refused('INVALID_PARAMS', text)
const NOTHING = 'No data found for your request'

/** Starts a terminal on a free port; the real one listens on 25503. */
export async function startThetadata(options: ThetadataOptions = {}): Promise<ThetadataSource> {
  const plans = { option: options.plans?.option, index: options.plans?.index }
  const best = Math.max(...Object.values(plans).map(plan => PLANS.indexOf(plan ?? 'professional')))
  const column = options.dialect === 'observed' ? 1 : 0
  const refuse = ({ name, text }: Refused): Reply => ({
    status: CODES[name][column],
    headers: { 'content-type': 'text/plain' },
    body: text,
  })
  let connection: Connection = 'CONNECTED'
  let host: string | null = null

  const serve = async (call: Call, fault: RowFault): Promise<Reply> => {
    const named = (call.headers.host ?? '').replace(/:\d+$/, '')
    host ??= named
    if (named !== host) throw new Refused('WRONG_IP', `The first request was made on ${host}.`)
    if (call.method !== 'GET') throw new Refused('NO_IMPL', 'There is no such request.')
    if (/^\/v3\/terminal\/(mdds|fpss)\/status$/.test(call.path)) {
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: connection }
    }
    if (column === 1 && call.path.startsWith('/v2/')) {
      return { status: 410, body: 'We have upgraded to API v3.' }
    }
    const snapshot = SNAPSHOTS[call.path]
    const endpoint = snapshot ?? ENDPOINTS[call.path]
    const flatFile = FLAT_FILES[call.path]
    const isList = /^\/v3\/option\/list\/(expirations|dates\/(trade|quote))$/.test(call.path)
    if (!endpoint && !flatFile && !isList) {
      throw new Refused('NO_IMPL', `There is no implementation of ${call.path}.`)
    }
    if (connection !== 'CONNECTED') {
      throw new Refused('DISCONNECTED', 'Connection has been lost to Theta Data MDDS.')
    }
    if (isList) return serveList(call, options)
    if (flatFile) return serveFlatFile(call, { options, ...flatFile, fault })
    const { kind } = endpoint!
    if (kind !== 'rate') requirePlan(kind, endpoint!.plan, plans[kind] ?? 'professional')
    const serving = { options, endpoint: endpoint!, fault }
    return snapshot ? serveSnapshot(call, serving) : serveHistory(call, serving)
  }

  const source = await startServing({
    faults: options.faults,
    limit: {
      running: OUTSTANDING[PLANS[best]!],
      queued: options.queue ?? 16,
      refusal: refuse(new Refused('OS_LIMIT', 'Too many requests: the queue is full.')),
    },
    handle: async (call, fault) => {
      try {
        return await serve(call, fault)
      } catch (error) {
        if (error instanceof Refused) return refuse(error)
        throw error
      }
    },
  })
  return {
    ...source,
    setConnection: next => {
      connection = next
    },
  }
}

function requirePlan(kind: string, needed: Plan, plan: Plan): void {
  if (PLANS.indexOf(plan) >= PLANS.indexOf(needed)) return
  const text =
    `Requesting an ${kind} endpoint requiring a ${needed} subscription, ` +
    `but you only have a ${plan.toUpperCase()} subscription.`
  throw new Refused('PERMISSION', text)
}

/** Parameters by name; refuses unknown, repeated and missing ones. */
function readParameters(
  call: Call,
  required: readonly string[],
  optional: readonly string[],
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of call.query) {
    if (![...required, ...optional, 'format'].includes(name)) {
      throw invalid(`Unknown parameter: ${name}`)
    }
    if (name in values) throw invalid(`Repeated parameter: ${name}`)
    values[name] = value
  }
  for (const name of required) if (!values[name]) throw invalid(`Missing parameter: ${name}`)
  const format = values.format ?? 'csv'
  if (format === 'html') throw new Refused('GENERAL', 'This test server serves no html.')
  if (!['csv', 'json', 'ndjson'].includes(format)) throw invalid(`Invalid format: ${format}`)
  return values
}

function requireDay(name: string, text: string): string {
  const day = readDay(text)
  if (day === null) throw invalid(`Invalid ${name}: ${text}`)
  return day
}

/** The days of a request, both included. */
function readDates(values: Record<string, string>): { first: string; last: string } {
  const { date, start_date, end_date } = values
  if (date !== undefined) {
    const day = requireDay('date', date)
    return { first: day, last: day }
  }
  if (start_date === undefined || end_date === undefined) {
    throw invalid('Missing parameter: date, or start_date and end_date')
  }
  const first = requireDay('start_date', start_date)
  const last = requireDay('end_date', end_date)
  if (last < first) throw invalid('end_date is before start_date')
  const until = new Date(`${first}T00:00:00Z`)
  until.setUTCMonth(until.getUTCMonth() + 1)
  if (last > until.toISOString().slice(0, 10)) throw invalid('Requests are limited to 1 month')
  return { first, last }
}

/** A time of day as HH:MM:SS.SSS. */
function readTime(name: string, text: string): string {
  const parts = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?$/.exec(text)
  if (!parts) throw invalid(`Invalid ${name}: ${text}`)
  return `${text.slice(0, 8)}.${(parts[2] ?? '.').slice(1).padEnd(3, '0')}`
}

/** Milliseconds since midnight of a timestamp. */
function readClockMs(stamp: string): number {
  const [hours, minutes, seconds] = stamp.slice(11).split(':').map(Number) as number[]
  return Math.round((hours! * 3600 + minutes! * 60 + seconds!) * 1000)
}

/** The test that a row passes when the request is for it. */
function buildFilter(
  values: Record<string, string>,
  endpoint: Endpoint,
): (row: VendorRow) => boolean {
  const tests: ((row: VendorRow) => boolean)[] = [row => row.symbol === values.symbol]
  const { expiration, strike = '*', right = 'both', max_dte, strike_range, interval } = values
  if (strike_range !== undefined) {
    throw new Refused('GENERAL', 'This test server serves no strike_range.')
  }
  if (expiration !== undefined && expiration !== '*') {
    const day = requireDay('expiration', expiration)
    tests.push(row => row.expiration === day)
  }
  if (strike !== '*') {
    if (!/^\d+(\.\d+)?$/.test(strike)) throw invalid(`Invalid strike: ${strike}`)
    tests.push(row => Number(row.strike) === Number(strike))
  }
  if (!/^(call|put|both|C|P)$/i.test(right)) throw invalid(`Invalid right: ${right}`)
  if (!/^both$/i.test(right)) tests.push(row => String(row.right)[0] === right[0]!.toUpperCase())
  if (values.exclusive !== undefined && !/^(true|false)$/.test(values.exclusive)) {
    throw invalid(`Invalid exclusive: ${values.exclusive}`)
  }
  if (max_dte !== undefined) {
    if (!/^\d+$/.test(max_dte)) throw invalid(`Invalid max_dte: ${max_dte}`)
    const stamp = endpoint.time ?? 'timestamp'
    const dayOf = (text: unknown) =>
      Date.parse(`${String(text).slice(0, 10)}T00:00:00Z`) / 86_400_000
    tests.push(row => dayOf(row.expiration) - dayOf(row[stamp]) <= Number(max_dte))
  }
  if (endpoint.time !== null) {
    const { time } = endpoint
    const isSnapshot = endpoint.optional.includes('min_time')
    const [first, last] = isSnapshot ? ['00:00:00', '23:59:59.999'] : ['09:30:00', '16:00:00']
    const from = readTime('start_time', values.start_time ?? values.min_time ?? first!)
    const to = readTime('end_time', values.end_time ?? last!)
    tests.push(row => {
      const clock = String(row[time]).slice(11)
      const padded =
        clock.length < 12 ? `${clock}${clock.length === 8 ? '.' : ''}`.padEnd(12, '0') : clock
      return padded >= from && padded <= to
    })
  }
  if (interval !== undefined) {
    const stepMs = INTERVALS[interval]
    if (stepMs === undefined) throw invalid(`Invalid interval: ${interval}`)
    if (stepMs > 0) tests.push(row => readClockMs(String(row[endpoint.time!])) % stepMs === 0)
  }
  return row => tests.every(test => test(row))
}

type History = {
  readonly options: ThetadataOptions
  readonly endpoint: Endpoint
  readonly fault: RowFault
}

async function serveHistory(call: Call, { options, endpoint, fault }: History): Promise<Reply> {
  const stated = readParameters(call, endpoint.required, endpoint.optional)
  const { first, last } = readDates(stated)
  if (stated.expiration === '*' && first !== last) throw invalid("Cannot specify '*' for the date")
  const isFine = stated.interval !== undefined && (INTERVALS[stated.interval] ?? 0) < 60_000
  if (isFine && first !== last) throw invalid('Intervals less than 1m need a single day')
  buildFilter(stated, endpoint)
  const values = { ...stated, ...fault.instead }
  const range = readDates(values)
  const days = [...(options[endpoint.table] ?? new Map<string, Table>())]
  const running = options.hasRunningDay === false ? findToday(options) : null
  const isWanted = buildFilter(values, endpoint)
  const tables = days
    .filter(([day]) => day !== running)
    .filter(([day]) => day >= range.first && day <= range.last)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, table]) => table)
  return sendTables(tables, {
    ...sendingOf(options, stated, fault),
    columns: endpoint.columns,
    isWanted: row => exists(row, endpoint, options) && isWanted(row),
  })
}

/** True for a row that is not later than the clock. */
function exists(row: VendorRow, { time }: Endpoint, { clock }: ThetadataOptions): boolean {
  return clock === undefined || String(row[time ?? 'timestamp'] ?? '') <= clock()
}

const findToday = ({ today, trades }: ThetadataOptions): string =>
  today ?? [...(trades?.keys() ?? [])].sort().at(-1) ?? ''

async function serveSnapshot(call: Call, { options, endpoint, fault }: History): Promise<Reply> {
  const stated = readParameters(call, endpoint.required, endpoint.optional)
  buildFilter(stated, endpoint)
  const values = { ...stated, ...fault.instead }
  const isWanted = buildFilter(values, endpoint)
  const table = options[endpoint.table]?.get(values.date ?? findToday(options)) ?? []
  if (isRaw(table)) throw new Error('a table that is raw bytes has no newest rows')
  const newest = new Map<string, VendorRow>()
  for await (const row of readRows(table)) {
    if (!exists(row, endpoint, options) || !isWanted(row)) continue
    newest.set(CONTRACT.map(column => row[column]).join(), row)
  }
  const rows = [...newest.values()]
  const sending = { ...sendingOf(options, stated, fault), columns: endpoint.columns }
  return sendTables([rows], { ...sending, isWanted: () => true })
}

const sendingOf = (options: ThetadataOptions, stated: Record<string, string>, fault: RowFault) => ({
  format: stated.format ?? 'csv',
  isObserved: options.dialect === 'observed',
  fault,
})

type FlatFile = Pick<Endpoint, 'table' | 'columns'> & {
  readonly options: ThetadataOptions
  readonly fault: RowFault
}

function serveFlatFile(
  call: Call,
  { options, table, columns, fault }: FlatFile,
): Promise<Reply> | Reply {
  const values = readParameters(call, ['date'], [])
  requirePlan('option', 'professional', options.plans?.option ?? 'professional')
  const day = requireDay('date', values.date!)
  const newest = findToday(options) || day
  const age = (Date.parse(newest) - Date.parse(day)) / 86_400_000
  const found = options[table]?.get(fault.instead?.date ?? day)
  if (age > FLAT_FILE_DAYS || !found) throw new Refused('NO_DATA', NOTHING)
  const sending = sendingOf(options, values, fault)
  return sendTables([found], { ...sending, columns, isWanted: () => true })
}

function serveList(call: Call, options: ThetadataOptions): Promise<Reply> | Reply {
  const isDates = call.path.includes('/dates/')
  const values = readParameters(call, ['symbol'], isDates ? ['expiration'] : [])
  const days = call.path.endsWith('quote') ? options.quotes : options.trades
  const rows = isDates
    ? [...(days?.keys() ?? [])].sort().map(date => ({ date }))
    : (options.expirations?.[values.symbol!] ?? []).map(expiration => ({
        symbol: values.symbol!,
        expiration,
      }))
  return sendTables([rows], {
    columns: isDates ? ['date'] : ['symbol', 'expiration'],
    isWanted: () => true,
    ...sendingOf(options, values, {}),
  })
}

type Sending = {
  readonly columns: readonly string[]
  readonly isWanted: (row: VendorRow) => boolean
  readonly format: string
  readonly isObserved: boolean
  readonly fault: RowFault
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
}

async function sendTables(tables: readonly Table[], sending: Sending): Promise<Reply> {
  const { columns, isWanted, format, isObserved, fault } = sending
  const headers = { 'content-type': TYPES[format]! }
  const raw = tables.find((table): table is RawBody => isRaw(table))
  if (raw) return { status: 200, headers, body: raw.raw() }
  const rows = await peekRows(filterRows(tables as readonly Rows[], isWanted))
  if (rows === null) throw new Refused('NO_DATA', NOTHING)
  const formatField = isObserved ? observedField : documentedField
  if (format === 'csv') {
    const end = isObserved ? '\n' : '\r\n'
    return {
      status: 200,
      headers,
      body: writeCsv(rows, { columns, end, format: formatField, fault }),
    }
  }
  const body = format === 'json' ? writeJson(rows, columns) : writeNdjson(rows, columns)
  return { status: 200, headers, body }
}

const TEXTS = /^(symbol|expiration|right)$/
const STAMPS = /(^|_)(timestamp|created|last_trade)$/

/** A field as the documents' examples have it: zeros at the end of a fraction are left out. */
const documentedField = (column: string, value: string | number): string =>
  STAMPS.test(column)
    ? String(value).replace(/\.(\d*?)0*$/, (_, digits) => (digits === '' ? '' : `.${digits}`))
    : String(value)

/** A field as terminals were seen to write it: texts in quotes, three digits of a second. */
function observedField(column: string, value: string | number): string {
  if (TEXTS.test(column)) return `"${value}"`
  if (!STAMPS.test(column) || !String(value).includes('T')) return String(value)
  const [whole = '', fraction = ''] = String(value).split('.')
  return `${whole}.${fraction.padEnd(3, '0')}`
}

const jsonField = (column: string, value: string | number): string =>
  /^-?\d+(\.\d+)?$/.test(String(value)) && !TEXTS.test(column)
    ? String(value)
    : JSON.stringify(documentedField(column, value))

const jsonObject = (row: VendorRow, columns: readonly string[]): string =>
  `{${columns.map(column => `"${column}":${jsonField(column, row[column] ?? '')}`).join(',')}}`

async function* writeNdjson(rows: AsyncIterable<VendorRow>, columns: readonly string[]) {
  for await (const row of rows) yield Buffer.from(`${jsonObject(row, columns)}\n`)
}

/** Writes `{"response":[…]}`; rows of a contract follow each other in one group. */
async function* writeJson(rows: AsyncIterable<VendorRow>, columns: readonly string[]) {
  const hasContract = CONTRACT.every(column => columns.includes(column))
  const rest = hasContract ? columns.filter(column => !CONTRACT.includes(column)) : columns
  let group: string | null = null
  yield Buffer.from('{"response":[')
  for await (const row of rows) {
    const contract = hasContract ? jsonObject(row, ['symbol', 'strike', 'right', 'expiration']) : ''
    const opens = `{"contract":${contract},"data":[`
    const isNew = hasContract && contract !== group
    const before = group === null ? (isNew ? opens : '') : isNew ? `]},${opens}` : ','
    group = contract
    yield Buffer.from(`${before}${jsonObject(row, rest)}`)
  }
  yield Buffer.from(hasContract ? ']}]}' : ']}')
}
