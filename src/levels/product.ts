import type { ApiProduct, KeyedRequest } from '../accounts/apiProduct.ts'
import { minuteLimit } from '../accounts/limits/minuteLimit.ts'
import {
  CALLS_PER_MINUTE_MAX,
  CLIENT_ADDRESSES_PER_HOUR,
  type PlanRow,
  planAt,
} from '../accounts/products.ts'
import { isDate } from '../core/market/calendar.ts'
import { LIVE_ERRORS, liveError } from './errors.ts'
import { oldestLiveDay } from './oldestDay.ts'

/** LIVE: its own keys, and those of a dataset licence for historical days. */
export const LIVE: ApiProduct = {
  name: 'live',
  errors: LIVE_ERRORS,
  otherScopes: ['dataset'],
  limits: [
    minuteLimit({
      minuteCalls: CALLS_PER_MINUTE_MAX,
      hourAddresses: CLIENT_ADDRESSES_PER_HOUR,
      refuseCalls: refused => liveError('rate_limited', refused),
      refuseAddress: refused => liveError('too_many_places', refused),
    }),
  ],
  findPlan: findLivePlan,
}

/** Returns the plan of the account for LIVE or, for historical days, for the product of its key. */
function findLivePlan({ holder, atMs, shownMs, url }: KeyedRequest): PlanRow | null {
  const own = planAt(holder.products, 'live', atMs)
  if (own || holder.scope === 'live') return own
  // a licence for historical days covers only those
  const guest = planAt(holder.products, holder.scope, atMs)
  const day = new URLSearchParams(url.split('?')[1] ?? '').get('day') ?? ''
  return isDate(day) && day < oldestLiveDay(shownMs) ? guest : null
}
