import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/core/clock.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { addDays } from '../../src/core/market/calendar.ts'
import { openCatalog } from '../../src/data/published/catalog.ts'
import { dropSimulatedTape } from '../../src/data/tape/manifest.ts'
import { ledgerTable } from '../../src/orders/ledgerTable.ts'
import { buildDay } from '../build/day.ts'
import { runLabColumnsStep } from '../build/labColumns.ts'
import { commandProgress } from '../command/command.ts'
import type { Progress } from '../command/progress.ts'
import { runGeoImport } from '../import/geo.ts'
import { importDataset, SIMULATED_FILES } from './importSimulated.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { createChoice, createRandom, type Random } from './random.ts'
import type { DEMO_SESSION } from './rows.ts'
import { runSimulate, TAPE_FILES } from './simulate.ts'

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

/** Orders that the demo shows. */
const TOP = 15

/** The day the demo simulates, and the Monday of its week. */
const DEMO_DAY = '2026-10-15'
const DEMO_MONDAY = '2026-10-12'

/** Simulates a session, takes it onto the tape, builds it and shows the top of its ledger. */
async function runDemo(options: {
  readonly dataFolder: string
  readonly prints: number
  /** Imports the dealers' simulated positions at the open. */
  readonly hasPositions: boolean
  readonly progress: Progress
}): Promise<void> {
  const { dataFolder, prints, hasPositions, progress } = options
  progress.say(`simulated SPX session of ${DEMO_DAY}, about ${prints} prints`)
  await withWorkFolder(dataFolder, 'simulated', async out => {
    const { folder } = await progress.step('simulate customers, quotes and prints', () =>
      runSimulate({ ...DEFAULT_OPTIONS, date: DEMO_DAY, prints, out }),
    )
    dropSimulatedTape(dataFolder, DEMO_DAY)
    for (const name of hasPositions ? SIMULATED_FILES : TAPE_FILES) {
      await progress.step(`import the ${name.replaceAll('_', '-')}`, () =>
        importDataset(dataFolder, name, join(folder, `${name}.parquet`)),
      )
    }
    for (const { format, file } of simulateGeoWeek(out, DEMO_MONDAY)) {
      await progress.step(`import a simulated week of ${format}`, () =>
        runGeoImport({ dataFolder, format, files: [file], simulated: true }),
      )
    }
  })
  const manifest = await buildDay({ dataFolder, date: DEMO_DAY, progress })
  await runLabColumnsStep(dataFolder, DEMO_DAY, progress)
  const { orders, prints: tape } = manifest.datasets
  progress.say(`\n${tape!.rows} prints are ${orders!.rows} orders. The top of the ledger:\n`)
  const catalog = openCatalog({ dataFolder, nowMs: systemClock.nowMs, log: { error: () => {} } })
  const { bytes } = await catalog.readLedger(manifest, 'json')
  progress.say(ledgerTable(JSON.parse(Buffer.from(bytes).toString()), TOP).trimEnd())
  progress.say(
    hasPositions
      ? 'The dealers start the day with positions that the simulator knows, and that were imported.\n' +
          'For a real day you may only have open interest: --without-positions shows what is known then.'
      : 'The dealers start the day with positions that nobody knows: no flip is named, only that of\n' +
          'the convention (book oi). Without this option the demo imports them.',
  )
  progress.say(`Ask more of it: npm run tapefold -- sql "from orders" --data ${dataFolder}`)
}

/** Makes the session that `tapefold demo` serves. */
export const demosessionCommand = (input: Input<typeof DEMO_SESSION>): Promise<void> =>
  runDemo({
    dataFolder: input.data,
    prints: Number(input.prints),
    hasPositions: !input['without-positions'],
    progress: commandProgress(),
  })
