import {
  findTradingSession,
  isDate,
  isMinute,
  listMinutes,
  type MinuteEt,
  type SessionDate,
} from '../../core/market/calendar.ts'
import type { Catalog, Found } from './catalog.ts'
import { FIRST_MINUTE, latestMinute } from './stateMinutes.ts'

/** State of a session, the subject of an event of a stream. */
export type StreamState = { readonly day: SessionDate; readonly minute: MinuteEt }

/** Id of the events of a state: the same on every server. */
export const formatStateId = ({ day, minute }: StreamState): string => `${day}T${minute}`

function parseStateId(text: string): StreamState | null {
  const [day = '', minute = ''] = text.split('T')
  return isDate(day) && isMinute(minute) ? { day, minute } : null
}

type States = { readonly catalog: Catalog; readonly nowMs: () => number }

/**
 * Returns the states that follow an event, oldest first: the rest of its session, and those of the
 * newest one so far. Of a client without an event only the newest state; after an id that is none,
 * all of the newest session. A stream sends a few of them, or their changes as one event: a client
 * chooses its id, and may have missed hundreds.
 */
export function listStatesAfter({ catalog, nowMs }: States, afterId: string | null): StreamState[] {
  const newest = catalog.newest()
  if (!newest) return []
  const states = listStates(newest, nowMs())
  if (afterId === null) return states.slice(-1)
  const after = parseStateId(afterId)
  if (after === null) return states
  const { session_date: day } = newest.manifest
  if (after.day > day) return []
  const isLater = ({ minute }: StreamState) => minute > after.minute
  if (after.day === day) return states.filter(isLater)
  const earlier = catalog.find(after.day)
  return [...(earlier ? listStates(earlier, nowMs()).filter(isLater) : []), ...states]
}

function listStates(found: Found, nowMs: number): StreamState[] {
  const { session_date: day } = found.manifest
  const latest = latestMinute(found, nowMs)
  if (latest === null) return []
  return listMinutes(findTradingSession(day)!).flatMap(({ minute }) =>
    minute >= FIRST_MINUTE && minute <= latest ? [{ day, minute }] : [],
  )
}

/** Interval at which a server looks for a new state. */
const LOOK_EVERY_MS = 250

/** Background work that reports each new state of the newest session. */
export function workOfNewStates({ catalog, nowMs }: States, notify: () => void) {
  let last = ''
  const look = () => {
    const newest = catalog.newest()
    const state = newest && listStatesAfter({ catalog, nowMs }, null)[0]
    const id = state ? formatStateId(state) : ''
    if (id === last) return
    last = id
    notify()
  }
  return { name: 'look for new states to stream', everyMs: LOOK_EVERY_MS, run: look }
}
