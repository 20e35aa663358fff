import {
  formatMinute,
  instantMs,
  type MinuteEt,
  parseMinute,
  type SessionDate,
  wallTimeEt,
} from '../../core/market/calendar.ts'
import type { Found } from './catalog.ts'
import type { PublishedManifest } from './manifest.ts'

const OPEN_ET = '09:30'

/** Minutes that follow each other, in which nothing was printed. */
export type Gap = { readonly from: MinuteEt; readonly to: MinuteEt; readonly minutes: number }

/**
 * 'HH:MM:SS' ET up to which a session's ledger knows. While the session runs, the end of the last
 * minute with prints before the current one, where it knows that far; null before the first.
 */
export function formatAsof({ manifest, knownBeforeMs }: Found): string | null {
  if (knownBeforeMs === undefined) return manifest.asof
  const until = parseMinute(wallTimeEt(knownBeforeMs).minute)
  const missing = new Set(manifest.minutes.missing)
  const closes = computeLastMinute(manifest) + 1
  for (let minute = Math.min(until, closes) - 1; minute >= parseMinute(OPEN_ET); minute--) {
    if (missing.has(formatMinute(minute))) continue
    const end = `${formatMinute(minute)}:59`
    return end < manifest.asof ? end : manifest.asof
  }
  return null
}

/** The last minute of a session with prints, up to where its ledger knows; null without one. */
export function lastMinute(manifest: PublishedManifest, asof: string | null): MinuteEt | null {
  if (asof === null) return null
  const missing = new Set(manifest.minutes.missing)
  let minute = Math.min(parseMinute(asof), computeLastMinute(manifest))
  while (minute >= parseMinute(OPEN_ET) && missing.has(formatMinute(minute))) minute--
  return minute >= parseMinute(OPEN_ET) ? formatMinute(minute) : null
}

/** Finds the gaps of a session before a minute; later minutes have not come yet. */
export function findGaps(missing: readonly MinuteEt[], before = '24:00'): Gap[] {
  const gaps: { from: MinuteEt; to: MinuteEt; minutes: number }[] = []
  for (const minute of missing.filter(each => each < before).toSorted()) {
    const last = gaps.at(-1)
    if (last && parseMinute(minute) === parseMinute(last.to) + 1) {
      last.to = minute
      last.minutes++
    } else {
      gaps.push({ from: minute, to: minute, minutes: 1 })
    }
  }
  return gaps
}

/** A gap in a few letters: its first and last minute, or its only one. */
export const gapText = ({ from, to }: Gap): string => (from === to ? from : `${from}-${to}`)

/** The instant of an 'HH:MM:SS' ET of a day. UTC milliseconds. */
export const asofMs = (date: SessionDate, asof: string): number =>
  instantMs(date, asof.slice(0, 5)) + Number(asof.slice(6)) * 1000

const computeLastMinute = ({ minutes }: PublishedManifest) =>
  parseMinute(OPEN_ET) + minutes.expected - 1
