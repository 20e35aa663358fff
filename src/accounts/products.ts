import { addDays, midnightMs, type SessionDate, wallTimeEt } from '../core/market/calendar.ts'
import type { Scope } from './apiKey.ts'

/**
 * Products, their plans and limits, as data. A key belongs to one product: its scope has the
 * product's name. An account holds any number of products, each on one plan of it.
 */

export type Product = Scope

export type PlanRow = {
  /** Id in the account database; unique over all products. */
  readonly plan: string
  /** Display name. */
  readonly name: string
  /** Calls per ET day, of all keys of the account together. */
  readonly dailyCalls?: number
  /** Calls per UTC month, of all keys of the account together. */
  readonly monthlyCalls?: number
  /** Credits per calendar month, which expire with it. */
  readonly monthlyCredits?: number
  /** Keys that work at the same time. */
  readonly keysMax?: number
}

/** Maximum positions of an account. */
export const POSITIONS_MAX = 5
/** Maximum calls of a LIVE key in a UTC minute. */
export const CALLS_PER_MINUTE_MAX = 120
/** Client addresses of a LIVE key in a UTC hour; `key_uses` has a column for each. */
export const CLIENT_ADDRESSES_PER_HOUR = 3
/** ET days before today that LIVE opens; older ones need the product dataset. */
export const HISTORY_DAYS_FREE = 90
/** LAB credits of a calendar month. The contract specifies no number; this one is of the design. */
export const CREDITS_PER_MONTH = 30
/** Maximum LAB messages of an account per ET day, of all its ideas and through any channel. */
export const MESSAGES_PER_DAY_MAX = 5_000

/** Plans of each product, the smallest first, and the limits common to all of them. */
export const PRODUCTS = {
  orders: {
    opens: 'the Orders API, positions and alerts',
    plans: [
      { plan: 'orders', name: 'Orders API', dailyCalls: 20_000 },
      { plan: 'orders_team', name: 'Orders Team', dailyCalls: 100_000 },
    ],
    limits: { positionsMax: POSITIONS_MAX },
  },
  live: {
    opens: 'the levels API',
    plans: [{ plan: 'live', name: 'LIVE' }],
    limits: {
      minuteCallsPerKey: CALLS_PER_MINUTE_MAX,
      hourAddressesPerKey: CLIENT_ADDRESSES_PER_HOUR,
      symbolsMax: 20,
      textSymbolsMax: 8,
      historyDays: HISTORY_DAYS_FREE,
    },
  },
  lab: {
    opens: 'the LAB API',
    plans: [{ plan: 'lab', name: 'LAB', monthlyCredits: CREDITS_PER_MONTH }],
    limits: { creditsPerRun: 1, conveyorIdeas: 1, dailyMessages: MESSAGES_PER_DAY_MAX },
  },
  dataset: {
    opens: `dataset files, and levels older than ${HISTORY_DAYS_FREE} days`,
    plans: [{ plan: 'dataset', name: 'DATASET' }],
    limits: { minuteCallsPerKey: 600 },
  },
  geo: {
    opens: 'the Geo API',
    // the contract specifies no calls and keys of these
    plans: [
      { plan: 'geo', name: 'Geo API', monthlyCalls: 10_000, keysMax: 2 },
      { plan: 'geo_team', name: 'Geo Team', monthlyCalls: 100_000, keysMax: 10 },
    ],
    limits: { freeDays: 30 },
  },
} as const satisfies Record<Product, { opens: string; plans: readonly PlanRow[]; limits: object }>

export type ProductPlan<P extends Product> = (typeof PRODUCTS)[P]['plans'][number]['plan']
export type Plan = ProductPlan<Product>

export const PRODUCT_NAMES = Object.keys(PRODUCTS) as readonly Product[]

/** A product that an account holds. */
export type AccountProduct = {
  readonly product: Product
  readonly plan: Plan
  readonly fromMs: number
  /** The first instant at which it is over; null when it has no end. */
  readonly untilMs: number | null
}

export const listPlans = (product: Product): readonly PlanRow[] => PRODUCTS[product].plans

/** Product of a plan. */
export const findProduct = (plan: Plan): Product =>
  PRODUCT_NAMES.find(product => listPlans(product).some(row => row.plan === plan))!

/** Plan of an account for a product at an instant; null when it has none. */
export function planAt(
  products: readonly AccountProduct[],
  product: Product,
  atMs: number,
): PlanRow | null {
  const held = products.find(one => one.product === product)
  if (!held || !isOpenAt(held, atMs)) return null
  // null also for a plan that only a newer version knows
  return listPlans(product).find(row => row.plan === held.plan) ?? null
}

export const isOpenAt = ({ fromMs, untilMs }: AccountProduct, atMs: number): boolean =>
  fromMs <= atMs && (untilMs === null || atMs < untilMs)

/** The first instant at which a product is over, given its last day: the next midnight ET. */
export const endAfter = (lastDayEt: SessionDate): number => midnightMs(addDays(lastDayEt, 1))

/** The last ET day of a product that is over at an instant. */
export const lastDayBefore = (untilMs: number): SessionDate => wallTimeEt(untilMs - 1).date
