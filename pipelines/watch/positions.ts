import type { JudgedPosition } from '../../src/alerts/finding/question.ts'
import { firstReadMinute, type ReportedLabel } from '../../src/alerts/rules/positionLabel.ts'
import type { MinuteEt, SessionDate } from '../../src/core/market/calendar.ts'
import { findTradingSession } from '../../src/core/market/calendar.ts'
import type { Catalog } from '../../src/data/published/catalog.ts'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'
import { isJudgeable } from '../../src/data/published/positionTables.ts'
import { FIRST_MINUTE, lastJudgedMinute } from '../../src/data/published/stateMinutes.ts'
import { checksAt } from '../../src/positions/ask.ts'
import type { Check } from '../../src/positions/checkSchema.ts'
import type { Judge } from '../../src/positions/marketValues.ts'
import type { Position } from '../../src/positions/schema.ts'
import type { AlertingPosition } from '../../src/positions/store/types.ts'
import { toPosition } from '../../src/positions/stored.ts'
import type { Say } from './say.ts'

/** Positions judged in one batch: later work waits for no more than these. */
const AT_ONCE = 500

export type JudgingPositions = {
  readonly catalog: Catalog
  readonly judge: Judge
  readonly nowMs: () => number
  readonly say: Say
}

/** Judges the positions with alerts at a minute of a session. */
export type PositionsAt = (
  stored: readonly AlertingPosition[],
  at: { readonly manifest: PublishedManifest; readonly minute: MinuteEt },
) => Promise<JudgedPosition[]>

/**
 * Judges positions with the functions of the positions API, so that both agree on a minute. Labels
 * of positions that cannot be judged are unknown at that minute.
 */
export function openPositionsAt({ say, ...deps }: JudgingPositions): PositionsAt {
  const read = openReader(say)
  const judgeAll = async (positions: readonly Position[], at: ManifestMinute) => {
    const checks = new Map<string, Check>()
    for (let start = 0; start < positions.length; start += AT_ONCE) {
      const some = positions.slice(start, start + AT_ONCE)
      const results = await checksAt(deps, toAsOf(at), some)
      for (const check of results.checks) checks.set(check.position_id, check)
    }
    return checks
  }
  return async (stored, { manifest, minute }) => {
    const watched = stored.flatMap(one => read(one) ?? [])
    const { session_date: day } = manifest
    if (!isJudged(day, minute)) return watched.map(one => judged(one, null))
    const due = watched.filter(one => minute >= findFirstMinute(one.position))
    const checks = await judgeDue(due, { manifest, minute }).catch(error => {
      say.error('positions cannot be judged', { minute, reason: (error as Error).message })
      return new Map<string, Check>()
    })
    return watched.map(one => judged(one, checks.get(one.position.id) ?? null))

    async function judgeDue(some: readonly Watched[], at: ManifestMinute) {
      if (some.length === 0 || !isJudgeable(manifest)) return new Map<string, Check>()
      const positions = some.map(({ position }) => position)
      return judgeAll(positions, at)
    }
  }
}

type ManifestMinute = { readonly manifest: PublishedManifest; readonly minute: MinuteEt }
type Watched = { readonly stored: AlertingPosition; readonly position: Position }

const toAsOf = ({ manifest, minute }: ManifestMinute) => {
  const { session_date: day } = manifest
  return { day, manifest, minute, note: null, isDamaged: false }
}

/** Parses stored positions, once for each time a position was saved. */
function openReader(say: Say) {
  const known = new Map<
    string,
    { readonly updatedAtMs: number; readonly watched: Watched | null }
  >()
  return (stored: AlertingPosition): Watched | null => {
    const last = known.get(stored.id)
    if (last?.updatedAtMs === stored.updatedAtMs) return last.watched
    const watched = readOne(stored, say)
    known.set(stored.id, { updatedAtMs: stored.updatedAtMs, watched })
    return watched
  }
}

function readOne(stored: AlertingPosition, say: Say): Watched | null {
  try {
    const position = toPosition(stored)
    return position.alert.channel === 'off' ? null : { stored, position }
  } catch (error) {
    say.error(`position ${stored.id} cannot be read`, { reason: (error as Error).message })
    return null
  }
}

const isJudged = (day: SessionDate, minute: MinuteEt): boolean =>
  FIRST_MINUTE <= minute && minute <= lastJudgedMinute(findTradingSession(day)!)

const findFirstMinute = ({ entry, alert }: Position): MinuteEt =>
  firstReadMinute({ entry, before: alert.before, firstMinute: null })

function judged({ stored, position }: Watched, check: Check | null): JudgedPosition {
  const { id, kind, entry, alert } = position
  return {
    accountId: stored.accountId,
    position: { id, kind, entry },
    // a position that is off was left out
    channel: alert.channel as Exclude<typeof alert.channel, 'off'>,
    url: alert.url,
    before: alert.before,
    sinceMs: stored.updatedAtMs,
    reading: check && {
      label: check.label as ReportedLabel | null,
      error: check.error ?? null,
      counts: check.counts,
      on: check.conditions.filter(({ state }) => state === 'on').map(one => one.id),
      shorts: check.shorts.map(({ leg, points, expected_moves }) => {
        return { leg, points, expected_moves }
      }),
    },
  }
}
