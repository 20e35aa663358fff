// A test server of FRED's release dates.
//
// Documents, read on 2026-11-27 in stored copies:
// - https://fred.stlouisfed.org/docs/api/fred/releases_dates.html (by way of the manual of fredr, which
//   repeats it): limit 1 to 1000 (default 1000), sort desc, order_by release_date, release_id or
//   release_name, `realtime_start` from the first day of the year, `realtime_end` 9999-12-31,
//   `include_release_dates_with_no_data` false: dates without data yet, such as future ones, are left
//   out.
// - https://research.stlouisfed.org/docs/api/fred/release_dates.html: `release_id` required, limit 1
//   to 10000 (default 10000), sort asc, `realtime_start` from 1776-07-04. XML unless file_type=json.
// - https://fred.stlouisfed.org/docs/api/api_key.html: 32 characters, lower-case letters and digits.
// - https://fred.stlouisfed.org/docs/api/fred/errors.html: 400, 404, 423, 429, 500 with
//   {"error_code","error_message"}; texts as public clients recorded them (two spaces after "Bad
//   Request.").
//
// Silent: Retry-After of a 429 (none here) and its limit (120 a minute here, as clients report);
// unknown parameters (400 here); the code of an unknown release (400 here). A wrong key is a 400, not
// a 401.

import type { Fault } from './faults.ts'
import { type Call, type Reply, type RowFault, type Source, startServing } from './serve.ts'

export type ReleaseDate = {
  readonly release_id: number
  readonly release_name: string
  /** YYYY-MM-DD. */
  readonly date: string
  /** False for a date that has no data yet, such as a future one. */
  readonly hasData?: boolean
}

export type FredOptions = {
  readonly dates?: readonly ReleaseDate[]
  readonly keys?: readonly string[]
  /** Day of the server, whose year is the default of `realtime_start`. */
  readonly today?: string
  readonly perMinute?: number
  readonly faults?: readonly Fault[]
}

export const FRED_KEY = 'abcdefghijklmnopqrstuvwxyz123456'

const DAY = /^\d{4}-\d{2}-\d{2}$/

type Endpoint = {
  readonly parameters: readonly string[]
  readonly limitMax: number
  readonly sort: 'asc' | 'desc'
}

const COMMON = [
  'api_key',
  'file_type',
  'realtime_start',
  'realtime_end',
  'limit',
  'offset',
  'sort_order',
  'include_release_dates_with_no_data',
]

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  '/fred/releases/dates': { parameters: [...COMMON, 'order_by'], limitMax: 1000, sort: 'desc' },
  '/fred/release/dates': { parameters: [...COMMON, 'release_id'], limitMax: 10_000, sort: 'asc' },
}

/** An error of the API. */
class Refused {
  readonly status: number
  readonly message: string
  constructor(status: number, message: string) {
    this.status = status
    this.message = message
  }
}

const bad = (text: string) => new Refused(400, `Bad Request.  ${text}`)

/** Starts the API on a free port. */
export async function startFred(options: FredOptions = {}): Promise<Source> {
  const calls: number[] = []
  return startServing({
    faults: options.faults,
    secrets: ['api_key'],
    handle: (call, fault) => {
      const isJson = call.query.get('file_type') === 'json'
      try {
        return serve(call, { options, calls, fault })
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        const { status, message } = error
        const body = isJson
          ? JSON.stringify({ error_code: status, error_message: message })
          : `<?xml version="1.0" encoding="utf-8" ?>\n<error code="${status}" message="${message}" />\n`
        return { status, headers: { 'content-type': typeOf(isJson) }, body }
      }
    },
  })
}

const typeOf = (isJson: boolean) =>
  isJson ? 'application/json; charset=UTF-8' : 'text/xml; charset=UTF-8'

type Setting = {
  readonly options: FredOptions
  readonly calls: number[]
  readonly fault: RowFault
}

