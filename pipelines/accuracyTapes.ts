/** Simulates one tape, folds it, and compares orders, names and sides with the truth. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/store/duck.ts'
import { measureSides, type SideAccuracy } from './accuracySides.ts'
import { buildFold } from './fold.ts'
import { DEFAULT_OPTIONS, type SimulateOptions } from './simulate/options.ts'
import { runSimulate } from './simulate.ts'
import { loadTruth } from './truth.ts'

export type Scenario = { readonly name: string } & Partial<SimulateOptions>

/** Tapes from easy to hard: without conditions, as some vendors sell them; of useless quotes. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'calm', tape: 'calm' },
  { name: 'busy', tape: 'busy' },
  { name: 'noisy', tape: 'noisy' },
  { name: 'calm, ms stamps', tape: 'calm', stamps: 'ms' },
  { name: 'busy, ms stamps', tape: 'busy', stamps: 'ms' },
  { name: 'noisy, ms stamps', tape: 'noisy', stamps: 'ms' },
  { name: 'calm, no conditions', tape: 'calm', hasConditions: false },
  { name: 'quotes 15 minutes late, stated', quoteDelay: 'stated' },
  { name: 'quotes 15 minutes late, unstated', quoteDelay: 'unstated' },
]

/** Figures by name; null where there is nothing to divide by. */
export type Measures = Readonly<Record<string, number | null>>

/** Agreement of one fold with the true orders of 50 contracts and more. */
export type TapeAccuracy = {
  readonly tape: string
  readonly prints: number
  readonly fold: { readonly all: Measures; readonly electronic: Measures; readonly floor: Measures }
  /** Names of the packages that were folded exactly, and why some are not the true ones. */
  readonly names: Measures
  /** What needs no truth: all packages of the tape, also small ones. */
  readonly quality: Measures
  readonly sides: SideAccuracy
}

export type TapeSize = {
  readonly prints: number
  readonly contracts: number
  readonly seed: number
}

/** Measures one scenario on a tape of its own. */
export async function measureTape(scenario: Scenario, size: TapeSize): Promise<TapeAccuracy> {
  const { name: tape, ...preset } = scenario
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-accuracy-'))
  const db = await openDatabase({ threads: 2, temporaryFolder: join(folder, 'spill') })
  try {
    const out = join(folder, 'session')
    const options = { ...DEFAULT_OPTIONS, hasQuotes: false, ...size, ...preset, out }
    const { printCount: prints } = await runSimulate(options)
    await loadTruth(db, out, options.date)
    await buildFold(db)
    for (const model of ['items', 'all_labels', 'electronic_labels', 'floor_labels']) {
      await db.build(`accuracy/${model}`)
    }
    const [all] = await db.rows("from fold_metrics('accuracy.all_labels')")
    const [electronic] = await db.rows("from fold_metrics('accuracy.electronic_labels')")
    const [floor] = await db.rows("from fold_metrics('accuracy.floor_labels')")
    for (const model of ['exact_legs', 'exact_orders', 'names']) await db.build(`accuracy/${model}`)
    const [names] = await db.rows('from accuracy.names')
    const [quality] = await db.query('views/fold_quality')
    const sides = await measureSides(db)
    return { tape, prints, fold: { all, electronic, floor }, names, quality, sides } as TapeAccuracy
  } finally {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
