import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { REFERENCE_FOLDER } from '../../src/core/engine/sql.ts'
import { openCatalog } from '../../src/data/published/catalog.ts'
import { dropSimulatedTape } from '../../src/data/tape/manifest.ts'
import { ledgerTable } from '../../src/orders/ledgerTable.ts'
import { buildDay } from '../build/day.ts'
import { runLabColumnsStep } from '../build/labColumns.ts'
import { runCommand } from '../command/command.ts'
import { type Progress, progressOn } from '../command/progress.ts'
import { runGeoImport } from '../import/geo.ts'
import { runImport } from '../import/import.ts'
import { simulateGeoWeek } from './geoWeek.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { runSimulate, TAPE_FILES } from './simulate.ts'

/** Orders that the demo shows. */
const TOP = 15

/** The day the demo simulates, and the Monday of its week. */
const DEMO_DAY = '2026-10-15'
const DEMO_MONDAY = '2026-10-12'

/** Simulates a session, takes it onto the tape, builds it and shows the top of its ledger. */
async function runDemo(options: {
  readonly dataFolder: string
  readonly prints: number
  readonly progress: Progress
}): Promise<void> {
  const { dataFolder, prints, progress } = options
  progress.say(`simulated SPX session of ${DEMO_DAY}, about ${prints} prints`)
  await withWorkFolder(dataFolder, 'simulated', async out => {
    const { folder } = await progress.step('simulate customers, quotes and prints', () =>
      runSimulate({ ...DEFAULT_OPTIONS, date: DEMO_DAY, prints, out }),
    )
    dropSimulatedTape(dataFolder, DEMO_DAY)
    for (const name of TAPE_FILES) {
      const format = name.replace('_', '-')
      const files = [join(folder, `${name}.parquet`)]
      await progress.step(`import the ${format}`, () =>
        runImport({ dataFolder, format, files, simulated: true }),
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
    'The dealers start the day with positions guessed from open interest; with such a guess\nthe ' +
      `true flip was within its stated 90 % error bar in ${guessedShare()} of the minutes: ` +
      'import dealer-positions for measured ones.',
  )
  progress.say(`Ask more of it: npm run tapefold -- sql "from orders" --data ${dataFolder}`)
}

/**
 * Share of true flips within the stated confidence interval where dealers' positions are a guess.
 */
function guessedShare(): string {
  const record = JSON.parse(readFileSync(join(REFERENCE_FOLDER, 'accuracy.json'), 'utf8'))
  const books: Record<string, unknown>[] = record.report.levels.books
  const guessed = books.find(
    book => book.inventory === 'open interest' && book.book_basis === 'measured',
  )!
  return `${(100 * Number(guessed.covered_share)).toFixed(0)} %`
}

const USAGE = `usage: tapefold demo [--once] [--prints N] [--port N] [--speed N] ... [--data DIR]

Simulates a full SPX session, builds it, shows the top of its ledger, and serves it with a key as
if it ran now: its clock starts at 09:31.
Its data folder is data/demo unless --data or TAPEFOLD_DATA names another.

  --once       stops after the table
  --prints N   about how many prints to simulate (250000)
  --port N     the port of the API (8080, or TAPEFOLD_PORT)
  --speed N    how many seconds of the session go by in one of yours, 0 to 3600 (60)
  --history N  sessions for LAB to test rules on, made in the background, 0 to 1000 (250)
`

if (import.meta.main) {
  runCommand(async () => {
    const { values } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      options: { data: { type: 'string', default: 'data' }, prints: { type: 'string' } },
    })
    const prints = Number(values.prints ?? 250_000)
    if (!Number.isInteger(prints) || prints < 1_000) {
      throw new UsageError(
        `--prints is ${values.prints}; give a whole number of 1000 or more, such as 250000.`,
      )
    }
    await runDemo({
      dataFolder: values.data,
      prints,
      progress: progressOn(process.stdout, systemClock),
    })
  })
}
