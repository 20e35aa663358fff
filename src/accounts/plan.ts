/** What an account may do. `none` is an account without the Orders API. */
export const PLANS = ['none', 'orders', 'orders_team'] as const
export type Plan = (typeof PLANS)[number]

/** Calls a day, counted together over all keys of the account; null opens nothing. */
export const DAILY_CALLS_OF_PLAN: Readonly<Record<Plan, number | null>> = {
  none: null,
  orders: 20_000,
  orders_team: 100_000,
}

/** Positions that an account may keep. */
export const POSITIONS_MAX = 5
