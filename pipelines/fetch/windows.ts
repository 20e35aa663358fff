/** Parts of a day, so that a response that breaks off costs one of them. */

import {
  addDays,
  instantMs,
  minutesAfter,
  type SessionDate,
} from '../../src/core/market/calendar.ts'

/** Minutes of one calendar day in New York; the end is exclusive. */
export type TimeWindow = {
  /** Calendar day. */
  readonly date: string
  /** First minute, such as '09:30'. */
  readonly from: string
  /** Minute of its end, such as '11:00'; '24:00' for the end of the day. */
  readonly to: string
  /** True where a session may have no rows, such as at night. */
  readonly mayBeEmpty: boolean
}

const EVENING = '20:15'
/** Trading and late reports have ended by then. */
const DAY_ENDS = '17:00'
const REGULAR_OPEN = '09:30'
/** No session closes before this minute. */
const EARLIEST_CLOSE = '13:00'

/**
 * Windows of a session: the evening and the night before it, then the day in pieces of the given
 * minutes. Together they hold each of its minutes once. No document says whether a vendor counts
 * an evening to its own day or to that of its session: `hasLateEvening` adds that of the session's
 * day, whose rows may be those of the evening before.
 */
export function sessionWindows(
  session: SessionDate,
  minutes: number,
  hasLateEvening = false,
): TimeWindow[] {
  const windows: TimeWindow[] = [
    { date: addDays(session, -1), from: EVENING, to: '24:00', mayBeEmpty: true },
    { date: session, from: '00:00', to: REGULAR_OPEN, mayBeEmpty: true },
  ]
  const late = { date: session, from: EVENING, to: '24:00', mayBeEmpty: true }
  return [...windows, ...dayWindows(session, minutes), ...(hasLateEvening ? [late] : [])]
}

/** Windows of a session from 09:30 to 17:00, each of the given minutes. */
export function dayWindows(session: SessionDate, minutes: number): TimeWindow[] {
  const windows: TimeWindow[] = []
  for (let from = REGULAR_OPEN; from < DAY_ENDS; ) {
    const next = minutesAfter(from, minutes)
    const to = next < DAY_ENDS ? next : DAY_ENDS
    windows.push({ date: session, from, to, mayBeEmpty: from >= EARLIEST_CLOSE })
    from = to
  }
  return windows
}

/** True for a window of an evening or a night. */
export const isNight = ({ from }: TimeWindow): boolean => from < REGULAR_OPEN || from >= EVENING

/** First instant of a window, and that of its end, UTC milliseconds. */
export const windowInstants = ({ date, from, to }: TimeWindow): readonly [number, number] => [
  instantMs(date, from),
  to === '24:00' ? instantMs(addDays(date, 1), '00:00') : instantMs(date, to),
]

/** Digits of a window for the name of its file, such as '0930'; 'evening' for that before. */
export const windowName = (session: SessionDate, { date, from }: TimeWindow): string =>
  date === session ? from.replace(':', '') : 'evening'
