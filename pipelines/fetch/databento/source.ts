/**
 * Databento's historical service: RPC by HTTPS, the key as user of basic authentication.
 * Read in databento.com/docs (HTTP API 0.36.0, 2026-04-21): timeseries.get_range,
 * metadata.get_cost, metadata.get_billable_size, metadata.get_dataset_condition, "Rate limits",
 * "Errors". Definitions are not needed: the symbols come mapped.
 */

import { z } from 'zod'
import {
  addDays,
  instantMs,
  MINUTE_MS,
  neighbourSession,
  type SessionDate,
} from '../../../src/core/market/calendar.ts'
import { parseJson } from '../../../src/data/dictionary/manifestText.ts'
import { explainStatus, oneSentence } from '../explain.ts'
import {
  type DataSource,
  type FailedResponse,
  FetchProblem,
  type Part,
  type Price,
  partName,
  type SmallCall,
} from '../source.ts'
import {
  dayWindows,
  sessionWindows,
  type TimeWindow,
  windowInstants,
  windowName,
} from '../windows.ts'

const NAME = 'databento'
const DATASET = 'OPRA.PILLAR'
const SYMBOLS = 'SPX.OPT,SPXW.OPT'
/** Minutes of a window of trades, and of one of quotes. */
const TRADE_MINUTES = 120
const QUOTE_MINUTES = 60

const COLUMNS = {
  tcbbo: ['ts_recv', 'ts_event', 'publisher_id', 'price', 'size', 'symbol'],
  'cbbo-1m': ['ts_recv', 'bid_px_00', 'ask_px_00', 'symbol'],
  statistics: ['ts_recv', 'stat_type', 'quantity', 'symbol'],
} as const
type Schema = keyof typeof COLUMNS

