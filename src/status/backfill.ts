import { formatDuration } from '../core/text/counts.ts'
import type { BackfillState } from '../data/backfillState.ts'
import type { BackfillStatus } from './schema.ts'

/** Time without a sign of life after which a backfill counts as stopped: a killed one says nothing. */
const SILENT_MS = 2 * 60_000
/** Time for which an ended backfill is shown. */
const SHOWN_MS = 24 * 3_600_000

/** Judges the newest backfill; null where there is none, or it ended more than a day ago. */
export function judgeBackfill(state: BackfillState | null, atMs: number): BackfillStatus | null {
  if (!state) return null
  const { updated_at, ...rest } = state
  const silentMs = atMs - Date.parse(updated_at)
  if (silentMs > SHOWN_MS) return null
  if (state.ended_at !== null) return { ...rest, state: 'ended' }
  return { ...rest, state: silentMs > SILENT_MS ? 'stopped' : 'running' }
}

/** One sentence on a backfill. */
export function backfillText(backfill: BackfillStatus): string {
  const { from, to, state, sessions, done, running, waiting, failed } = backfill
  const counts = `${done} of ${sessions} sessions done, ${failed.length} failed`
  const range = `backfill ${from} to ${to}`
  if (state === 'ended') return `${range} has ended: ${counts}`
  if (state === 'stopped') return `${range} was stopped: ${counts}; run it again to go on`
  const rate =
    backfill.sessions_per_hour === null ? '' : `, ${backfill.sessions_per_hour} sessions an hour`
  const left =
    backfill.seconds_left === null
      ? ''
      : `, about ${formatDuration(backfill.seconds_left * 1000)} left`
  return `${range}: ${counts}, ${running} tasks running, ${waiting} waiting${rate}${left}`
}
