// A test server of Databento's historical API.
//
// Documents, read on 2026-11-27 in stored copies:
// - https://hist.databento.com/openapi.json (copy of 2026-07-22): paths, methods, parameters and
//   defaults (encoding csv, compression none, stype_in raw_symbol, mode historical-streaming), 422 of
//   the framework as {"detail":[{"loc","msg","type"}]}, 401 as {"detail":"Not authenticated"} with
//   WWW-Authenticate: Basic.
// - https://databento.com/docs/api-historical/basics/errors: 200, 206 (symbols resolved in part), 400,
//   401, 402, 403, 404, 409, 422, 429, 500, 503, 504.
// - https://databento.com/docs/api-historical/basics/rate-limits: at once 100 connections; a second
//   100 time series and 20 metadata requests; 429 with Retry-After (1 second where it is absent).
// - https://databento.com/docs/api-historical/metadata/metadata-get-dataset-condition: available,
//   degraded, pending, missing; `last_modified_date` is null when missing; both dates included.
// - https://databento.com/docs/api-historical/metadata/metadata-get-dataset-range: what the account may
//   read; `end` is excluded; the same by schema under `schema`.
// - https://databento.com/docs/api-historical/timeseries: `start` included, `end` excluded, both by
//   ts_recv where the schema has it; up to 2,000 symbols.
// - https://databento.com/docs/schemas (tbbo, bbo, statistics, definition); order of CSV columns from
//   recorded headers of OPRA files in public repositories (2026-04-13).
// Error bodies {"detail":{"case","message","status_code","docs","payload"}} are those that public
// clients recorded (2026-01 to 2026-09); the error page shows none.
//
// Where documents are silent or disagree:
// - The rate limits are by team in one copy of the page and by IP address in another: by server here.
// - The default encoding is csv in the OpenAPI and dbn in the pages of the clients. csv here; dbn and
//   json are not served (400).
// - Unknown parameters: 400 ("unsupported parameter" of the error page). The form of the OpenAPI calls
//   the schema `schema_`; clients send `schema`, and only that is read.
// - A range without records: 200 with the header line alone.
// - No page mentions Range, ETag or a length for get_range: bodies come in chunks, Range is ignored.
// - What a degraded day adds: a header X-Warning with a JSON list of texts, as the Python client reads.
// - A key without a licence for the newest data gets 403 license_not_found_unauthorized in most
//   records and 422 dataset_unavailable_range in others; `licence` chooses.

import type { Fault } from './faults.ts'
import { type Call, type Reply, type RowFault, type Source, startServing } from './serve.ts'
import {
  compress,
  type Days,
  filterRows,
  isRaw,
  type RawBody,
  type Rows,
  readDay,
  type Table,
  type VendorRow,
  writeCsv,
} from './tables.ts'

type DayCondition = {
  readonly condition: 'available' | 'degraded' | 'pending' | 'missing'
  readonly last_modified_date: string | null
}

export type DatabentoOptions = {
  /**
   * Records by schema and UTC day, with pretty times (nine digits, Z) and prices (nine digits); an
   * undefined price or time is empty. They include `symbol`.
   */
  readonly records?: Readonly<Partial<Record<DatabentoSchema, Days>>>
  /** Keys that are valid; `db-test` and 25 more characters by default. */
  readonly keys?: readonly string[]
  /** Roots that parents such as SPX.OPT resolve to; SPX and SPXW by default. */
  readonly roots?: readonly string[]
  /** Conditions of UTC days; days with records are available, all others missing. */
  readonly conditions?: Readonly<Record<string, DayCondition>>
  /** Range that the dataset covers; `end` is excluded. */
  readonly available?: { readonly start: string; readonly end: string }
  /** State of the account's payments. */
  readonly account?: 'active' | 'insufficient_funds' | 'locked'
  /** Licence for data after an instant: such data are refused. */
  readonly licence?: { readonly until: string; readonly refusal: 'license' | 'range' }
  /** USD for a GB (2^30 bytes) of records; 5 by default. */
  readonly usdPerGb?: number
  readonly limits?: { readonly timeseries?: number; readonly metadata?: number }
  readonly faults?: readonly Fault[]
}

