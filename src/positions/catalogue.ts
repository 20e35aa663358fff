import type { AlertChannel, PositionKind } from './kinds.ts'

/**
 * Conditions of positions. A new one is a row of `CONDITIONS` and the entry of the same id in
 * `sql/positions/conditions.sql`, which computes it; a test checks that both agree. Everything
 * else, including validation and documentation, is built from these rows.
 */

/** Value of a condition; null when it cannot be known, with the reason. */
export type ConditionValue = {
  readonly id: string
  readonly value: number | null
  readonly reason: string | null
}

/** Comparison of a value with the threshold; `<-` and `<=-` compare with minus the threshold. */
export type OnWhen = '<' | '>' | '>=' | '<-' | '<=-'

export type CatalogueCondition = {
  readonly id: string
  readonly meaning: string
  /** em: expected moves; pt: index points; musd_pt: $M of index per point; musd: $M. */
  readonly unit: 'em' | 'pt' | 'delta' | 'musd_pt' | 'musd' | 'sides' | 'pct' | 'min' | 'vol_pt'
  readonly on_when: OnWhen
  /** Default thresholds, which an account can change; all in the unit. */
  readonly default: number
  readonly min: number
  readonly max: number
  readonly kinds: readonly PositionKind[]
}

const ALL = ['condor', 'strangle', 'put_spread', 'call_spread'] as const
/** Kinds with a short put: a risk from below is irrelevant to a call spread. */
const WITH_SHORT_PUT = ['condor', 'strangle', 'put_spread'] as const

export const CONDITIONS = [
  {
    id: 'short_dist_em',
    meaning: 'distance of the nearest short strike, in remaining expected moves',
    unit: 'em',
    on_when: '<',
    default: 1,
    min: 0.25,
    max: 3,
    kinds: ALL,
  },
  {
    id: 'short_dist_pts',
    meaning: 'distance of the nearest short strike, points',
    unit: 'pt',
    on_when: '<',
    default: 15,
    min: 0,
    max: 200,
    kinds: ALL,
  },
  {
    id: 'short_delta',
    meaning: 'largest absolute delta of a short strike',
    unit: 'delta',
    on_when: '>',
    default: 0.2,
    min: 0.02,
    max: 0.6,
    kinds: ALL,
  },
  {
    id: 'gamma_negative',
    meaning: 'dealer net gamma at spot below minus the threshold',
    unit: 'musd_pt',
    on_when: '<-',
    default: 0,
    min: 0,
    max: 5000,
    kinds: ALL,
  },
  {
    id: 'flip_near',
    meaning: 'distance to the flip',
    unit: 'pt',
    on_when: '<',
    default: 15,
    min: 0,
    max: 100,
    kinds: ALL,
  },
  {
    id: 'under_flip',
    meaning: 'spot under the flip by at least',
    unit: 'pt',
    on_when: '>=',
    default: 0,
    min: 0,
    max: 100,
    kinds: WITH_SHORT_PUT,
  },
  {
    id: 'wall_missing',
    meaning: 'short sides with no wall between spot and the short strike',
    unit: 'sides',
    on_when: '>=',
    default: 1,
    min: 1,
    max: 2,
    kinds: ALL,
  },
  {
    id: 'order_near_short',
    meaning:
      'premium of large orders near a short strike that removed dealer gamma, last 30 min, ' +
      'within 10 points',
    unit: 'musd',
    on_when: '>=',
    default: 5,
    min: 0.5,
    max: 100,
    kinds: ALL,
  },
  {
    id: 'flow_removes_gamma',
    meaning:
      'net dealer gamma of large orders over the last 60 min at or below minus the threshold',
    unit: 'musd_pt',
    on_when: '<=-',
    default: 50,
    min: 1,
    max: 2000,
    kinds: ALL,
  },
  {
    id: 'move_used',
    meaning: 'move from the open over the session expected move',
    unit: 'em',
    on_when: '>=',
    default: 0.7,
    min: 0.1,
    max: 2,
    kinds: ALL,
  },
  {
    id: 'move_15m',
    meaning: 'move of the last 15 minutes over the session expected move',
    unit: 'em',
    on_when: '>=',
    default: 0.35,
    min: 0.05,
    max: 1.5,
    kinds: ALL,
  },
  {
    id: 'vol_up',
    meaning: 'remaining straddle against its square-root-of-time path since the first minute',
    unit: 'pct',
    on_when: '>=',
    default: 15,
    min: 0,
    max: 100,
    kinds: ALL,
  },
  {
    id: 'time_left',
    meaning: 'minutes to the close',
    unit: 'min',
    on_when: '<',
    default: 45,
    min: 5,
    max: 385,
    kinds: ALL,
  },
  {
    id: 'gap',
    meaning: 'opening gap',
    unit: 'pct',
    on_when: '>=',
    default: 0.6,
    min: 0,
    max: 5,
    kinds: ALL,
  },
  {
    id: 'skew',
    meaning: 'volatility one expected move below minus one above, points',
    unit: 'vol_pt',
    on_when: '>=',
    default: 6,
    min: 0,
    max: 50,
    kinds: WITH_SHORT_PUT,
  },
] as const satisfies readonly CatalogueCondition[]

/** Default counts of conditions that are on for CAUTION and SKIP. */
export const LABEL_DEFAULTS = { caution: 3, skip: 5 } as const

/** Default alerts; `before` is minutes before the entry. */
export const ALERT_DEFAULTS = {
  channel: 'off',
  url: null,
  before: 30,
} as const satisfies { channel: AlertChannel; url: string | null; before: number }

/** Returns the conditions of a kind of position, in the order of the catalogue. */
export const listConditions = (kind: PositionKind): readonly CatalogueCondition[] =>
  CONDITIONS.filter(({ kinds }) => (kinds as readonly PositionKind[]).includes(kind))
