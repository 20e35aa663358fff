import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addDays } from '../../src/core/market/calendar.ts'
import { createChoice, createRandom, type Random } from './random.ts'

/** A small week of public records in the forms of their sources: all of it is invented. */

/** FIPS codes of countries, each with its share of the reports. */
const drawCountry = createChoice([
  ['UP', 9],
  ['IS', 7],
  ['US', 6],
  ['RS', 5],
  ['IR', 4],
  ['CH', 3],
  ['SU', 3],
  ['FR', 2],
  ['IN', 2],
  ['MX', 1],
  ['NI', 1],
  ['UK', 1],
] as const)

/** CAMEO roots with their quad class and their value on Goldstein's scale. */
const KINDS = [
  ['11', 3, -2],
  ['12', 3, -4],
  ['13', 3, -6],
  ['14', 4, -6.5],
  ['17', 4, -7],
  ['19', 4, -10],
  // cooperation, which an import leaves out
  ['04', 1, 1],
  ['05', 2, 5],
] as const

/** Releases of the week, by FRED's numbers: the day counts from Monday. */
const RELEASES = [
  { id: 192, name: 'Job Openings and Labor Turnover Survey', day: 1 },
  { id: 10, name: 'Consumer Price Index', day: 2 },
  { id: 180, name: 'Unemployment Insurance Weekly Claims Report', day: 3 },
  { id: 97, name: 'New Residential Sales', day: 3 },
  { id: 13, name: 'G.17 Industrial Production and Capacity Utilization', day: 4 },
]

const QUARTERS = 7 * 96
const QUARTER_MS = 900_000
const ROWS_OF_QUARTER = 4

/** Writes a week, from its Monday, into a folder; returns its files by their formats. */
export function simulateGeoWeek(
  folder: string,
  monday: string,
): readonly { readonly format: string; readonly file: string }[] {
  const random = createRandom(1, `geo ${monday}`)
  const lines = Array.from({ length: QUARTERS }, (_, quarter) => {
    const atMs = Date.parse(monday) + quarter * QUARTER_MS
    return Array.from({ length: ROWS_OF_QUARTER }, (_, row) =>
      eventLine(random, atMs, quarter * ROWS_OF_QUARTER + row),
    )
  }).flat()
  const dates = RELEASES.map(({ id, name, day }) => {
    return { release_id: id, release_name: name, date: addDays(monday, day) }
  })
  const files = [
    { format: 'gdelt-events', file: join(folder, 'events.csv'), text: `${lines.join('\n')}\n` },
    {
      format: 'fred-release-dates',
      file: join(folder, 'releases.json'),
      text: JSON.stringify({ release_dates: dates }),
    },
  ]
  for (const { file, text } of files) writeFileSync(file, text)
  return files.map(({ format, file }) => ({ format, file }))
}

const COLUMNS = 61

/** Formats an event as in GDELT 2.0, with the columns that an import reads. */
function eventLine(random: Random, atMs: number, number: number): string {
  const [root, quad, goldstein] = random.pick(KINDS)
  const stamp = new Date(atMs).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const cells = new Array<string>(COLUMNS).fill('')
  cells[0] = String(9_000_000_000 + number)
  cells[1] = stamp.slice(0, 8)
  cells[28] = root
  cells[29] = String(quad)
  cells[30] = goldstein.toFixed(1)
  cells[31] = String(Math.round(2 + random.exponential(20)))
  cells[53] = drawCountry(random)
  cells[59] = stamp
  cells[60] = `https://example.com/simulated/${number}`
  return cells.join('\t')
}
