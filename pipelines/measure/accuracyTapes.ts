/** Simulates one tape, folds it, and compares orders, names and sides with the truth. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { buildFold } from '../build/fold.ts'
import { DEFAULT_OPTIONS, type SimulateOptions } from '../simulate/options.ts'
import { runSimulate } from '../simulate/simulate.ts'
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
  readonly sides: { readonly rates: readonly SideRate[] }
}

/** Share of the exactly folded orders with a side, and the share of those sides that is right. */
export type SideRate = {
  readonly is_package: boolean
  /** All orders, or those of 50 contracts and more. */
  readonly bucket: 'all' | '50+'
  readonly orders: number
  readonly decided_share: number
  /** Null when no order has a side. */
  readonly hit_share: number | null
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

/** Simulates and folds the tape of one scenario, and measures it before it is gone. */
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
    return await measureFold(db, { tape, prints })
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
  for (const model of ['exact_legs', 'exact_orders', 'names']) await db.build(`measure/${model}`)
  const [names] = await db.rows('from measure.names')
  const [quality] = await db.query('views/fold_quality')
  await db.build('measure/folded_packages')
  const [packages] = await db.query('measure/package_shares')
  const confidence = (await db.query('measure/confidence_deciles')) as ConfidenceDecile[]
  const fold = { all, electronic, floor }
  const sides = { rates: await measureSides(db) }
  return { ...facts, fold, packages, confidence, names, quality, sides } as TapeAccuracy
}

/** Measures the sides of a fold; needs `measure.exact_legs` and `measure.truth_parents`. */
export async function measureSides(db: Database): Promise<SideRate[]> {
  await db.build('measure/side_orders')
  return (await db.query('measure/side_rates')) as SideRate[]
}
