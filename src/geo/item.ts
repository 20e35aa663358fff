import { sha256 } from '../core/disk/files.ts'
import {
  addDays,
  findTradingSession,
  type MinuteEt,
  minutesAfter,
  neighbourSession,
  type SessionDate,
  wallTimeEt,
} from '../core/market/calendar.ts'
import type { Week } from '../data/geo/weeks.ts'
import { FIRST_MINUTE, lastJudgedMinute } from '../data/published/stateMinutes.ts'

/** Aggregated records. */
export type ItemRow = {
  readonly kind: 'event' | 'release'
  readonly date: string
  readonly country: string
  readonly code: string
  readonly source: string
  readonly label: string
  readonly events: number | null
  readonly mentions: number | null
  readonly goldstein: number | null
  readonly url: string | null
  readonly known_ms: number
  readonly updated_ms: number
}

/** Records of a day, a country and a kind of event, or a release. */
export type GeoItem = Omit<ItemRow, 'known_ms' | 'updated_ms'> & {
  /** `geo_` and 16 hexadecimal digits: stable over time. */
  readonly id: string
  readonly week: Week
  readonly knownMs: number
  readonly updatedMs: number
  /** The SPX session in or before which it became known. */
  readonly session: SessionDate
  /** The first minute of levels that could include it; null outside of their hours. */
  readonly minute: MinuteEt | null
}

/** Adds the id of an aggregate and its position in the sessions. */
export function toGeoItem(week: Week, { known_ms, updated_ms, ...row }: ItemRow): GeoItem {
  const { kind, source, date, country, code } = row
  const name = sha256([kind, source, date, country, code].join(' ')).slice(0, 16)
  const times = { knownMs: known_ms, updatedMs: updated_ms }
  return { ...row, id: `geo_${name}`, week, ...times, ...locateInSession(known_ms) }
}

/**
 * Locates an instant: the session is the first that closes after it; the minute is the first whose
 * levels could include what was known then, as those of HH:MM include everything before HH:MM:00.
 * Null before the first and after the last of these minutes.
 */
export function locateInSession(atMs: number): Pick<GeoItem, 'session' | 'minute'> {
  const { date, minute } = wallTimeEt(atMs)
  const today = findTradingSession(date)
  const session = today && atMs < today.closesAtMs ? today : neighbourSession(date, 1)
  const next = minutesAfter(minute, 1)
  const isWithin =
    session.date === date && next >= FIRST_MINUTE && next <= lastJudgedMinute(session)
  return { session: session.date, minute: isWithin ? next : null }
}

/** Sessions from one day to another, both included. */
export function sessionsBetween(from: string, to: string): SessionDate[] {
  const days: SessionDate[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) if (findTradingSession(day)) days.push(day)
  return days
}
