import { USUAL_LIST } from '../../src/alerts/catalogue.ts'
import { accountAlerts } from '../../src/alerts/finding/accountAlerts.ts'
import type { SinceMinute } from '../../src/alerts/finding/sinceMinute.ts'
import { openWatched, type WatchedSettings } from '../../src/alerts/finding/watched.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import type { AlertingPosition } from '../../src/positions/store/types.ts'
import type { ServerStore } from '../../src/server/accountStore.ts'
import type { Say } from './say.ts'

/** Maximum age of cached settings, however old the minute that needs them. */
const CACHED_MS = 2_000

export type SettingsCacheDeps = Pick<ServerStore, 'alerts' | 'outbox' | 'alertingPositions'> & {
  readonly run: string
  readonly systemMs: () => number
  readonly say: Say
}

/** Settings of accounts by an instant. */
export type KnownSettings = {
  readonly settings: WatchedSettings
  /** Positions of accounts with alerts. */
  readonly positions: readonly AlertingPosition[]
}

export type SettingsQuery = {
  readonly day: SessionDate
  readonly sinceMinute: SinceMinute
  /** Settings made before this instant must be included. System milliseconds. */
  readonly setBeforeMs: number
}

/** Settings of accounts, as a watcher caches them: read whole once, then only the changes. */
export type SettingsCache = {
  readonly read: (query: SettingsQuery) => Promise<KnownSettings>
  /** Reads ahead of the next minute, when the cached settings are too old. */
  readonly readAhead: () => Promise<void>
  /** Rereads which lines have fired, after another watcher took a minute. */
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

  const reread = async (query: SettingsQuery): Promise<Known> => {
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
        // late minutes, one after the other, would each read the same
        !isOver(known)
      return isKnown ? known! : reread(query)
    },
    readAhead: async () => {
      if (known && isOver(known)) await reread(known.query)
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
      // one account with unreadable settings must not stop all others
      const reason = (error as Error).message
      say.error(`settings of ${changed.accountId} cannot be read`, { reason })
    }
  }
  const positions = (await alertingPositions()).filter(one => settings.isNotified(one.accountId))
  return { query, version: changes.version, readAtMs, settings, positions }
}
