import { ApiError } from '../../platform/http/error.ts'
import { callContext, type MonthUse } from '../callContext.ts'
import type { MonthStore } from '../monthTypes.ts'
import type { PlanRow, Product } from '../products.ts'
import type { KeyHolder } from '../types.ts'
import type { CallLimit } from './callLimit.ts'
import { rateHeaders } from './rateHeaders.ts'

export type MonthLimit = {
  /** Error for a key beyond the number that a plan lets work at once. */
  readonly refuseKey: (key: { readonly position: number; readonly max: number }) => Error
}

/** Limits the calls of an account per UTC month, and its keys, where its plan does. */
export const monthLimit = ({ refuseKey }: MonthLimit): CallLimit => ({
  check: async ({ product, plan, holder, atMs, res, counters }) => {
    const query = { store: counters.accounts.months, holder, product, plan, atMs }
    const month = await readMonthUse(query)
    if (month === null) return null
    const { older, max } = month.keys
    if (older >= max) throw refuseKey({ position: older + 1, max })
    callContext(res).month = month
    return async () => {
      const use = await countMonth(query, month)
      if (use === null) throw spentMonth(month, atMs)
      res.set(monthHeaders(use, atMs))
    }
  },
})

/** Error when all calls of the month are used. */
export function spentMonth(month: MonthUse, atMs: number): ApiError {
  const headers = monthHeaders({ ...month, used: month.limit }, atMs)
  const wait = Math.ceil((month.resetsAtMs - atMs) / 1000)
  const next = new Date(month.resetsAtMs).toISOString().slice(0, 10)
  return new ApiError('rate', {
    message:
      `all ${month.limit} calls of ${month.month} are used; the next month begins on ${next} ` +
      `at 00:00 UTC, in ${wait} s.`,
    headers: { ...headers, 'retry-after': String(wait) },
  })
}

type MonthUseQuery = {
  readonly store: MonthStore
  readonly holder: KeyHolder
  readonly product: Product
  readonly plan: PlanRow
  readonly atMs: number
}

/** Returns an account's current use; null when its plan has no monthly limit. */
async function readMonthUse(query: MonthUseQuery): Promise<MonthUse | null> {
  const { store, holder, product, plan, atMs } = query
  const { monthlyCalls: limit, keysMax = Number.POSITIVE_INFINITY } = plan
  if (limit === undefined) return null
  const { monthUtc, endMs } = monthAt(atMs)
  const used = await store.used({ accountId: holder.accountId, product, monthUtc })
  const keys = { ...(await store.findKeyRank(holder.keyId)), max: keysMax }
  return { month: monthUtc, plan: plan.plan, limit, used, resetsAtMs: endMs, keys }
}

/** Counts a call; returns the use including it, or null when none was left. */
async function countMonth(
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

function monthHeaders({ month, limit, used, resetsAtMs }: MonthUse, atMs: number) {
  const windowSeconds = (resetsAtMs - Date.parse(`${month}-01`)) / 1000
  const resetSeconds = Math.ceil((resetsAtMs - atMs) / 1000)
  return rateHeaders({ window: 'month', windowSeconds, limit, used, resetSeconds })
}
