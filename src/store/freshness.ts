import { instantMs, minutesOf, sessionOf } from '../market/calendar.ts'
import type { Found } from './catalog.ts'

const MINUTE_MS = 60_000

/**
 * 'HH:MM:SS' ET up to which a session's ledger knows. Of one that is told as it runs, the end of
 * the last minute before the one told that has prints; null before the first.
 */
export function asofOf({ manifest, knownBeforeMs }: Found): string | null {
  if (knownBeforeMs === undefined) return manifest.asof
  const session = sessionOf(manifest.session_date)
  const missing = new Set(manifest.minutes.missing)
  const told = (session ? minutesOf(session) : []).findLast(
    ({ minute, atMs }) => atMs + MINUTE_MS <= knownBeforeMs && !missing.has(minute),
  )
  return told ? `${told.minute}:59` : null
}

/** The instant of an 'HH:MM:SS' ET of a day. UTC milliseconds. */
export const asofMs = (date: string, asof: string): number =>
  instantMs(date, asof.slice(0, 5)) + Number(asof.slice(6)) * 1000
