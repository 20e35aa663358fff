import type { Database } from '../../src/core/engine/database.ts'
import { standardError, weightedMean } from './accuracyMeans.ts'

/** All orders, or those of 50 contracts and more. */
type Bucket = 'all' | '50+'

/** Orders of one tenth of the stated probability that the customer bought. */
type SideDecile = {
  readonly is_package: boolean
  readonly bucket: Bucket
  /** 0 to 9: probabilities from decile / 10. */
  readonly decile: number
  readonly orders: number
  readonly stated_share: number
  readonly observed_share: number
}

/** Share of the orders with a side, and the share of those sides that is right. */
type SideRate = {
  readonly is_package: boolean
  readonly bucket: Bucket
  readonly orders: number
  readonly decided_share: number
  /** Null when no order has a side. */
  readonly hit_share: number | null
}

/** Reliability of the sides of a folded simulated tape, given a right fold. */
export type SideAccuracy = {
  readonly deciles: readonly SideDecile[]
  readonly rates: readonly SideRate[]
  /** Largest distance of stated from observed in deciles of 500 orders and more; null: none. */
  readonly largest_gap: number | null
  /** The same of each leg of the packages; `orders` counts legs. */
  readonly leg_deciles: readonly SideDecile[]
}

/** Deciles of fewer orders are shown, not judged. */
export const LEAST_ORDERS = 500

/** Measures the sides of a fold; needs `measure.exact_legs` and `measure.truth_parents`. */
export async function measureSides(db: Database): Promise<SideAccuracy> {
  for (const model of ['side_orders', 'side_deciles', 'side_rates', 'leg_deciles']) {
    await db.build(`measure/${model}`)
  }
  const deciles = (await db.rows('from measure.side_deciles')) as SideDecile[]
  const rates = (await db.rows('from measure.side_rates')) as SideRate[]
  const leg_deciles = (await db.rows('from measure.leg_deciles')) as SideDecile[]
  return { deciles, rates, largest_gap: largestGap(deciles), leg_deciles }
}

/** The sides of several tapes as if they were of one: shares weigh by the orders they are of. */
export function poolSides(tapes: readonly SideAccuracy[]): SideAccuracy {
  const pooled = (of: (tape: SideAccuracy) => readonly SideDecile[]) =>
    grouped(tapes.flatMap(of)).map(rows => weightedMean(rows, 'orders'))
  const deciles = pooled(tape => tape.deciles)
  const rates = grouped(tapes.flatMap(tape => tape.rates)).map(rows => {
    // a hit weighs by its number of decided sides: without any, the share is null
    const decided = rows.flatMap(({ orders, decided_share, hit_share }) =>
      hit_share === null ? [] : { orders: orders * decided_share, hit_share },
    )
    const hit_share = decided.length > 0 ? weightedMean(decided, 'orders').hit_share : null
    return { ...weightedMean(rows, 'orders'), hit_share }
  })
  const leg_deciles = pooled(tape => tape.leg_deciles)
  return { deciles, rates, largest_gap: largestGap(deciles), leg_deciles }
}

/** Difference between the stated and the observed share; null without a decile. */
export function calibrationGap(decile: SideDecile): number
export function calibrationGap(decile: SideDecile | null): number | null
export function calibrationGap(decile: SideDecile | null): number | null {
  return decile && Math.abs(decile.stated_share - decile.observed_share)
}

/** Returns the decile with enough orders that is farthest off; null without any. */
export function farthestDecile(deciles: readonly SideDecile[]): SideDecile | null {
  const large = deciles.filter(({ orders }) => orders >= LEAST_ORDERS)
  return large.sort((a, b) => calibrationGap(b) - calibrationGap(a))[0] ?? null
}

/** Error of a stated share, in standard errors of its number of orders. */
export const errorsOff = (decile: SideDecile): number =>
  calibrationGap(decile) / standardError(decile.stated_share, decile.orders)

const largestGap = (deciles: readonly SideDecile[]): number | null =>
  calibrationGap(farthestDecile(deciles))

/** The rows of each kind, bucket and decile, in the order of these. */
function grouped<Row extends SideRate | SideDecile>(rows: readonly Row[]): Row[][] {
  const groupKey = (row: Row) =>
    `${row.is_package} ${row.bucket === 'all' ? 1 : 0} ${'decile' in row ? row.decile : ''}`
  return [...Map.groupBy(rows, groupKey)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => group)
}