export type DatabentoSource = Source & {
  /** Cost of all records that were streamed, USD; a repeated request counts again. */
  readonly spentUsd: () => number
  readonly setCondition: (day: string, condition: DayCondition) => void
}

export const DATABENTO_KEY = 'db-test0123456789abcdefghijklmno'
const DATASET = 'OPRA.PILLAR'

const HEAD = ['ts_recv', 'ts_event', 'rtype', 'publisher_id', 'instrument_id']
const BOOK = ['bid_px_00', 'ask_px_00', 'bid_sz_00', 'ask_sz_00', 'bid_pb_00', 'ask_pb_00']

type SchemaShape = {
  readonly columns: readonly string[]
  readonly prices: readonly string[]
  readonly times: readonly string[]
  /** Bytes of a binary record, which is what is billed. */
  readonly bytes: number
}

const PRICES = ['price', 'bid_px_00', 'ask_px_00']

/** Columns of a definition; `strike_price` to the last are of version 3. */
const DEFINITION = [
  ...HEAD,
  ...[
    'raw_symbol security_update_action instrument_class min_price_increment display_factor expiration',
    'activation high_limit_price low_limit_price max_price_variation unit_of_measure_qty',
    'min_price_increment_amount price_ratio inst_attrib_value underlying_id raw_instrument_id',
    'market_depth_implied market_depth market_segment_id max_trade_vol min_lot_size',
    'min_lot_size_block min_lot_size_round_lot min_trade_vol contract_multiplier decay_quantity',
    'original_contract_size appl_id maturity_year decay_start_date channel_id currency',
    'settl_currency secsubtype group exchange asset cfi security_type unit_of_measure underlying',
    'strike_price_currency strike_price match_algorithm main_fraction price_display_format',
    'sub_fraction underlying_product maturity_month maturity_day maturity_week',
    'user_defined_instrument contract_multiplier_unit flow_schedule_type tick_rule leg_count',
    'leg_index leg_instrument_id leg_raw_symbol leg_instrument_class leg_side leg_price leg_delta',
    'leg_ratio_price_numerator leg_ratio_price_denominator leg_ratio_qty_numerator',
    'leg_ratio_qty_denominator leg_underlying_id',
  ].flatMap(line => line.split(' ')),
]

export const DATABENTO_SCHEMAS = {
  tcbbo: {
    columns: [...HEAD, 'action', 'side', 'price', 'size', 'flags', 'ts_in_delta', ...BOOK],
    prices: PRICES,
    times: ['ts_recv', 'ts_event'],
    bytes: 80,
  },
  'cbbo-1m': {
    columns: [...HEAD, 'side', 'price', 'size', 'flags', ...BOOK],
    prices: PRICES,
    times: ['ts_recv', 'ts_event'],
    bytes: 80,
  },
  statistics: {
    columns: [
      ...HEAD,
      'ts_ref',
      'price',
      'quantity',
      'sequence',
      'ts_in_delta',
      'stat_type',
      'channel_id',
      'update_action',
      'stat_flags',
    ],
    prices: ['price'],
    times: ['ts_recv', 'ts_event', 'ts_ref'],
    bytes: 80,
  },
  definition: {
    columns: DEFINITION,
    prices: [
      'min_price_increment',
      'display_factor',
      'high_limit_price',
      'low_limit_price',
      'max_price_variation',
      'min_price_increment_amount',
      'price_ratio',
      'strike_price',
      'leg_price',
      'leg_delta',
    ],
    times: ['ts_recv', 'ts_event', 'expiration', 'activation'],
    bytes: 520,
  },
} as const satisfies Readonly<Record<string, SchemaShape>>

