import type { MinuteEt, SessionDate } from '../core/market/calendar.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import type { Case } from '../data/published/positionTables.ts'
import type { ConditionValue } from './catalogue.ts'
import type { Point } from './checkSchema.ts'
import type { LevelDistances } from './levels.ts'
import type { Position } from './schema.ts'

/** Inputs and results of judging positions at minutes. */

/** A position at a minute, as SQL computes it. Distances are below zero beyond a short strike. */
export type Marks = {
  readonly case_id: number
  readonly smile_reason: string | null
  readonly put_points: number | null
  readonly call_points: number | null
  readonly put_moves: number | null
  readonly call_moves: number | null
  readonly conditions: readonly ConditionValue[]
}

/** One of the ten large orders of the last hour near a short strike that have the most premium. */
export type NearOrder = {
  readonly case_id: number
  readonly leg: 'sp' | 'sc'
  readonly order_id: string
  readonly minute_et: MinuteEt
  readonly structure: string
  readonly distance_points: number
  readonly gross_premium_usd: number
  readonly dealer_gamma_musd_per_point: number | null
  readonly gamma_null_reason: string | null
  /** Orders near the strike, also those that are not among the ten. */
  readonly order_count: number
}

/** Outcome of a position after its minute. */
export type Outcome = {
  readonly case_id: number
  readonly worst_points: number | null
  readonly worst_minute_et: MinuteEt | null
  readonly close_points: number | null
  readonly moved_points: number | null
  readonly moved_over_expected: number | null
  readonly missing_count: number
}

export type Judged = {
  readonly marks: Marks
  readonly nearOrders: readonly NearOrder[]
  /** From the index, and from each short strike. */
  readonly levels: readonly LevelDistances[]
}
export type Replayed = { readonly marks: Marks; readonly outcome: Outcome | null }

export type Lookback = {
  /** Sessions of `dates` and of `bases`. */
  readonly sessions: readonly PublishedManifest[]
  readonly minute: MinuteEt
  readonly dates: readonly SessionDate[]
  /** The strikes have the same distance as in the first of these that has an index. */
  readonly bases: readonly SessionDate[]
  readonly shortPut: number | null
  readonly shortCall: number | null
}

export type LookbackResult = {
  readonly base: SessionDate | null
  readonly rows: readonly (Replayed | null)[]
}

/** Input for one session: a position's strikes at a minute of it. */
export type SessionCase = Omit<Case, 'session_date'>

/** A case of a track, whose result is a point; `key` is short, and another for each position. */
export type TrackCase = SessionCase & {
  readonly track: { readonly position: Position; readonly key: string }
}

export type AnyCase = SessionCase | TrackCase
export type AnyResult = Judged | Point | null

/** True for cases of a track, which are not judged together with others. */
export const isTrack = (cases: readonly object[]): cases is readonly TrackCase[] =>
  'track' in cases[0]!
