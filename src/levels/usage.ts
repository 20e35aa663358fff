import type { AccountPart } from '../accounts/accountPage.ts'
import { CALLS_PER_MINUTE_MAX, CLIENT_ADDRESSES_PER_HOUR } from '../accounts/products.ts'
import type { AccountStore } from '../accounts/types.ts'
import { MINUTE_MS } from '../core/market/calendar.ts'

const HOUR_MS = 60 * MINUTE_MS

/**
 * Usage of each live key of an account in the current minute and hour, for the account page. Counts
 * of an earlier minute or hour are zero.
 */
export const usageReader =
  (accounts: AccountStore): NonNullable<AccountPart['usage']> =>
  async ({ account, atMs }) => {
    const minute = Math.floor(atMs / MINUTE_MS)
    const hour = Math.floor(atMs / HOUR_MS)
    const counts = await accounts.keyCounts(account.id)
    return counts.flatMap(key => [
      {
        what: `LIVE key ${key.name}: calls this minute`,
        used: key.minute === minute ? key.calls : 0,
        limit: CALLS_PER_MINUTE_MAX,
        resets: 'every minute',
      },
      {
        what: `LIVE key ${key.name}: addresses this hour`,
        used: key.hour === hour ? key.addressCount : 0,
        limit: CLIENT_ADDRESSES_PER_HOUR,
        resets: 'every hour',
      },
    ])
  }
