import { instantMs, MINUTE_MS } from '../core/market/calendar.ts'
import type { Catalog } from '../data/published/catalog.ts'
import { catalogInSight } from '../data/published/inSight.ts'
import { knownUntilMs, messageHours } from '../data/published/messageMinutes.ts'
import type { OutboxState } from '../outbox/store/types.ts'
import type { AlertsStatus } from './schema.ts'

/** The run of live sessions; a replay is monitored by its user. */
const LIVE_RUN = 'live'
/** Symbol whose sessions have alerts. */
const SYMBOL = 'SPX'

export type AlertsLookDeps = {
  readonly catalog: Catalog
  readonly outboxState: (request: { nowMs: number }) => Promise<OutboxState>
  readonly nowMs: () => number
  /** True in a replay: the run of live sessions stands still, and nobody waits for it. */
  readonly isReplay?: boolean
  /** System time, also in a replay. */
  readonly elapsedMs: () => number
}

export type AlertsLook = {
  /** Queries the account store; when it fails, its last response is discarded. */
  readonly look: () => Promise<void>
  /** Returns the last status read; null: unknown. */
  readonly read: () => AlertsStatus | null
}

/** Opens the reader of the watcher's progress and of the deliveries. */
export function openAlertsLook({
  catalog,
  outboxState,
  nowMs,
  isReplay = false,
  elapsedMs,
}: AlertsLookDeps): AlertsLook {
  let state: OutboxState | null = null
  /** Time since which there are unwatched minutes. */
  let behindSinceMs: number | null = null

  const read = (): AlertsStatus | null => {
    if (!state) return null
    const watched = isReplay ? null : (state.watched.find(({ run }) => run === LIVE_RUN) ?? null)
    const nextMs = watched && firstUnwatchedMs(catalog, watched)
    if (nextMs === null) behindSinceMs = null
    else behindSinceMs ??= elapsedMs()
    // a session that is published whole is not late by its own hours
    const lagMs = nextMs && Math.min(nowMs() - nextMs, elapsedMs() - behindSinceMs!)
    const { waiting, trying, oldestDueMs, sentLastHour, failedLastHour } = state
    return {
      day: watched?.day ?? null,
      minute: watched?.minute ?? null,
      lag_s: watched && toSeconds(lagMs ?? 0),
      waiting,
      trying,
      oldest_due_s: oldestDueMs === null ? null : toSeconds(elapsedMs() - oldestDueMs),
      sent_last_hour: sentLastHour,
      failed_last_hour: failedLastHour,
    }
  }
  return {
    look: async () => {
      try {
        state = await outboxState({ nowMs: elapsedMs() })
        read()
      } catch (error) {
        state = null
        throw error
      }
    },
    read,
  }
}

/** The first published minute that was not watched; null when there is none. */
function firstUnwatchedMs(
  given: Catalog,
  { day, minute }: { readonly day: string; readonly minute: string | null },
): number | null {
  const newest = catalogInSight(given).catalog.newest()
  if (!newest || newest.manifest.symbol !== SYMBOL) return null
  const { session_date: newestDay } = newest.manifest
  const untilMs = knownUntilMs(newest)
  if (untilMs === null || newestDay < day) return null
  const isBegun = newestDay === day && minute !== null
  const nextMs = isBegun ? instantMs(day, minute) + MINUTE_MS : messageHours(newestDay).firstMs
  return nextMs <= untilMs ? nextMs : null
}

const toSeconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000))
