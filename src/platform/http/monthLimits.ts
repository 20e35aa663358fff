import type { MonthStore } from '../../accounts/monthTypes.ts'
import type { PlanRow, Product } from '../../accounts/products.ts'
import type { KeyHolder } from '../../accounts/types.ts'

/** Calls an account has used of a UTC month, and its keys. */
export type MonthUse = {
  /** 'YYYY-MM' */
  readonly month: string
  readonly plan: string
  readonly limit: number
  readonly used: number
  /** Start of the next month. */
  readonly resetsAtMs: number
  readonly keys: { readonly older: number; readonly all: number; readonly max: number }
}

type MonthUseQuery = {
  readonly store: MonthStore
  readonly holder: KeyHolder
  readonly product: Product
  readonly plan: PlanRow
  readonly atMs: number
}

/** Returns an account's current use; null when its plan has no monthly limit. */
export async function readMonthUse(query: MonthUseQuery): Promise<MonthUse | null> {
  const { store, holder, product, plan, atMs } = query
  const { monthlyCalls: limit, keysMax = Number.POSITIVE_INFINITY } = plan
  if (limit === undefined) return null
  const { monthUtc, endMs } = monthAt(atMs)
  const used = await store.used({ accountId: holder.accountId, product, monthUtc })
  const keys = { ...(await store.findKeyRank(holder.keyId)), max: keysMax }
  return { month: monthUtc, plan: plan.plan, limit, used, resetsAtMs: endMs, keys }
}

/** Counts a call; returns the use including it, or null when none was left. */
export async function countMonth(
  { store, holder, product }: Pick<MonthUseQuery, 'store' | 'holder' | 'product'>,
  use: MonthUse,
): Promise<MonthUse | null> {
  const { month: monthUtc, limit } = use
  const used = await store.count({ accountId: holder.accountId, product, monthUtc, limit })
  return used === null ? null : { ...use, used }
}

/** The UTC month of an instant. */
export function monthAt(atMs: number): { readonly monthUtc: string; readonly endMs: number } {
  const at = new Date(atMs)
  const monthUtc = at.toISOString().slice(0, 7)
  return { monthUtc, endMs: Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1) }
}

/** Headers of draft-ietf-httpapi-ratelimit-headers for a use at an instant. */
export function monthHeaders({ month, limit, used, resetsAtMs }: MonthUse, atMs: number) {
  const windowSeconds = (resetsAtMs - Date.parse(`${month}-01`)) / 1000
  const seconds = Math.ceil((resetsAtMs - atMs) / 1000)
  return {
    'ratelimit-policy': `"month";q=${limit};w=${windowSeconds}`,
    ratelimit: `"month";r=${Math.max(0, limit - used)};t=${seconds}`,
  }
}
