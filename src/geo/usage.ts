import type { AccountPart } from '../accounts/accountPage.ts'
import { monthAt } from '../accounts/limits/monthLimit.ts'
import { planAt } from '../accounts/products.ts'
import type { AccountStore } from '../accounts/types.ts'

/** Returns an account's usage of the month. */
export const usageReader =
  ({ months }: Pick<AccountStore, 'months'>): NonNullable<AccountPart['usage']> =>
  async ({ account, atMs }) => {
    const plan = planAt(account.products, 'geo', atMs)
    if (plan?.monthlyCalls === undefined) return []
    const { monthUtc } = monthAt(atMs)
    const used = await months.used({ accountId: account.id, product: 'geo', monthUtc })
    return [
      {
        what: `${plan.name}: calls of ${monthUtc}`,
        used,
        limit: plan.monthlyCalls,
        resets: 'with the month, UTC',
      },
    ]
  }
