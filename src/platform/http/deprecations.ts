import { addDays, midnightMs } from '../../core/market/calendar.ts'

/** Parts that will go, with their dates: docs/changelog.md says what replaces each. */

/** Last ET day of `put_support`, and of the header X-Service-Signature-V0 (contract). */
export const PUT_SUPPORT_LAST_DAY = '2026-11-30'

export const DEPRECATIONS = {
  signature_v0: { date: '2026-10-11', lastDay: PUT_SUPPORT_LAST_DAY },
  put_support: { date: null, lastDay: PUT_SUPPORT_LAST_DAY },
} as const satisfies Record<string, Deprecation>

export type Deprecation = {
  /** Day from which it should no longer be used; null when none was announced. */
  readonly date: string | null
  /** Last day in New York on which it is still sent. */
  readonly lastDay: string
}

/** End of a deprecated part and, if announced, the time from which it should not be used. */
export function deprecationDates(part: keyof typeof DEPRECATIONS): {
  /** Instant from which it is no longer sent: the midnight that ends its last day in New York. */
  readonly endsAtMs: number
  readonly deprecatedAtMs: number | null
} {
  const { date, lastDay }: Deprecation = DEPRECATIONS[part]
  return {
    endsAtMs: midnightMs(addDays(lastDay, 1)),
    deprecatedAtMs: date === null ? null : midnightMs(date),
  }
}

/** True when the part is still sent at an instant. */
export const isStillSent = (part: keyof typeof DEPRECATIONS, atMs: number): boolean =>
  atMs < deprecationDates(part).endsAtMs
