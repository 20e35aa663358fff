import { alignColumns } from '../src/store/analyst.ts'
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
const LEAST_ORDERS = 500

/** Measures the sides of a fold; needs `accuracy.truth_*` beside it. */
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

const DECILE_HEAD = ['orders of', 'contracts', 'stated', 'orders', 'mean stated', 'observed']

/** The sides of one tape as two tables. */
export function sidesText(name: string, { deciles, rates, largest_gap }: SideAccuracy): string {
  const kind = (isPackage: boolean) => (isPackage ? 'package' : 'single')
  const rateLines = rates.map(({ is_package, bucket, orders, decided_share, hit_share }) => [
    kind(is_package),
    bucket,
    String(orders),
    ...[decided_share, hit_share].map(share),
  ])
  const decileLines = deciles.map(row => [
    kind(row.is_package),
    row.bucket,
    `${row.decile / 10} to ${(row.decile + 1) / 10}`,
    String(row.orders),
    ...[row.stated_share, row.observed_share].map(share),
  ])
  return [
    `Sides, ${name}: how many are told, how many of those are right`,
    alignColumns([['orders of', 'contracts', 'orders', 'told', 'right'], ...rateLines]),
    'Probability that the customer bought: stated and observed',
    alignColumns([DECILE_HEAD, ...decileLines]),
    `largest distance in deciles of ${LEAST_ORDERS} orders and more: ${share(largest_gap)}\n`,
  ].join('\n')
}

const share = (value: number | null) => (value === null ? '-' : value.toFixed(4))