export type DatabentoSchema = keyof typeof DATABENTO_SCHEMAS

const UNDEFINED_PRICE = '9223372036854775807'
const UNDEFINED_TIME = '18446744073709551615'
const SYMBOLS_MAX = 2000

/** An error of the API: its status and the detail of its body. */
class Refused {
  readonly status: number
  readonly detail: unknown
  readonly headers: Record<string, string>
  constructor(status: number, detail: unknown, headers: Record<string, string> = {}) {
    this.status = status
    this.detail = detail
    this.headers = headers
  }
}

const DOCS = 'https://databento.com/docs/api-reference-historical/basics'

const refuse = (
  status: number,
  name: string,
  message: string,
  payload: Record<string, string> | null = null,
) => new Refused(status, { case: name, message, status_code: status, docs: DOCS, payload })

const missing = (place: 'query' | 'body', name: string) =>
  new Refused(422, [{ loc: [place, name], msg: 'Field required', type: 'missing' }])

const json = (body: unknown): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Parameters of each method; `*` marks those that are required. */
const QUERY = ['dataset*', 'start*', 'end', 'symbols', 'schema', 'stype_in', 'limit', 'retry']
const METHODS: Readonly<Record<string, readonly string[]>> = {
  'timeseries.get_range': [
    ...QUERY,
    'stype_out',
    'encoding',
    'compression',
    'pretty_px',
    'pretty_ts',
    'map_symbols',
  ],
  'metadata.get_cost': [...QUERY, 'mode'],
  'metadata.get_billable_size': QUERY,
  'metadata.get_record_count': QUERY,
  'metadata.get_dataset_condition': ['dataset*', 'start_date', 'end_date', 'retry'],
  'metadata.get_dataset_range': ['dataset*', 'retry'],
  'metadata.list_datasets': ['start_date', 'end_date', 'retry'],
  'metadata.list_schemas': ['dataset*', 'retry'],
}
const POSTS = /^(timeseries\.get_range|metadata\.get_(cost|billable_size|record_count))$/

/** Starts the API on a free port; its methods lie below `/v0/`. */
export async function startDatabento(options: DatabentoOptions = {}): Promise<DatabentoSource> {
  const conditions = new Map(Object.entries(options.conditions ?? {}))
  const state = { spentUsd: 0 }
  const allowTimeseries = countBySecond(options.limits?.timeseries ?? 100)
  const allowMetadata = countBySecond(options.limits?.metadata ?? 20)
  const setting: Setting = { options, conditions, state }

  const serve = (call: Call, fault: RowFault): Reply | Promise<Reply> => {
    const method = /^\/v0\/([\w.]+)$/.exec(call.path)?.[1] ?? ''
    const names = METHODS[method]
    if (!names) throw new Refused(404, 'Not Found')
    if (call.method !== 'GET' && !(call.method === 'POST' && POSTS.test(method))) {
      throw new Refused(405, 'Method Not Allowed')
    }
    authenticate(call, options)
    const isAllowed = method.startsWith('timeseries') ? allowTimeseries() : allowMetadata()
    if (!isAllowed) {
      const { detail } = refuse(429, 'rate_limit_exceeded', 'API rate limit exceeded.')
      throw new Refused(429, detail, { 'retry-after': '1' })
    }
    const values = readValues(call, names)
    if ('dataset' in values && values.dataset !== DATASET) {
      throw refuse(404, 'dataset_not_found', `The dataset '${values.dataset}' was not found.`)
    }
    if (method === 'metadata.list_datasets') return json([DATASET])
    if (method === 'metadata.list_schemas') return json(Object.keys(DATABENTO_SCHEMAS))
    if (method === 'metadata.get_dataset_range') {
      const available = readAvailable(options)
      const schema = Object.keys(DATABENTO_SCHEMAS).map(name => [name, available])
      return json({ ...available, schema: Object.fromEntries(schema) })
    }
    if (method === 'metadata.get_dataset_condition') return json(listConditions(values, setting))
    return serveRecords(method, values, { ...setting, fault })
  }

  const source = await startServing({
    faults: options.faults,
    limit: {
      running: 100,
      queued: 0,
      refusal: toReply(
        new Refused(429, refuse(429, 'rate_limit_exceeded', 'Too many connections.').detail, {
          'retry-after': '1',
        }),
      ),
    },
    handle: async (call, fault) => {
      try {
        return await serve(call, fault)
      } catch (error) {
        if (error instanceof Refused) return toReply(error)
        throw error
      }
    },
  })
  return {
    ...source,
    spentUsd: () => state.spentUsd,
    setCondition: (day, condition) => void conditions.set(day, condition),
  }
}

