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
      minuteCallsPerKey: 120,
      hourAddressesPerKey: 3,
      symbolsMax: 20,
      textSymbolsMax: 8,
      // older days need the product dataset
      historyDays: 90,
    },
  },
  lab: {
    opens: 'the LAB API',
    // the contract specifies no number of credits; this one is of the design
    plans: [{ plan: 'lab', name: 'LAB', monthlyCredits: 30 }],
    // messages per ET day, of all ideas of the account together
    limits: { creditsPerRun: 1, conveyorIdeas: 1, dailyMessages: 5_000 },
  },
  dataset: {
    opens: 'dataset files, and levels older than 90 days',
    plans: [{ plan: 'dataset', name: 'DATASET' }],
    limits: { minuteCallsPerKey: 600 },
  },
  geo: {
    opens: 'the Geo API',
    // nor does it specify calls and keys of these
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
