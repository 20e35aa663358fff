/** Kinds of positions, their legs, and the channels of their alerts. */

export const POSITION_KINDS = ['condor', 'strangle', 'put_spread', 'call_spread'] as const
export type PositionKind = (typeof POSITION_KINDS)[number]

/** Long put, short put, short call, long call: their strikes ascend in this order. */
export const LEG_NAMES = ['lp', 'sp', 'sc', 'lc'] as const
export type LegName = (typeof LEG_NAMES)[number]

/** Legs of each kind: exactly these. */
export const LEGS_OF_KIND: Readonly<Record<PositionKind, readonly LegName[]>> = {
  condor: ['lp', 'sp', 'sc', 'lc'],
  strangle: ['sp', 'sc'],
  put_spread: ['lp', 'sp'],
  call_spread: ['sc', 'lc'],
}

export const ALERT_CHANNELS = ['telegram', 'email', 'webhook', 'off'] as const
export type AlertChannel = (typeof ALERT_CHANNELS)[number]