const toReply = ({ status, detail, headers }: Refused): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ detail }),
})

/** True for so many calls within a second. */
function countBySecond(max: number): () => boolean {
  const calls: number[] = []
  return () => {
    const now = performance.now()
    while (calls.length > 0 && calls[0]! <= now - 1000) calls.shift()
    if (calls.length >= max) return false
    calls.push(now)
    return true
  }
}

function authenticate(call: Call, options: DatabentoOptions): void {
  const given = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(call.headers.authorization ?? '')?.[1]
  if (given === undefined) {
    throw new Refused(401, 'Not authenticated', { 'www-authenticate': 'Basic' })
  }
  const [user, ...password] = Buffer.from(given, 'base64').toString('utf8').split(':')
  if (!(options.keys ?? [DATABENTO_KEY]).includes(user!) || password.join(':') !== '') {
    throw refuse(401, 'auth_authentication_failed', 'Authentication failed.')
  }
  if (options.account === 'locked') {
    throw refuse(403, 'auth_account_locked', 'Your account is locked.')
  }
}

function readValues(call: Call, names: readonly string[]): Record<string, string> {
  const allowed = names.map(name => name.replace('*', ''))
  const values: Record<string, string> = {}
  for (const [name, value] of [...call.query, ...call.form]) {
    if (!allowed.includes(name))
      throw refuse(400, 'bad_request', `Unsupported parameter '${name}'.`)
    if (name in values) throw refuse(400, 'bad_request', `Repeated parameter '${name}'.`)
    values[name] = value
  }
  const place = call.method === 'POST' ? 'body' : 'query'
  for (const name of names) {
    if (name.endsWith('*') && !values[name.slice(0, -1)]) throw missing(place, name.slice(0, -1))
  }
  return values
}

type Setting = {
  readonly options: DatabentoOptions
  readonly conditions: ReadonlyMap<string, DayCondition>
  readonly state: { spentUsd: number }
}

/** Days that have records of any schema. */
const listDays = ({ records = {} }: DatabentoOptions): string[] =>
  [...new Set(Object.values(records).flatMap(days => [...days.keys()]))].sort()

const DAY_MS = 86_400_000

