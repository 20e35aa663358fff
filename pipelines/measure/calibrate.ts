/** Makes the calibration of sides, `data/reference/side_calibration.csv`, from simulated tapes. */

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import { REFERENCE_FOLDER } from '../../src/core/engine/sql.ts'
import { buildFold } from '../build/fold.ts'
import { runCommand } from '../command/command.ts'
import { DEFAULT_OPTIONS, type SimulateOptions } from '../simulate/options.ts'
import { runSimulate } from '../simulate/simulate.ts'
import { loadTruth } from './loadTruth.ts'
import { fitSides, type SideRow, type SideSample } from './sideFit.ts'

type Tape = Pick<SimulateOptions, 'seed' | 'tape' | 'hasConditions' | 'prints'>

/** Seeds from here on are the calibration's alone: nothing may be graded on them. */
const FIRST_CALIBRATION_SEED = 9_001

/** Customers of all tapes cross, meet in the middle or wait with limit orders alike. */
const KINDS = [
  { tape: 'calm', hasConditions: true, count: 4 },
  { tape: 'busy', hasConditions: true, count: 4 },
  // of the floor's packages the others have few
  { tape: 'noisy', hasConditions: true, count: 8 },
  // a tape without conditions has the most rows of packages, and the fewest orders to each
  { tape: 'calm', hasConditions: false, count: 4 },
  { tape: 'busy', hasConditions: false, count: 4 },
] as const

/** Simulates and folds one tape and counts which way its orders went. */
async function sampleTape(tape: Tape): Promise<SideSample[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-calibrate-'))
  const db = await openDatabase({ threads: 2, temporaryFolder: join(folder, 'spill') })
  try {
    const out = join(folder, 'session')
    const options = { ...DEFAULT_OPTIONS, hasQuotes: false, ...tape, out }
    await runSimulate(options)
    await loadTruth(db, out, options.date)
    await buildFold(db)
    for (const model of ['exact_legs', 'side_orders', 'side_samples']) {
      await db.build(`measure/${model}`)
    }
    return (await db.rows('from measure.side_samples')) as SideSample[]
  } finally {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const csvText = (rows: readonly SideRow[]): string =>
  ['evidence,place,probability,orders', ...rows.map(row => Object.values(row).join(','))]
    .map(line => `${line}\n`)
    .join('')

/** Writes a file whole or not at all. */
function replaceFile(name: string, text: string): void {
  const file = join(REFERENCE_FOLDER, name)
  writeFileSync(`${file}.partial`, text)
  renameSync(`${file}.partial`, file)
}

if (import.meta.main) {
  runCommand(async () => {
    const { values } = parseArgs({ options: { prints: { type: 'string', default: '1000000' } } })
    const prints = Number(values.prints)
    if (!Number.isInteger(prints) || prints < 10_000) {
      throw new Refusal(`--prints is ${values.prints}; give 10000 or more, such as 1000000.`)
    }
    const kinds = KINDS.flatMap(({ count, ...kind }) => Array(count).fill(kind))
    const tapes: Tape[] = kinds.map((kind, index) => ({
      seed: FIRST_CALIBRATION_SEED + index,
      ...kind,
      prints,
    }))
    const samples: SideSample[] = []
    for (const tape of tapes) {
      process.stderr.write(`  simulating and folding: ${JSON.stringify(tape)}\n`)
      samples.push(...(await sampleTape(tape)))
    }
    const rows = fitSides(samples)
    replaceFile('side_calibration.csv', csvText(rows))
    const { date, contracts, stamps } = DEFAULT_OPTIONS
    const note = {
      made_by: 'npx node pipelines/measure/calibrate.ts',
      date,
      contracts,
      stamps,
      tapes,
    }
    replaceFile('side_calibration.json', `${JSON.stringify(note, null, 2)}\n`)
    process.stdout.write(`${rows.length} rows in data/reference/side_calibration.csv\n`)
  })
}
