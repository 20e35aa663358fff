import { join } from 'node:path'
import {
  dayReader,
  findTradingSession,
  parseMinute,
  type SessionDate,
  wallTimeEt,
} from '../../core/market/calendar.ts'
import { type Catalog, type Found, withReplayed } from '../../data/published/catalog.ts'
import { DamagedFile } from '../../data/published/damagedFile.ts'
import { LAB_SOURCES } from '../../data/published/labFiles.ts'
import { datasetFiles } from '../../data/published/liveManifest.ts'
import { knownUntilMs } from '../../data/published/messageMinutes.ts'
import type { Log } from '../../platform/http/request.ts'
import { openThread } from '../../platform/pool/thread.ts'
import type { RuleSpec } from '../language/spec.ts'
import type { LabSessionView } from './sessionView.ts'
import type { ViewQuestion } from './viewThread.ts'

const SCRIPT = join(import.meta.dirname, 'viewThread.ts')

/** Maximum number of pictures waiting for the thread. */
const WAITING_MAX = 16

/** A session to draw, or the reason why there is none. */
export type Viewed =
  | {
      readonly view: LabSessionView
      readonly isSimulated: boolean
      /** True while the session is running: it is drawn up to the newest minute. */
      readonly isRunning: boolean
      /** True when the session's date is the current date in New York. */
      readonly isToday: boolean
      /** Today's session, when the caller may not see it. */
      readonly held: SessionDate | null
    }
  | { readonly reason: NoView; readonly day: SessionDate | null }

/**
 * `none`: nothing is published; `not_published`: the day is not; `held`: it is today's session,
 * which the caller may not see; `early`: no minute is known yet; `no_minutes`: it was published
 * without the data a replay needs; `unread`: its files cannot be read now; `busy`: too many
 * requests wait.
 */
export type NoView = 'none' | 'not_published' | 'held' | 'early' | 'no_minutes' | 'unread' | 'busy'

export type Views = {
  /** Returns the newest session with the rule's trades; today's only with permission. */
  readonly newest: (spec: RuleSpec, mayBeToday: boolean) => Promise<Viewed>
  /** Returns the minutes of a session; today's only with permission. */
  readonly session: (day: SessionDate, mayBeToday: boolean) => Promise<Viewed>
  readonly close: () => Promise<void>
}

export type ViewsDeps = {
  readonly dataFolder: string
  readonly catalog: Catalog
  /** Market time: the replay's clock in a replay. */
  readonly nowMs: () => number
  readonly log: Log
}

/** Opens the sessions of a data folder for pictures; the thread starts on first use. */
export function openViews({ dataFolder, nowMs, log, ...deps }: ViewsDeps): Views {
  const catalog = withReplayed(deps.catalog)
  const options = { script: SCRIPT, workerData: dataFolder }
  const thread = openThread<ViewQuestion, LabSessionView | null>(options)
  const toDay = dayReader()
  let waiting = 0

  const hasSources = ({ manifest }: Found) =>
    LAB_SOURCES.some(name => datasetFiles(dataFolder, manifest, name).files.length > 0)

  const look = async (
    found: Found,
    { spec, held }: { readonly spec: RuleSpec | null; readonly held: SessionDate | null },
  ): Promise<Viewed> => {
    const { manifest, knownBeforeMs } = found
    const day = manifest.session_date
    const untilMs = knownUntilMs(found)
    if (untilMs === null) return { reason: 'early', day }
    if (!hasSources(found)) return { reason: 'no_minutes', day }
    if (waiting >= WAITING_MAX) return { reason: 'busy', day }
    waiting += 1
    try {
      const untilMinute = parseMinute(wallTimeEt(untilMs).minute)
      const view = await thread.query({ manifest, spec, untilMinute })
      if (!view) return { reason: 'no_minutes', day }
      const isRunning = knownBeforeMs !== undefined && view.known < view.minutes.length
      const isToday = day === toDay(nowMs())
      return { view, isSimulated: manifest.simulated, isRunning, isToday, held }
    } catch (cause) {
      // the page of the idea is served without the picture
      if (cause instanceof DamagedFile) catalog.reportDamage(cause)
      else log.error({ err: cause, day }, 'cannot draw a session')
      return { reason: 'unread', day }
    } finally {
      waiting -= 1
    }
  }
  /** Finds the latest session that may be shown, and today's session when it may not be. */
  const newestFound = (mayBeToday: boolean) => {
    const today = toDay(nowMs())
    const days = catalog.sessions()
    const seen = mayBeToday ? days : days.filter(day => day < today)
    const last = seen.at(-1)
    const newest = days.at(-1)
    return {
      found: last === undefined ? null : catalog.find(last),
      held: newest !== undefined && newest !== last && newest >= today ? newest : null,
    }
  }
  return {
    newest: async (spec, mayBeToday) => {
      try {
        const { found, held } = newestFound(mayBeToday)
        if (found) return await look(found, { spec, held })
        return held === null ? { reason: 'none', day: null } : { reason: 'held', day: held }
      } catch (cause) {
        return unread(log, cause, null)
      }
    },
    session: async (day, mayBeToday) => {
      if (!mayBeToday && day >= toDay(nowMs())) return { reason: 'held', day }
      try {
        const found = findTradingSession(day) && catalog.find(day)
        if (!found) return { reason: 'not_published', day }
        return await look(found, { spec: null, held: null })
      } catch (cause) {
        return unread(log, cause, day)
      }
    },
    close: thread.close,
  }
}

/** Handles a catalog that has never been able to read its folder. */
function unread(log: Log, cause: unknown, day: SessionDate | null): Viewed {
  log.error({ err: cause }, 'cannot draw a session')
  return { reason: 'unread', day }
}