function readAvailable(options: DatabentoOptions): { start: string; end: string } {
  if (options.available) return options.available
  const last = listDays(options).at(-1) ?? '2026-01-01'
  const end = new Date(Date.parse(`${last}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
  return { start: '2013-04-01T00:00:00.000000000Z', end: `${end}T00:00:00.000000000Z` }
}

function findCondition(day: string, { options, conditions }: Setting): DayCondition {
  const known = conditions.get(day)
  if (known) return known
  return listDays(options).includes(day)
    ? { condition: 'available', last_modified_date: day }
    : { condition: 'missing', last_modified_date: null }
}

function listConditions(values: Record<string, string>, setting: Setting) {
  const { start, end } = readAvailable(setting.options)
  const first = requireDate('start_date', values.start_date ?? start.slice(0, 10))
  const lastAvailable = new Date(Date.parse(end) - 1).toISOString().slice(0, 10)
  const last = requireDate('end_date', values.end_date ?? lastAvailable)
  if (last < first) {
    const message = 'Invalid date range query, `start_date` cannot be after `end_date`.'
    throw refuse(422, 'data_date_range_start_after_end', message)
  }
  const days: ({ date: string } & DayCondition)[] = []
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10)
    // no venue has a condition for a weekend, unless the caller gives one
    const isWeekend = [0, 6].includes(new Date(at).getUTCDay())
    if (isWeekend && !setting.conditions.has(date)) continue
    days.push({ date, ...findCondition(date, setting) })
  }
  return days
}

function requireDate(name: string, text: string): string {
  const day = text.includes('-') ? readDay(text) : null
  if (day === null) throw refuse(422, 'bad_request', `Invalid \`${name}\`: '${text}'.`)
  return day
}

/** An instant of a request: the UTC text with nine digits, and the length of what it names. */
function readInstant(name: string, text: string): { at: string; lengthMs: number } {
  if (/^\d{16,}$/.test(text)) return { at: fromNanos(text), lengthMs: 1 }
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2})(\.\d{1,9})?)?)?)?(Z|[+-]\d{2}:\d{2})?$/.exec(
      text,
    )
  const [, day = '', hour, minute, second, fraction = '.', offset = 'Z'] = parts ?? []
  const whole = `${day}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}${offset}`
  const ms = Date.parse(whole)
  if (!parts || !Number.isFinite(ms)) {
    throw refuse(422, 'bad_request', `Invalid \`${name}\`: '${text}'.`)
  }
  const lengthMs = second ? 1000 : minute ? 60_000 : hour ? 3_600_000 : DAY_MS
  const at = `${new Date(ms).toISOString().slice(0, 19)}.${fraction.slice(1).padEnd(9, '0')}Z`
  return { at, lengthMs }
}

function fromNanos(text: string): string {
  const seconds = new Date(Number(text.slice(0, -9)) * 1000).toISOString().slice(0, 19)
  return `${seconds}.${text.slice(-9)}Z`
}

function toNanos(stamp: string): string {
  const [, whole, fraction = ''] = /^(.{19})(?:\.(\d+))?Z$/.exec(stamp) ?? []
  return `${Date.parse(`${whole}Z`) / 1000}${fraction.padEnd(9, '0')}`
}

/** A price with nine digits as a count of 1e-9. */
function toNanoUnits(price: string): string {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(price) ?? []
  return `${sign}${BigInt(`${whole}${fraction.padEnd(9, '0')}`)}`
}

const spoken = (at: string) => at.replace('T', ' ').replace(/\.?0*Z$/, '+00:00')

function readRange(values: Record<string, string>, setting: Setting) {
  const start = readInstant('start', values.start!)
  const end =
    values.end === undefined
      ? readInstant('end', new Date(Date.parse(start.at) + start.lengthMs).toISOString()).at
      : readInstant('end', values.end).at
  const available = readAvailable(setting.options)
  const payload = {
    dataset: DATASET,
    start: start.at,
    end,
    available_start: available.start,
    available_end: available.end,
  }
  if (start.at >= end) {
    const message = `Invalid time range query, \`start\` ${spoken(start.at)} cannot be on or after \`end\` ${spoken(end)}.`
    throw refuse(422, 'data_time_range_start_on_or_after_end', message, { start: start.at, end })
  }
  if (start.at < available.start) {
    const message = `\`start\` in query ('${spoken(start.at)}') was before the available start of dataset ${DATASET} ('${spoken(available.start)}'). Try requesting with a later \`start\`.`
    throw refuse(422, 'data_start_before_available_start', message, payload)
  }
  if (start.at > available.end) {
    const message = `\`start\` in query ('${spoken(start.at)}') was after the available end of dataset ${DATASET} ('${spoken(available.end)}'). Try requesting with an earlier \`start\`.`
    throw refuse(422, 'data_start_after_available_end', message, payload)
  }
  if (end > available.end) {
    const message = `The dataset ${DATASET} has data available up to '${spoken(available.end)}'. The \`end\` in the query ('${spoken(end)}') is after the available range. Try requesting with an earlier \`end\`.`
    throw refuse(422, 'data_end_after_available_end', message, payload)
  }
  const { licence } = setting.options
  if (licence && end > licence.until) {
    if (licence.refusal === 'license') {
      const message = `A live data license is required to access ${DATASET} data after ${licence.until}.`
      throw refuse(403, 'license_not_found_unauthorized', message)
    }
    const message = `Part or all of your request for dataset '${DATASET}' requires a subscription and/or license to access. Try again with an end time before ${licence.until}.`
    throw refuse(422, 'dataset_unavailable_range', message)
  }
  return { start: start.at, end }
}

