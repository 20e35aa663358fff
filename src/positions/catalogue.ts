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

/** A row; `limits` are the usual threshold, the least and the most. */
const condition = <const Id extends string>(
  id: Id,
  unit: CatalogueCondition['unit'],
  on_when: OnWhen,
  limits: readonly [usual: number, min: number, max: number],
  meaning: string,
  kinds: readonly PositionKind[] = ALL,
) => {
  const [usual, min, max] = limits
  return { id, meaning, unit, on_when, default: usual, min, max, kinds }
}

export const CONDITIONS = [
  condition(
    'short_dist_em',
    'em',
    '<',
    [1, 0.25, 3],
    'distance of the nearest short strike, in remaining expected moves',
  ),
  condition(
    'short_dist_pts',
    'pt',
    '<',
    [15, 0, 200],
    'distance of the nearest short strike, points',
  ),
  condition(
    'short_delta',
    'delta',
    '>',
    [0.2, 0.02, 0.6],
    'largest absolute delta of a short strike',
  ),
  condition(
    'gamma_negative',
    'musd_pt',
    '<-',
    [0, 0, 5000],
    'dealer net gamma at spot below minus the threshold',
  ),
  condition('flip_near', 'pt', '<', [15, 0, 100], 'distance to the flip'),
  condition(
    'under_flip',
    'pt',
    '>=',
    [0, 0, 100],
    'spot under the flip by at least',
    WITH_SHORT_PUT,
  ),
  condition(
    'wall_missing',
    'sides',
    '>=',
    [1, 1, 2],
    'short sides with no wall between spot and the short strike',
  ),
  condition(
    'order_near_short',
    'musd',
    '>=',
    [5, 0.5, 100],
    'premium of large orders near a short strike that removed dealer gamma, last 30 min, ' +
      'within 10 points',
  ),
  condition(
    'flow_removes_gamma',
    'musd_pt',
    '<=-',
    [50, 1, 2000],
    'net dealer gamma of large orders over the last 60 min at or below minus the threshold',
  ),
  condition(
    'move_used',
    'em',
    '>=',
    [0.7, 0.1, 2],
    'move from the open over the session expected move',
  ),
  condition(
    'move_15m',
    'em',
    '>=',
    [0.35, 0.05, 1.5],
    'move of the last 15 minutes over the session expected move',
  ),
  condition(
    'vol_up',
    'pct',
    '>=',
    [15, 0, 100],
    'remaining straddle against its square-root-of-time path since the first minute',
  ),
  condition('time_left', 'min', '<', [45, 5, 385], 'minutes to the close'),
  condition('gap', 'pct', '>=', [0.6, 0, 5], 'opening gap'),
  condition(
    'skew',
    'vol_pt',
    '>=',
    [6, 0, 50],
    'volatility one expected move below minus one above, points',
    WITH_SHORT_PUT,
  ),
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
