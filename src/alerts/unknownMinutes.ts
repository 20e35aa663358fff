import { findTradingSession, instantMs, listMinutes } from '../core/market/calendar.ts'
import { counted, grouped } from '../core/text/counts.ts'
import { INVENTORY_UNKNOWN } from '../data/published/reasons.ts'
import type { SessionMinutes, StateRow } from './finding/minutes.ts'
import type { AccountAlerts } from './finding/watched.ts'
import type { AlertLine, ListEntry, OrderRule } from './kinds.ts'
import { isLevelMinute } from './rules/hours.ts'

/** Settings of the measured book that wait while the dealers' positions are not known. */

type Settings = Omit<AccountAlerts, 'list' | 'accountId'> & {
  readonly list: readonly { readonly entry: ListEntry }[]
}

/**
 * Returns the sentence that says in how many minutes of a session no dealers' positions are known,
 * and what then sends nothing; null when there is no such minute, or no setting that waits.
 */
export function explainUnknownMinutes(minutes: SessionMinutes, settings: Settings): string | null {
  const states = listStates(minutes)
  const unknown = states.filter(state => state?.reason === INVENTORY_UNKNOWN)
  if (unknown.length === 0) return null
  const hasNoWalls = unknown.some(state => state?.call_wall === null && state.put_wall === null)
  const waiting = [...waitingEntries(settings, hasNoWalls), ...waitingOthers(settings, hasNoWalls)]
  if (waiting.length === 0) return null
  const day = minutes.manifest.session_date
  return (
    `${grouped(unknown.length)} of ${counted(states.length, 'minute')} of ${day} had no known ` +
    `dealers' positions (${INVENTORY_UNKNOWN}); such minutes send nothing of ${waiting.join(', ')}.`
  )
}

/** States of the measured book that levels are judged by, up to the last known minute. */
function listStates({ manifest, untilMs, findState }: SessionMinutes): (StateRow | null)[] {
  const day = manifest.session_date
  return listMinutes(findTradingSession(day)!)
    .map(({ minute }) => minute)
    .filter(minute => isLevelMinute(day, minute) && instantMs(day, minute) <= (untilMs ?? 0))
    .map(minute => findState(minute, 'measured'))
}

function waitingEntries({ list }: Settings, hasNoWalls: boolean): string[] {
  const rests = (entry: ListEntry): boolean => {
    switch (entry.type) {
      case 'flip_cross':
      case 'flip_move':
      case 'regime_change':
        return true
      case 'level_near':
        return entry.levels.includes('flip') || hasNoWalls
      default:
        return hasNoWalls
    }
  }
  return list
    .filter(({ entry }) => entry.on && entry.book === 'measured' && rests(entry))
    .map(({ entry }) => entry.type)
}

function waitingOthers({ lines, rules }: Settings, hasNoWalls: boolean): string[] {
  const isWaitingLine = ({ line }: { readonly line: AlertLine }) =>
    line.kind === 'level' && line.book === 'measured' && (line.level === 'flip' || hasNoWalls)
  const isWaitingRule = ({ rule }: { readonly rule: OrderRule }) =>
    rule.on &&
    (rule.flip_within !== undefined ||
      rule.flip_is !== undefined ||
      (rule.wall_within !== undefined && hasNoWalls))
  const counts = [
    [lines.filter(isWaitingLine).length, 'line at its levels', 'lines at its levels'],
    [rules.filter(isWaitingRule).length, 'order rule', 'order rules'],
  ] as const
  return counts.flatMap(([count, one, many]) => (count === 0 ? [] : [counted(count, one, many)]))
}