/** The test of a row's symbol, and whether every symbol was found. */
function readSymbols(values: Record<string, string>, options: DatabentoOptions) {
  const { symbols = 'ALL_SYMBOLS', stype_in = 'raw_symbol' } = values
  const roots = options.roots ?? ['SPX', 'SPXW']
  const rootOf = (symbol: string) => symbol.slice(0, 6).trim()
  if (symbols === 'ALL_SYMBOLS') return { isWanted: () => true, isWhole: true }
  const names = symbols.split(',')
  if (names.length > SYMBOLS_MAX) {
    throw refuse(400, 'bad_request', `At most ${SYMBOLS_MAX} symbols can be requested.`)
  }
  if (!['raw_symbol', 'parent', 'instrument_id'].includes(stype_in)) {
    const message = `Unable to process symbology with parameters: \`stype_in=${stype_in}\`.`
    throw refuse(422, 'symbology_invalid_request', message)
  }
  const isParent = stype_in === 'parent'
  if (isParent && !names.every(name => /^[A-Z]{1,6}\.OPT$/.test(name))) {
    throw refuse(400, 'symbology_invalid_symbol', `Invalid parent symbol in '${symbols}'.`)
  }
  const isFound = (name: string) =>
    stype_in === 'instrument_id' || roots.includes(isParent ? name.slice(0, -4) : rootOf(name))
  const found = names.filter(isFound)
  if (found.length === 0) {
    throw refuse(422, 'symbology_invalid_request', 'None of the symbols could be resolved.')
  }
  const wanted = new Set(isParent ? found.map(name => name.slice(0, -4)) : found)
  const isWanted = (row: VendorRow) => {
    if (isParent) return wanted.has(rootOf(String(row.symbol)))
    return wanted.has(String(stype_in === 'raw_symbol' ? row.symbol : row.instrument_id))
  }
  return { isWanted, isWhole: found.length === names.length }
}

function readFlag(values: Record<string, string>, name: string): boolean {
  const text = values[name] ?? 'false'
  if (/^(true|1)$/i.test(text)) return true
  if (/^(false|0)$/i.test(text)) return false
  const msg = 'Input should be a valid boolean, unable to interpret input'
  throw new Refused(422, [{ loc: ['body', name], msg, type: 'bool_parsing' }])
}

type Records = Setting & { readonly fault: RowFault }