function serve(call: Call, { options, calls, fault }: Setting): Reply {
  const endpoint = ENDPOINTS[call.path]
  if (!endpoint || call.method !== 'GET') throw new Refused(404, 'Not Found')
  const values: Record<string, string> = {}
  for (const [name, value] of call.query) {
    if (!endpoint.parameters.includes(name)) throw bad(`Variable ${name} is not known.`)
    values[name] = value
  }
  checkKey(values.api_key, options)
  countCall(calls, options)
  Object.assign(values, fault.instead)
  const isOne = endpoint.parameters.includes('release_id')
  const { sort_order = endpoint.sort, order_by = 'release_date', file_type = 'xml' } = values
  if (isOne && !/^\d+$/.test(values.release_id ?? '')) throw bad('Variable release_id is not set.')
  if (!['asc', 'desc'].includes(sort_order))
    throw bad('Variable sort_order is not one of the values: asc, desc.')
  if (!['release_date', 'release_id', 'release_name'].includes(order_by)) {
    throw bad('Variable order_by is not one of the values: release_date, release_id, release_name.')
  }
  if (!['xml', 'json'].includes(file_type))
    throw bad('Variable file_type is not one of the values: xml, json.')
  const limit = readCount('limit', values.limit, [1, endpoint.limitMax, endpoint.limitMax])
  const offset = readCount('offset', values.offset, [0, Number.MAX_SAFE_INTEGER, 0])
  const year = (options.today ?? '2026-01-01').slice(0, 4)
  const start = readDate(
    'realtime_start',
    values.realtime_start ?? (isOne ? '1776-07-04' : `${year}-01-01`),
  )
  const end = readDate('realtime_end', values.realtime_end ?? '9999-12-31')
  const hasAll = values.include_release_dates_with_no_data === 'true'
  const known = (options.dates ?? []).filter(
    each => !isOne || each.release_id === Number(values.release_id),
  )
  if (isOne && known.length === 0) throw bad('The release does not exist.')
  const found = known
    .filter(each => each.date >= start && each.date <= end && (hasAll || each.hasData !== false))
    .sort((one, other) => compare(one, other, order_by) * (sort_order === 'asc' ? 1 : -1))
  const page = found.slice(offset, offset + limit)
  const frame = {
    realtime_start: start,
    realtime_end: end,
    order_by,
    sort_order,
    count: found.length,
    offset,
    limit,
  }
  const isJson = file_type === 'json'
  const body = isJson ? writeJson(frame, page, { isOne, fault }) : writeXml(frame, page, isOne)
  return { status: 200, headers: { 'content-type': typeOf(isJson) }, body }
}

function checkKey(key: string | undefined, { keys = [FRED_KEY] }: FredOptions): void {
  const more = 'Read https://fred.stlouisfed.org/docs/api/api_key.html for more information.'
  if (key === undefined) throw bad(`Variable api_key is not set.  ${more}`)
  if (!/^[a-z0-9]{32}$/.test(key)) {
    const text =
      'The value for variable api_key is not a 32 character alpha-numeric lower-case string.'
    throw bad(`${text}  ${more}`)
  }
  if (!keys.includes(key)) throw bad('The value for variable api_key is not registered.')
}

function countCall(calls: number[], { perMinute = 120 }: FredOptions): void {
  const now = performance.now()
  while (calls.length > 0 && calls[0]! <= now - 60_000) calls.shift()
  if (calls.length >= perMinute) throw new Refused(429, 'Too Many Requests.  Exceeded Rate Limit')
  calls.push(now)
}

function readCount(
  name: string,
  text: string | undefined,
  [low, high, standard]: readonly [number, number, number],
): number {
  if (text === undefined) return standard
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= low && value <= high) return value
  throw bad(`Variable ${name} is not between ${low} and ${high}.`)
}

function readDate(name: string, text: string): string {
  if (DAY.test(text)) return text
  throw bad(`Variable ${name} is not a YYYY-MM-DD formatted date string.`)
}

function compare(one: ReleaseDate, other: ReleaseDate, by: string): number {
  const keyOf = ({ date, release_id, release_name }: ReleaseDate) =>
    by === 'release_id'
      ? String(release_id).padStart(9, '0')
      : by === 'release_name'
        ? release_name
        : date
  const tie = one.release_id - other.release_id
  return keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : tie
}

type Writing = { readonly isOne: boolean; readonly fault: RowFault }

function writeJson(frame: object, page: readonly ReleaseDate[], { isOne, fault }: Writing): string {
  const release_dates = page.map(({ release_id, release_name, date }) => {
    const entry = isOne ? { release_id, date } : { release_id, release_name, date }
    return Object.fromEntries(
      Object.entries(entry)
        .filter(([name]) => fault.columns?.[name] !== null)
        .map(([name, value]) => [fault.columns?.[name] ?? name, value]),
    )
  })
  return JSON.stringify({ ...frame, release_dates })
}

function writeXml(frame: object, page: readonly ReleaseDate[], isOne: boolean): string {
  const attributes = Object.entries(frame).map(([name, value]) => `${name}="${value}"`)
  const lines = page.map(({ release_id, release_name, date }) => {
    const name = isOne ? '' : ` release_name="${release_name.replaceAll('&', '&amp;')}"`
    return `<release_date release_id="${release_id}"${name}>${date}</release_date>\n`
  })
  return `<?xml version="1.0" encoding="utf-8" ?>\n<release_dates ${attributes.join(' ')}>\n${lines.join('')}</release_dates>\n`
}
