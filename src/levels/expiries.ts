import { type MinuteEt, minutesAfter } from '../core/market/calendar.ts'
import { FIRST_MINUTE } from '../data/published/stateMinutes.ts'

/** Buckets of expiries that levels are found for, and the dealers' exposures. */

export const EXPIRY_BUCKETS = ['0dte', 'next', 'all'] as const
export type ExpiryBucket = (typeof EXPIRY_BUCKETS)[number]

export const EXPOSURES = ['delta', 'gamma', 'vanna', 'charm'] as const
export type Exposure = (typeof EXPOSURES)[number]

/** Units of the exposures, in words. */
export const EXPOSURE_UNITS: Readonly<Record<Exposure, string>> = {
  delta: '$M of index',
  gamma: '$M per index point',
  vanna: '$M per vol point',
  charm: '$M per day',
}

const EXPOSURE_MINUTES = 5

/** Returns the newest state with exposures up to a minute: the first, or that of a fifth minute. */
export function exposureMinute(minute: MinuteEt): MinuteEt {
  const fifth = minutesAfter(minute, -(Number(minute.slice(3)) % EXPOSURE_MINUTES))
  return fifth < FIRST_MINUTE ? FIRST_MINUTE : fifth
}