async function serveRecords(
  method: string,
  stated: Record<string, string>,
  setting: Records,
): Promise<Reply> {
  const { options, fault, state } = setting
  readSymbols(stated, options)
  readRange(stated, setting)
  const values = { ...stated, ...fault.instead }
  const schema = values.schema ?? 'trades'
  if (!Object.hasOwn(DATABENTO_SCHEMAS, schema)) {
    const message = `The schema '${schema}' is not available for ${DATASET} on this test server.`
    throw refuse(400, 'data_schema_not_available', message)
  }
  const { columns, prices, times, bytes }: SchemaShape =
    DATABENTO_SCHEMAS[schema as DatabentoSchema]
  const range = readRange(values, setting)
  const { isWanted, isWhole } = readSymbols(values, options)
  const limit = readLimit(values)
  const tables = chooseTables(options.records?.[schema as DatabentoSchema], range)
  const isInRange = (row: VendorRow) => {
    const at = String(row.ts_recv)
    return at >= range.start && at < range.end && isWanted(row)
  }
  const usd = (count: number) => (count * bytes * (options.usdPerGb ?? 5)) / 2 ** 30
  if (method !== 'timeseries.get_range') {
    if (tables.some(isRaw)) throw new Error('records that are raw bytes have no count')
    let count = 0
    for await (const _ of filterRows(tables as Rows[], isInRange)) if (++count >= limit) break
    if (method === 'metadata.get_record_count') return json(count)
    return json(method === 'metadata.get_billable_size' ? count * bytes : usd(count))
  }
  if (options.account === 'insufficient_funds') {
    throw refuse(402, 'account_insufficient_funds', 'Insufficient funds to complete the request.')
  }
  const { encoding = 'csv', compression = 'none' } = values
  if (encoding !== 'csv') {
    throw refuse(400, 'bad_request', `This test server serves csv, not \`encoding=${encoding}\`.`)
  }
  if (compression !== 'none' && compression !== 'zstd') {
    throw refuse(400, 'bad_request', `Invalid \`compression\`: '${compression}'.`)
  }
  const isPrettyPrice = readFlag(values, 'pretty_px')
  const isPrettyTime = readFlag(values, 'pretty_ts')
  const hasSymbol = readFlag(values, 'map_symbols')
  const counted = async function* () {
    let count = 0
    for await (const row of filterRows(tables as Rows[], isInRange)) {
      if (count >= limit) return
      count++
      state.spentUsd += usd(1)
      yield row
    }
  }
  const format = (column: string, value: string | number): string => {
    if (!isPrettyPrice && prices.includes(column)) {
      return value === '' ? UNDEFINED_PRICE : toNanoUnits(String(value))
    }
    if (!isPrettyTime && times.includes(column)) {
      return value === '' ? UNDEFINED_TIME : toNanos(String(value))
    }
    return String(value)
  }
  const raw = tables.find((table): table is RawBody => isRaw(table))
  const shown = hasSymbol ? [...columns, 'symbol'] : columns
  const plain = raw ? raw.raw() : writeCsv(counted(), { columns: shown, end: '\n', format, fault })
  const isZstd = compression === 'zstd'
  return {
    status: isWhole ? 200 : 206,
    headers: {
      'content-type': isZstd ? 'application/zstd' : 'text/csv',
      ...warnOf(range, setting),
    },
    body: isZstd ? compress(plain, 'zstd') : plain,
  }
}

function readLimit(values: Record<string, string>): number {
  if (values.limit === undefined) return Number.POSITIVE_INFINITY
  if (/^[1-9]\d*$/.test(values.limit)) return Number(values.limit)
  throw refuse(422, 'bad_request', `Invalid \`limit\`: '${values.limit}'.`)
}

/** Tables of the UTC days that a range touches, oldest first. */
function chooseTables(days: Days | undefined, range: { start: string; end: string }): Table[] {
  const last = new Date(Date.parse(range.end) - 1).toISOString().slice(0, 10)
  return [...(days ?? new Map<string, Table>())]
    .filter(([day]) => day >= range.start.slice(0, 10) && day <= last)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, table]) => table)
}

/** The header that names degraded days of a range. */
function warnOf(range: { start: string; end: string }, setting: Setting): Record<string, string> {
  const degraded = [...setting.conditions]
    .filter(([day, { condition }]) => {
      return condition === 'degraded' && day >= range.start.slice(0, 10) && day < range.end
    })
    .map(([day]) => `${day} (degraded)`)
  if (degraded.length === 0) return {}
  const text = `The streaming request contained one or more days which have reduced quality: ${degraded.join(', ')}.`
  return { 'x-warning': JSON.stringify([`Warning: ${text}`]) }
}