const isoSeconds = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`

/** Fields that select rows; the same for their price and for themselves. */
const selection = (schema: Schema, fromMs: number, toMs: number) => ({
  dataset: DATASET,
  symbols: SYMBOLS,
  stype_in: 'parent',
  schema,
  start: isoSeconds(fromMs),
  end: isoSeconds(toMs),
})

type Request = {
  readonly day: SessionDate
  readonly schema: Schema
  readonly name: string
  readonly window: TimeWindow
  readonly usualBytes: number
}

function toPart({ day, schema, name, window, usualBytes }: Request): Part {
  const [fromMs, toMs] = windowInstants(window)
  return {
    day,
    file: `databento-${schema}${name}.csv.zst`,
    format: `databento-${schema}`,
    session: day,
    request: {
      method: 'POST',
      path: '/v0/timeseries.get_range',
      fields: {
        ...selection(schema, fromMs, toMs),
        encoding: 'csv',
        compression: 'zstd',
        pretty_px: 'true',
        pretty_ts: 'true',
        map_symbols: 'true',
      },
    },
    content: {
      kind: 'table',
      rules: {
        columns: COLUMNS[schema],
        judge: cell => {
          const atMs = Date.parse(cell('ts_recv'))
          if (atMs >= fromMs && atMs < toMs) return null
          return `has a row of ${cell('ts_recv')}, which is not in ${isoSeconds(fromMs)} to ${isoSeconds(toMs)}`
        },
      },
    },
    isRanged: false,
    mayBeEmpty: window.mayBeEmpty,
    usualBytes,
  }
}

const planDay = (day: SessionDate): Part[] => [
  toPart({
    day,
    schema: 'statistics',
    name: '',
    // open interest comes out before the open
    window: { date: day, from: '00:00', to: '09:30', mayBeEmpty: false },
    usualBytes: 500_000,
  }),
  ...sessionWindows(day, TRADE_MINUTES).map(window =>
    toPart({
      day,
      schema: 'tcbbo',
      name: `-${windowName(day, window)}`,
      window,
      usualBytes: window.mayBeEmpty ? 300_000 : 6_000_000,
    }),
  ),
  ...dayWindows(day, QUOTE_MINUTES).map(window =>
    toPart({
      day,
      schema: 'cbbo-1m',
      name: `-${windowName(day, window)}`,
      window,
      usualBytes: 24_000_000,
    }),
  ),
]

/** Reasons of the service, by its own names of cases. */
const CASES: readonly (readonly [RegExp, FetchProblem['kind']])[] = [
  [/after_available|not_available|unavailable_range|pending/, 'not_yet'],
  [/before_available|no_data|missing/, 'no_data'],
  [/insufficient|license|subscription|permission|unauthorized|entitle/, 'no_permission'],
]

const Detail = z.object({
  detail: z.union([
    z.string(),
    z.looseObject({ case: z.string().optional(), message: z.string().optional() }),
  ]),
})

function explain(failed: FailedResponse): FetchProblem {
  const parsed = Detail.safeParse(parseJson(failed.text))
  const { status } = failed
  // hours without rows are a table without lines: what is not found says nothing about them
  if (status === 404) return new FetchProblem('bad_request', `${NAME} has no such data set (404).`)
  if (!parsed.success || status === 401 || status === 429 || status >= 500)
    return explainStatus(NAME, failed)
  const { detail } = parsed.data
  const name = typeof detail === 'string' ? '' : (detail.case ?? '')
  const message = typeof detail === 'string' ? detail : (detail.message ?? name)
  const known = CASES.find(([pattern]) => pattern.test(name))?.[1]
  const kind = known ?? (status === 402 || status === 403 ? 'no_permission' : 'bad_request')
  return new FetchProblem(kind, `${NAME} refuses (${status}): ${oneSentence(message)}.`)
}

type Span = {
  readonly schema: Schema
  readonly from: string
  readonly to: string
  readonly lastDay: SessionDate
}

/** Spans of requests: those of a schema and of consecutive sessions are one. */
function listSpans(parts: readonly Part[]): Span[] {
  const spans: Span[] = []
  const requests = parts
    .map(({ day, request: { fields } }) => ({
      day,
      schema: fields.schema as Schema,
      from: fields.start!,
      to: fields.end!,
    }))
    .toSorted((a, b) => (`${a.schema} ${a.from}` < `${b.schema} ${b.from}` ? -1 : 1))
  for (const { day, schema, from, to } of requests) {
    const last = spans.at(-1)
    const isNext =
      last?.schema === schema &&
      (day === last.lastDay || day === neighbourSession(last.lastDay, 1).date)
    if (last && isNext) spans[spans.length - 1] = { ...last, to, lastDay: day }
    else spans.push({ schema, from, to, lastDay: day })
  }
  return spans
}

/** Asks the price of requests; the hours between two sessions count as theirs. */
async function price(parts: readonly Part[], call: SmallCall): Promise<Price> {
  let usd = 0
  let bytes = 0
  for (const { schema, from, to } of listSpans(parts)) {
    const fields = selection(schema, Date.parse(from), Date.parse(to))
    usd += await readNumber(call, 'metadata.get_cost', fields)
    bytes += await readNumber(call, 'metadata.get_billable_size', fields)
  }
  return { usd, bytes }
}

async function readNumber(
  call: SmallCall,
  name: string,
  fields: Readonly<Record<string, string>>,
): Promise<number> {
  const text = await call({ method: 'GET', path: `/v0/${name}`, fields })
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new FetchProblem(
    'wrong_content',
    `${NAME} sends no number for ${name}: ${text.slice(0, 60)}.`,
  )
}

const Conditions = z.array(
  z.looseObject({
    date: z.string(),
    condition: z.string(),
    last_modified_date: z.string().nullish(),
  }),
)

/** Versions by the date on which the service changed a day last. */
async function versions(parts: readonly Part[], call: SmallCall) {
  const days = parts.map(({ day }) => day).sort()
  const text = await call({
    method: 'GET',
    path: '/v0/metadata.get_dataset_condition',
    fields: { dataset: DATASET, start_date: days[0]!, end_date: days.at(-1)! },
  })
  const parsed = Conditions.safeParse(parseJson(text))
  if (!parsed.success)
    throw new FetchProblem('wrong_content', `${NAME} sends no list of conditions of days.`)
  const changed = new Map(
    parsed.data.map(({ date, condition, last_modified_date }) => [
      date,
      { version: last_modified_date ?? condition, isDegraded: condition === 'degraded' },
    ]),
  )
  return new Map(
    parts.flatMap(part => {
      const version = changed.get(part.day)
      return version === undefined ? [] : [[partName(part), version] as const]
    }),
  )
}

const Warnings = z.array(z.string())

/** Remarks of a success: symbols that are not known on that day, and its own warnings. */
function remarks({ status, header }: Omit<FailedResponse, 'text'>): string[] {
  const text = header('x-warning')
  const warnings = Warnings.safeParse(text === null ? [] : parseJson(text)).data ?? []
  const sentences = warnings.map(
    warning => `${NAME} says: ${oneSentence(warning.replaceAll(/\p{Cc}/gu, ' '))}.`,
  )
  return status === 206
    ? [`${NAME} knows only some of ${SYMBOLS} on that day (206).`, ...sentences]
    : sentences
}

export const DATABENTO: DataSource = {
  name: NAME,
  meaning: 'trades with quotes, minute quotes, open interest; charged by size',
  address: 'https://hist.databento.com',
  keys: [{ name: 'key', variable: 'DATABENTO_API_KEY', example: 'db-0123456789abcdef' }],
  concurrent: 4,
  headTimeoutMs: 5 * MINUTE_MS,
  isBySession: true,
  plan: days => days.flatMap(planDay),
  // the newest 24 hours need a licence for live data
  readyMs: day => instantMs(addDays(day, 1), '17:30'),
  authorize: async (_, { key }) => ({
    authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
  }),
  explain,
  probe: { method: 'GET', path: '/v0/metadata.get_dataset_range', fields: { dataset: DATASET } },
  price,
  versions,
  remarks,
}
