import { type MinuteEt, parseMinute } from '../../core/market/calendar.ts'

/** Unknown minutes after which a changed side still counts; after more it is set silently. */
const GAP_MAX = 5

/**
 * The gap between the last known minute and this one: `none`, a `short` one, which breaks runs of
 * confirming states, or a `long` one, after which everything starts again.
 */
export type Since = 'none' | 'short' | 'long'

export function since(known: MinuteEt, minute: MinuteEt): Since {
  const missing = missingBetween(known, minute)
  if (missing <= 0) return 'none'
  return missing <= GAP_MAX ? 'short' : 'long'
}

/** Minutes between two minutes, exclusive. */
export const missingBetween = (known: MinuteEt, minute: MinuteEt): number =>
  parseMinute(minute) - parseMinute(known) - 1
