import type { MinuteEt, SessionDate } from '../core/market/calendar.ts'
import type { Check, Point } from './checkSchema.ts'
import type { Judged, Marks, NearOrder } from './judged.ts'
import {
  type Counts,
  chooseLabel,
  countStates,
  isUnknown,
  type Label,
  nearestChange,
  type Reading,
  relativeMargin,
  toReadings,
} from './label.ts'
import { levelsAround } from './levels.ts'
import { rounded, roundedOrNull } from './rounded.ts'
import type { Position } from './schema.ts'

/** A minute of a session. */
export type At = { readonly day: SessionDate; readonly minute: MinuteEt }

type Verdict = {
  readonly readings: readonly Reading[]
  readonly counts: Counts
  readonly label: Label | null
  /** Reason why there is no label. */
  readonly error: string | null
}

/** One position judged at a minute, in the format of the API. */
export function toCheck(position: Position, judged: Judged | null, at: At): Check {
  if (!judged) return unchecked(position, `${at.day} has no market minute ${at.minute}.`)
  const { readings, counts, label, error } = computeVerdict(position, judged.marks, at)
  const change = label === null ? null : nearestChange(readings, position.label)
  return {
    position_id: position.id,
    kind: position.kind,
    ...(error === null ? {} : { error }),
    label,
    counts,
    label_counts: position.label,
    conditions: readings.map(wireReading),
    nearest_change: change && {
      label: change.label,
      relative: rounded(change.relative),
      conditions: change.readings.map(reading => ({
        id: reading.row.id,
        margin: rounded(reading.margin!),
        unit: reading.row.unit,
        relative: rounded(relativeMargin(reading)),
      })),
    },
    levels: levelsAround(judged.levels, 'index'),
    shorts: listShorts(position, judged.marks).map(short => ({
      ...short,
      ...toNearOrders(judged.nearOrders.filter(order => order.leg === short.leg)),
      levels: levelsAround(judged.levels, short.leg),
    })),
  }
}

/** A position that could not be checked, with the reason; the others are still returned. */
export const unchecked = (position: Position, error: string): Check => ({
  position_id: position.id,
  kind: position.kind,
  error,
  label: null,
  counts: { on: 0, off: 0, unknown: 0 },
  label_counts: position.label,
  conditions: [],
  nearest_change: null,
  levels: null,
  shorts: [],
})

/** One minute of a label track: the label, its counts, and which conditions were on. */
export function toTrackPoint(position: Position, marks: Marks | undefined, at: At): Point {
  if (!marks) return { t: at.minute, ...NO_POINT, error: `${at.day} has no such market minute.` }
  const { readings, counts, label, error } = computeVerdict(position, marks, at)
  return {
    t: at.minute,
    ...(error === null ? {} : { error }),
    label,
    counts,
    on: listIds(readings, 'on'),
    unknown: listIds(readings, 'unknown'),
  }
}

const NO_POINT = { label: null, counts: { on: 0, off: 0, unknown: 0 }, on: [], unknown: [] }

const listIds = (readings: readonly Reading[], state: Reading['state']): string[] =>
  readings.filter(reading => reading.state === state).map(({ row }) => row.id)

/** Conditions of a position, their counts and the label. */
export function computeVerdict(position: Position, marks: Marks, at: At): Verdict {
  const readings = toReadings(position, marks.conditions)
  const counts = countStates(readings)
  if (marks.smile_reason === 'no_session_expiry') {
    const error = `the session of ${at.day} has no PM contracts that expire on its own day.`
    return { readings, counts, label: null, error }
  }
  if (isUnknown(counts)) {
    const total = readings.length
    const unknown = `${counts.unknown} of ${total} conditions are unknown at ${at.minute}`
    const error = `${unknown}: too many for a label.`
    return { readings, counts, label: null, error }
  }
  return { readings, counts, label: chooseLabel(counts.on, position.label), error: null }
}

/** A condition in the format of the API. */
export const wireReading = ({ row, threshold, value, state, margin, reason }: Reading) => ({
  id: row.id,
  value: roundedOrNull(value),
  unit: row.unit,
  on_when: row.on_when,
  threshold,
  margin: roundedOrNull(margin),
  state,
  reason,
})

/** Each short strike's distance from the index, below zero once the index is beyond it. */
export function listShorts(position: Position, marks: Marks) {
  const { sp, sc } = position.legs
  const put = { leg: 'sp' as const, points: marks.put_points, moves: marks.put_moves }
  const call = { leg: 'sc' as const, points: marks.call_points, moves: marks.call_moves }
  return [sp === undefined ? null : put, sc === undefined ? null : call]
    .filter(short => short !== null)
    .map(({ leg, points, moves }) => ({
      leg,
      points: roundedOrNull(points),
      expected_moves: roundedOrNull(moves),
    }))
}

function toNearOrders(orders: readonly NearOrder[]) {
  return {
    order_count: orders[0]?.order_count ?? 0,
    orders: orders.map(order => ({
      oid: order.order_id,
      t: order.minute_et,
      kind: order.structure,
      points: rounded(order.distance_points),
      premium: rounded(order.gross_premium_usd / 1e6),
      gamma: gammaWord(order.dealer_gamma_musd_per_point),
      gamma_null: order.gamma_null_reason,
    })),
  }
}

function gammaWord(gamma: number | null): 'added' | 'removed' | 'none' | null {
  if (gamma === null) return null
  if (gamma === 0) return 'none'
  return gamma > 0 ? 'added' : 'removed'
}
