import type { Database } from '../src/store/duck.ts'

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

/** How many sides are told and how many of those are right. */
type SideRate = {
  readonly is_package: boolean
  readonly bucket: Bucket
  readonly orders: number
  readonly decided_share: number
  /** Null where no side is told. */
  readonly hit_share: number | null
}

/** How far the sides of a folded simulated tape can be believed, given a right fold. */
export type SideAccuracy = {
  readonly deciles: readonly SideDecile[]
  readonly rates: readonly SideRate[]
  /** Largest distance of stated from observed in deciles of 500 orders and more; null: none. */
  readonly largest_gap: number | null
}

/** Deciles of fewer orders are shown, not judged. */
export const LEAST_ORDERS = 500

/** Measures the sides of a fold; needs `accuracy.exact_legs` and `accuracy.truth_parents`. */
export async function measureSides(db: Database): Promise<SideAccuracy> {
  for (const model of ['side_orders', 'side_deciles', 'side_rates']) {
    await db.build(`accuracy/${model}`)
  }
  const deciles = (await db.rows('from accuracy.side_deciles')) as SideDecile[]
  const rates = (await db.rows('from accuracy.side_rates')) as SideRate[]
  const gaps = deciles
    .filter(({ orders }) => orders >= LEAST_ORDERS)
    .map(({ stated_share: stated, observed_share: observed }) => Math.abs(stated - observed))
  return { deciles, rates, largest_gap: gaps.length > 0 ? Math.max(...gaps) : null }
}
