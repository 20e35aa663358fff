import type { AccountStore, AlertingPosition } from '../../src/accounts/types.ts'
import { USUAL_LIST } from '../../src/alerts/catalogue.ts'
import { accountAlerts } from '../../src/alerts/finding/accountAlerts.ts'
import type { SinceMinute } from '../../src/alerts/finding/sinceMinute.ts'
import { openWatched, type WatchedSettings } from '../../src/alerts/finding/watched.ts'
import type { SessionDate } from '../../src/market/calendar.ts'
import type { Say } from './say.ts'

/** What was read is used for no longer, however old the minute is that asks. */
const CACHED_MS = 2_000

export type SettingsCacheDeps = Pick<AccountStore, 'alerts' | 'outbox' | 'alertingPositions'> & {
  readonly run: string
  readonly systemMs: () => number
  readonly say: Say
}

/** What accounts have set by an instant. */
export type KnownSettings = {
  readonly settings: WatchedSettings
  /** Positions of accounts that are told anything. */
  readonly positions: readonly AlertingPosition[]
}

export type SettingsQuery = {
  readonly day: SessionDate
  readonly sinceMinute: SinceMinute
  /** All that was set before it has to be known. System milliseconds. */
  readonly setBeforeMs: number
}

/** What accounts have set, as a watcher knows it: read whole once, then what was changed. */
export type SettingsCache = {
  readonly read: (query: SettingsQuery) => Promise<KnownSettings>
  /** Reads while nobody waits, where the last time is over. */
  readonly readAhead: () => Promise<void>
  /** Reads again which lines have fired: another watcher took a minute. */
  readonly readLineStates: () => Promise<void>
}

type Known = KnownSettings & {
  readonly query: SettingsQuery
  readonly version: number
  readonly readAtMs: number
}

export function openSettings(deps: SettingsCacheDeps): SettingsCache {
  const { outbox, run, systemMs } = deps
  let known: Known | null = null

  const readAnew = async (query: SettingsQuery): Promise<Known> => {
    // in another session the same settings count from other minutes
    known = await readChanges(deps, known?.query.day === query.day ? known : null, query)
    return known
  }
  const isOver = ({ readAtMs }: Known) => Math.abs(systemMs() - readAtMs) > CACHED_MS

  return {
    read: async query => {
      const isKnown =
        known?.query.day === query.day &&
        known.readAtMs >= query.setBeforeMs &&
        // of minutes that came late, one after the other, each would read the same
        !isOver(known)
      return isKnown ? known! : readAnew(query)
    },
    readAhead: async () => {
      if (known && isOver(known)) await readAnew(known.query)
    },
    readLineStates: async () => {
      if (!known) return
      const { lines, findLine } = known.settings
      for (const { lineId, isArmed, firedAtMs } of await outbox.listLineStates(run)) {
        const line = findLine(lineId)
        if (line) lines.put(line, { armed: isArmed, firedAtMs })
      }
    },
  }
}

async function readChanges(
  deps: SettingsCacheDeps,
  known: Known | null,
  query: SettingsQuery,
): Promise<Known> {
  const { alerts, alertingPositions, run, systemMs, say } = deps
  const readAtMs = systemMs()
  const sinceVersion = known?.version ?? 0
  const changes = await alerts.watched({ sinceVersion, atMs: readAtMs, run })
  const { sinceMinute } = query
  const settings =
    known && !changes.isWhole ? known.settings : openWatched({ sinceMinute, usualList: USUAL_LIST })
  settings.putAccounts(changes.accountIds)
  for (const changed of changes.changed) {
    try {
      settings.putAlerts(accountAlerts(changed))
    } catch (error) {
      // one account whose settings cannot be read must not keep all others from theirs
      const reason = (error as Error).message
      say.error(`settings of ${changed.accountId} cannot be read`, { reason })
    }
  }
  const positions = (await alertingPositions()).filter(one => settings.isNotified(one.accountId))
  return { query, version: changes.version, readAtMs, settings, positions }
}
