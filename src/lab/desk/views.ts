import { join } from 'node:path'
import { openThread } from '../../fair/thread.ts'
import type { Log } from '../../http/request.ts'
import {
  dayReader,
  findTradingSession,
  type SessionDate,
  wallTimeEt,
} from '../../market/calendar.ts'
import type { Catalog, Found } from '../../published/catalog.ts'
import { DamagedFile } from '../../published/damagedFile.ts'
import { LAB_SOURCES } from '../../published/labFiles.ts'
import { datasetFiles } from '../../published/liveManifest.ts'
import { knownUntilMs } from '../../published/newsMinutes.ts'
import type { RuleSpec } from '../language/spec.ts'
import { parseMinute } from '../language/times.ts'
import type { LabSessionView } from './sessionView.ts'
import type { ViewQuestion } from './viewThread.ts'

const SCRIPT = join(import.meta.dirname, 'viewThread.ts')

/** Pictures that may wait for the thread. */
const WAITING_MAX = 16

/** A session to draw, or why there is none. */
export type Viewed =
  | {
      readonly view: LabSessionView
      readonly isSimulated: boolean
      /** Whether it still runs: it is told up to the newest minute. */
      readonly isRunning: boolean
      /** Whether it is of the day that it is in New York. */
      readonly isToday: boolean
      /** The session of today, where it is not told to who asks. */
      readonly held: SessionDate | null
    }
  | { readonly reason: NoView; readonly day: SessionDate | null }

/**
 * `none`: nothing is published; `not_published`: the day is not; `held`: it is of today, and not
 * told to who asks; `early`: no minute is known yet; `no_minutes`: it was published without what a
 * rule is replayed on; `unread`: its files cannot be read now; `busy`: too many wait.
 */
export type NoView = 'none' | 'not_published' | 'held' | 'early' | 'no_minutes' | 'unread' | 'busy'

export type Views = {
  /** The newest session with what a rule did in it; that of today only to who may see it. */
  readonly newest: (spec: RuleSpec, mayBeToday: boolean) => Promise<Viewed>
  /** The minutes of a session; that of today only to who may see it. */
  readonly session: (day: SessionDate, mayBeToday: boolean) => Promise<Viewed>
  readonly close: () => Promise<void>
}

export type ViewsDeps = {
  readonly dataFolder: string
  readonly catalog: Catalog
  /** Of the market: in a replay it is the replay's. */
  readonly nowMs: () => number
  readonly log: Log
}

/** Opens the sessions of a data folder for pictures; the thread starts with the first one. */
export function openViews({ dataFolder, catalog, nowMs, log }: ViewsDeps): Views {
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
      // the page of the idea is there all the same
      if (cause instanceof DamagedFile) catalog.reportDamage(cause)
      else log.error({ err: cause, day }, 'cannot draw a session')
      return { reason: 'unread', day }
    } finally {
      waiting -= 1
    }
  }
  /** The last session that may be seen, and that of today where it may not. */
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

/** The catalog cannot read its folder, and never could. */
function unread(log: Log, cause: unknown, day: SessionDate | null): Viewed {
  log.error({ err: cause }, 'cannot draw a session')
  return { reason: 'unread', day }
}
