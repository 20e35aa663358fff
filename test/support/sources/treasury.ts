// A test server of the US Treasury's daily par yield curve as CSV.
//
// Documents, read on 2026-11-27 in stored copies:
// - https://home.treasury.gov/resource-center/data-chart-center/interest-rates/TextView?type=
//   daily_treasury_yield_curve: the page whose link "Download CSV" this address is. It has no manual of
//   its own; https://home.treasury.gov/developer-notice-xml-changes describes its XML feed.
// - Recorded files and addresses in public repositories (2024-10 to 2026-10):
//   …/daily-treasury-rates.csv/2024/all?type=daily_treasury_yield_curve&field_tdr_date_value=2024&page
//   &_format=csv for a year, …/all/202410?…&field_tdr_date_value_month=202410… for a month. Header
//   `Date,"1 Mo","1.5 Month","2 Mo",…,"30 Yr"`, days as MM/DD/YYYY, newest first, percent with two
//   digits, no line break behind the last line. The 1.5 months are there since 2025-02, the 4 months since 2022-10, the 2 months since
//   2018-10; a year in which a column begins has empty fields before it.
//
// Silent: a year without rows (200 with the header alone here), a year of the path that is not that of
// the query, and wrong parameters (404 with a web page here), limits, ETag (here, with 304).

import { createHash } from 'node:crypto'
import { csvQuoted } from '../../../src/core/disk/csv.ts'
import type { Fault } from './faults.ts'
import { type Call, type Reply, type RowFault, type Source, startServing } from './serve.ts'
import { encodeReply } from './tables.ts'

/** Yields in percent by the names of the columns, such as "1.5 Month". */
export type Yields = Readonly<Record<string, number>>

export type TreasuryOptions = {
  /** Yields by day, YYYY-MM-DD. */
  readonly yields?: Readonly<Record<string, Yields>>
  readonly faults?: readonly Fault[]
}

export type TreasurySource = Source & {
  /** Publishes the curve of a day, or replaces it. */
  readonly publish: (day: string, yields: Yields) => void
}

/** Columns in their order, each with the day from which it is published. */
const TENORS: readonly (readonly [name: string, from: string])[] = [
  ['1 Mo', '2001-07-31'],
  ['1.5 Month', '2025-02-18'],
  ['2 Mo', '2018-10-16'],
  ['3 Mo', '1990-01-02'],
  ['4 Mo', '2022-10-19'],
  ['6 Mo', '1990-01-02'],
  ['1 Yr', '1990-01-02'],
  ['2 Yr', '1990-01-02'],
  ['3 Yr', '1990-01-02'],
  ['5 Yr', '1990-01-02'],
  ['7 Yr', '1990-01-02'],
  ['10 Yr', '1990-01-02'],
  ['20 Yr', '1993-10-01'],
  ['30 Yr', '1990-01-02'],
]

const FOLDER = '/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv'

const NOT_FOUND: Reply = {
  status: 404,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: '<!DOCTYPE html>\n<html><head><title>Page not found</title></head><body></body></html>\n',
}

/** Starts the site on a free port. */
export async function startTreasury(options: TreasuryOptions = {}): Promise<TreasurySource> {
  const yields = new Map(Object.entries(options.yields ?? {}))
  const source = await startServing({
    faults: options.faults,
    handle: (call, fault) => serve(call, yields, fault),
  })
  return { ...source, publish: (day, curve) => void yields.set(day, curve) }
}

/** The year or month (YYYY, YYYYMM) that a request is for; null where it is wrong. */
function readPeriod(call: Call): string | null {
  const { query, path } = call
  const year = new RegExp(`^${FOLDER}/(\\d{4})/all$`).exec(path)?.[1]
  const month = new RegExp(`^${FOLDER}/all/(\\d{6})$`).exec(path)?.[1]
  const field = year === undefined ? 'field_tdr_date_value_month' : 'field_tdr_date_value'
  const period = year ?? month ?? ''
  const known = ['type', field, 'page', '_format']
  const isRight =
    query.get('type') === 'daily_treasury_yield_curve' &&
    query.get('_format') === 'csv' &&
    query.get(field) === period &&
    [...query.keys()].every(name => known.includes(name))
  return isRight ? period : null
}

function serve(call: Call, yields: ReadonlyMap<string, Yields>, fault: RowFault): Reply {
  const stated = readPeriod(call)
  if (call.method !== 'GET' && call.method !== 'HEAD') return { status: 405 }
  if (stated === null) return NOT_FOUND
  const period = fault.instead?.year ?? stated
  const isWanted = (day: string) => day.replaceAll('-', '').startsWith(period)
  const days = [...yields]
    .filter(([day]) => isWanted(day))
    .sort(([one], [other]) => (one < other ? 1 : -1))
  const newest = days[0]?.[0] ?? '9999-12-31'
  const names = TENORS.filter(([, from]) => from <= newest).map(([name]) => name)
  const shown = names.filter(name => fault.columns?.[name] !== null)
  const header = ['Date', ...shown.map(name => csvQuoted(fault.columns?.[name] ?? name))]
  const lines = days.map(([day, curve]) => {
    const date = `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`
    return [date, ...shown.map(name => curve[name]?.toFixed(2) ?? '')].join(',')
  })
  const body = [header.join(','), ...lines].join('\n')
  const etag = `W/"${createHash('md5').update(body).digest('hex')}"`
  const headers = { 'content-type': 'text/csv; charset=UTF-8', etag }
  if (call.headers['if-none-match'] === etag) return { status: 304, headers }
  return encodeReply({ status: 200, headers, body }, String(call.headers['accept-encoding'] ?? ''))
}
