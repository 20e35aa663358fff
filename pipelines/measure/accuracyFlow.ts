/** Coverage of the customers' flow against the flow that simulated customers really traded. */

import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyToParquet } from '../../src/core/engine/bulk.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { loadParquet } from '../../src/data/tape/tables.ts'
import { buildEditions } from '../build/editions.ts'
import { buildFold } from '../build/fold.ts'
import { buildSurface } from '../build/surface.ts'
import { DEFAULT_OPTIONS } from '../simulate/options.ts'
import { runSimulate } from '../simulate/simulate.ts'
import { loadSimulated } from './accuracyLevels.ts'

/** The flow of one part and span over all minutes of all sessions, $M of index and $M per point. */
export type CustomerFlowAccuracy = {
  readonly part: 'all' | '0dte' | 'calls' | 'puts'
  readonly span: 'day' | '5m'
  readonly sessions: number
  readonly minute_count: number
  /** Share of the minutes whose 90 % interval holds the true flow. */
  readonly delta_covered_share: number
  readonly gamma_covered_share: number
  /** Standard error of the covered share, of sessions as wholes; null of a single one. */
  readonly delta_covered_error: number | null
  readonly gamma_covered_error: number | null
  /** Slope of the true flow on the published one, and its error; null of a day. */
  readonly delta_slope: number | null
  readonly delta_slope_error: number | null
  readonly median_delta_width: number
  readonly median_delta_error: number
}

export type FlowRequest = {
  readonly sessions: number
  readonly prints: number
  readonly contracts: number
}

const FLOW_MODELS = [
  'book/leg_sides',
  'book/flows',
  'book/balances',
  'book/leg_gammas',
  'book/edition_flows',
  'book/flow_changes',
  'book/minute_flows',
] as const

/** Builds simulated sessions from a seed on, and compares the flow of each with the true one. */
export async function measureFlow(
  { sessions, prints, contracts }: FlowRequest,
  firstSeed: number,
): Promise<CustomerFlowAccuracy[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-flow-'))
  try {
    for (let number = 0; number < sessions; number++) {
      process.stderr.write(`  summing flow: session ${number + 1} of ${sessions}\n`)
      await measureSession(folder, { prints, contracts, seed: firstSeed + number })
    }
    const db = await openDatabase({ threads: 2 })
    try {
      await db.run('create schema measure')
      const files = globSync('flow-*.parquet', { cwd: folder }).sort()
      await loadParquet(db, 'measure.flow_minutes', ...files.map(file => join(folder, file)))
      return (await db.query('measure/flow_errors')) as CustomerFlowAccuracy[]
    } finally {
      db.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureSession(
  folder: string,
  size: { readonly prints: number; readonly contracts: number; readonly seed: number },
): Promise<void> {
  const out = join(folder, 'session')
  const { seed } = size
  const db = await openDatabase({ threads: 2, temporaryFolder: join(folder, 'spill') })
  try {
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, out })
    await loadSimulated(db, out)
    await buildFold(db)
    await buildEditions(db)
    await buildSurface(db)
    for (const model of FLOW_MODELS) await db.build(model)
    await buildPublishedFlow(db)
    await buildTrueFlow(db)
    const file = join(folder, `flow-${seed}.parquet`)
    await copyToParquet(db, { path: 'measure/flow_minutes', file, params: { seed } })
  } finally {
    db.close()
    rmSync(out, { recursive: true, force: true })
  }
}

/** Makes `measure.published_flow` of `book.minute_flows`. */
export const buildPublishedFlow = (db: Database): Promise<void> =>
  db.build('ledger/flow', {}, 'measure.published_flow')

/** Builds `book.minute_flows` of the orders as customers really traded them, at the true surface. */
export async function buildTrueFlow(db: Database): Promise<void> {
  await db.build('measure/true_forwards', {}, 'surface.forwards')
  await db.build('measure/true_smiles', {}, 'surface.smiles')
  // quotes are not what truth is priced by
  await db.run('delete from surface.implied_vols')
  for (const name of ['editions', 'edition_legs']) await db.run(`drop view fold.${name}`)
  await db.build('measure/true_orders', {}, 'fold.editions')
  await db.build('measure/true_order_legs', {}, 'fold.edition_legs')
  for (const model of FLOW_MODELS) await db.build(model)
}
