import { join } from 'node:path'
import { systemClock } from '../../src/core/clock.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { openCatalog } from '../../src/data/published/catalog.ts'
import { dropSimulatedTape } from '../../src/data/tape/manifest.ts'
import { ledgerTable } from '../../src/orders/ledgerTable.ts'
import { buildDay } from '../build/day.ts'
import { runLabColumnsStep } from '../build/labColumns.ts'
import { commandProgress } from '../command/command.ts'
import type { Progress } from '../command/progress.ts'
import { runGeoImport } from '../import/geo.ts'
import { simulateGeoWeek } from './geoWeek.ts'
import { importDataset, SIMULATED_FILES } from './importSimulated.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import type { DEMO_SESSION } from './rows.ts'
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
          'Of a real day you may have open interest alone: --without-positions shows what is known then.'
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
