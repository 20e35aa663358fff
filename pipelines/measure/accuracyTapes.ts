/** Simulates one tape, folds it, and compares orders, names and sides with the truth. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { buildFold } from '../build/fold.ts'
import { DEFAULT_OPTIONS, type SimulateOptions } from '../simulate/options.ts'
import { runSimulate } from '../simulate/simulate.ts'
import { measureSides, poolSides, type SideAccuracy } from './accuracySides.ts'
import { loadTruth } from './loadTruth.ts'

export type Scenario = { readonly name: string } & Partial<SimulateOptions>

/** The tapes and their multi-leg prints a second, which the market has 12 of in a calm hour. */
export const PACES = { calm: 22, busy: 90, noisy: 58 } as const

const CALM = { tape: 'calm', pace: PACES.calm } as const
const BUSY = { tape: 'busy', pace: PACES.busy } as const
const NOISY = { tape: 'noisy', pace: PACES.noisy } as const

/** Tapes from easy to hard: without conditions, as some vendors sell them; of useless quotes. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'calm', ...CALM },
  { name: 'busy', ...BUSY },
  { name: 'noisy', ...NOISY },
  { name: 'calm, ms stamps', ...CALM, stamps: 'ms' },
  { name: 'busy, ms stamps', ...BUSY, stamps: 'ms' },
  { name: 'noisy, ms stamps', ...NOISY, stamps: 'ms' },
  { name: 'calm, no conditions', ...CALM, hasConditions: false },
  { name: 'quotes 15 minutes late, stated', ...CALM, quoteDelay: 'stated' },
  { name: 'quotes 15 minutes late, unstated', ...CALM, quoteDelay: 'unstated' },
]

/** Figures by name; null where there is nothing to divide by. */
export type Measures = Readonly<Record<string, number | null>>

/** Agreement of one fold with the true orders of 50 contracts and more. */
export type TapeAccuracy = {
  readonly tape: string
  readonly prints: number
  readonly fold: { readonly all: Measures; readonly electronic: Measures; readonly floor: Measures }
  /** The packages of 50 contracts and more, judged by all their prints. */
  readonly packages: Measures
  /** Packages of every size, by tenths of the fold's stated confidence. */
  readonly confidence: readonly ConfidenceDecile[]
  /** Names of the packages that were folded exactly, and why some are not the true ones. */
  readonly names: Measures
  /** Measures that need no truth: all packages of the tape, including small ones. */
  readonly quality: Measures
  /** Measured over several such tapes. */
  readonly sides: SideAccuracy
}

/** Packages of one tenth of the confidence that their prints are one order. */
export type ConfidenceDecile = {
  /** 0 to 9: confidences from decile / 10. */
  readonly decile: number
  readonly packages: number
  readonly stated_share: number
  /** Those that hold the prints of one true order, and no others. */
  readonly exact_share: number
}

export type TapeSize = {
  readonly prints: number
  readonly contracts: number
  readonly seed: number
}

/**
 * Measures one scenario on a separate tape, and its sides on several tapes, of this seed and the
 * next: one tape has too few orders in a tenth of the stated probability.
 */
export async function measureTape(
  scenario: Scenario,
  size: TapeSize,
  sideTapes: number,
): Promise<TapeAccuracy> {
  const measured = await onFold(scenario, size, measureFold)
  const sides = [measured.sides]
  while (sides.length < sideTapes) {
    const next = { ...size, seed: size.seed + sides.length }
    sides.push(await onFold(scenario, next, measureSides))
  }
  return { ...measured, sides: poolSides(sides) }
}

/** Simulates and folds one tape, and measures it before it is gone. */
async function onFold<T>(
  scenario: Scenario,
  size: TapeSize,
  measure: (db: Database, tape: Pick<TapeAccuracy, 'tape' | 'prints'>) => Promise<T>,
): Promise<T> {
  const { name: tape, ...preset } = scenario
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-accuracy-'))
  const db = await openDatabase({ threads: 2, temporaryFolder: join(folder, 'spill') })
  try {
    const out = join(folder, 'session')
    const options = { ...DEFAULT_OPTIONS, hasQuotes: false, ...size, ...preset, out }
    const { printCount: prints } = await runSimulate(options)
    await loadTruth(db, out, options.date)
    await buildFold(db)
    await db.build('measure/exact_legs')
    return await measure(db, { tape, prints })
  } finally {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureFold(
  db: Database,
  facts: Pick<TapeAccuracy, 'tape' | 'prints'>,
): Promise<TapeAccuracy> {
  for (const model of ['items', 'all_labels', 'electronic_labels', 'floor_labels']) {
    await db.build(`measure/${model}`)
  }
  const [all] = await db.rows("from fold_metrics('measure.all_labels')")
  const [electronic] = await db.rows("from fold_metrics('measure.electronic_labels')")
  const [floor] = await db.rows("from fold_metrics('measure.floor_labels')")
  for (const model of ['exact_orders', 'names']) await db.build(`measure/${model}`)
  const [names] = await db.rows('from measure.names')
  const [quality] = await db.query('views/fold_quality')
  await db.build('measure/folded_packages')
  const [packages] = await db.query('measure/package_shares')
  const confidence = (await db.query('measure/confidence_deciles')) as ConfidenceDecile[]
  const fold = { all, electronic, floor }
  const sides = await measureSides(db)
  return { ...facts, fold, packages, confidence, names, quality, sides } as TapeAccuracy
}
