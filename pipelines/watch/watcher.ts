import { memoryBefore, parseMemory } from '../../src/alerts/finding/memory.ts'
import { previousPrice } from '../../src/alerts/finding/previousPrice.ts'
import type { MinutesReader } from '../../src/alerts/finding/readMinutes.ts'
import {
  createSinceMinute,
  type SinceMinute,
  sinceMinuteOfReplay,
} from '../../src/alerts/finding/sinceMinute.ts'
import {
  instantMs,
  MINUTE_MS,
  type MinuteEt,
  type SessionDate,
} from '../../src/core/market/calendar.ts'
import type { Catalog, Found } from '../../src/data/published/catalog.ts'
import { knownUntilMs, messageHours, toMinuteEt } from '../../src/data/published/messageMinutes.ts'
import type { ServerStore } from '../../src/server/accountStore.ts'
import type { IdeaMonitor } from './ideaMonitor.ts'
import type { Say } from './say.ts'
import { openSettings } from './settings.ts'
import { type TakingDeps, takeMinute, type WatchedDay } from './takeMinute.ts'

/** The symbol of alerts: SPX, the one index that has a book here. */
const SYMBOL = 'SPX'

export type WatcherDeps = Omit<TakingDeps, 'accounts' | 'settings'> & {
  /** Published sessions, as of the market's clock. */
  readonly catalog: Catalog
  readonly reader: MinutesReader
  readonly accounts: Pick<ServerStore, 'alerts' | 'outbox' | 'alertingPositions'>
  /** Start of the replay. System milliseconds. */
  readonly beganMs: number
  readonly say: Say
  /** Pauses between two minutes of one tick, so that other writers to the accounts can proceed. */
  readonly pause?: () => Promise<void>
  /** Runs the ideas that are on; none are run without it. */
  readonly ideaMonitor?: IdeaMonitor
}

export type Watcher = {
  /** Takes every published minute that was not taken; returns their number. One call at a time. */
  readonly tick: () => Promise<number>
  /** Ends the tick after the minute in progress. */
  readonly stop: () => void
}

/**
 * Watches sessions as their minutes are published, in order. Of several watchers one takes a
 * minute, and the others find it done. Failed minutes are attempted again at the next tick.
 */
export function openWatcher(deps: WatcherDeps): Watcher {
  const { catalog, reader, accounts, run, say } = deps
  const settings = openSettings({ ...accounts, run: run.id, systemMs: deps.systemMs, say })
  const taking: TakingDeps = { ...deps, settings }
  const daysToTake = openDays(deps)
  const watched = new Map<SessionDate, WatchedDay>()
  let isStopped = false

  const openDay = async (day: SessionDate): Promise<WatchedDay> => {
    const { minute = null, states = null } = (await accounts.outbox.findRun(run.id, day)) ?? {}
    const memory =
      states === null
        ? memoryBefore(await previousPrice(catalog, reader, day))
        : parseMemory(states)
    const next = () => toMinuteEt(findNextMs(day, (watched.get(day) ?? { minute }).minute))
    return { day, minute, states, memory, sinceMinute: findSinceMinute(deps, day, next) }
  }
  /** Continues from the minutes that another watcher has taken. */
  const reopen = async ({ day, minute, sinceMinute }: WatchedDay): Promise<WatchedDay> => {
    const other = await openDay(day)
    if (other.minute === minute) throw new Error(`the minute after ${minute} cannot be taken`)
    await settings.readLineStates()
    return { ...other, sinceMinute }
  }

  /** Takes the published minutes of a day; returns their number. */
  const takeDay = async (day: SessionDate): Promise<number> => {
    const found = catalog.find(day)
    if (!found || !isOfSymbol(found)) return 0
    const untilMs = knownUntilMs(found)
    let now = watched.get(day) ?? (await openDay(day))
    watched.set(day, now)
    if (untilMs === null || findNextMs(day, now.minute) > untilMs) return 0
    const minutes = await reader.read(found)
    let count = 0
    for (;;) {
      const atMs = findNextMs(day, now.minute)
      if (isStopped || atMs > untilMs) return count
      const taken = await takeMinute(taking, now, { minutes, atMs })
      if (taken) count++
      now = taken ? taken.watched : await reopen(now)
      watched.set(day, now)
      const events = taken?.outcome.events.length ?? 0
      if (events > 0) say.info(`${day} ${toMinuteEt(atMs)}`, { events })
      if (findNextMs(day, now.minute) <= untilMs) await deps.pause?.()
    }
  }

  /** Runs the ideas. A failure costs no alert: the next minute looks at this one again. */
  const runIdeaMonitor = async (day: SessionDate): Promise<void> => {
    const found = catalog.find(day)
    if (!deps.ideaMonitor || !found) return
    try {
      const events = await deps.ideaMonitor.take(found)
      if (events > 0) say.info(`${day}: ideas of the desk`, { events })
    } catch (error) {
      say.error(`ideas of the desk were not run: ${(error as Error).message}`, { day })
    }
  }

  return {
    tick: async () => {
      let count = 0
      const days = await daysToTake()
      for (const day of watched.keys()) if (!days.includes(day)) watched.delete(day)
      for (const day of days) {
        const taken = isStopped ? 0 : await takeDay(day)
        if (taken > 0) await runIdeaMonitor(day)
        count += taken
      }
      if (count === 0) await settings.readAhead()
      return count
    },
    stop: () => {
      isStopped = true
    },
  }
}

const isOfSymbol = (found: Found | null): boolean => found?.manifest.symbol === SYMBOL

/** Lists the sessions that may have new minutes: those since the one that was watched last. */
function openDays({ catalog, accounts, run, systemMs }: WatcherDeps) {
  let from: SessionDate | null = null
  return async (): Promise<readonly SessionDate[]> => {
    const sessions = catalog.sessions()
    if (from === null) {
      const { watched } = await accounts.outbox.outboxState({ nowMs: systemMs() })
      // sessions published before anybody watched count as old
      const newest = sessions.findLast(day => isOfSymbol(catalog.find(day)))
      from = watched.find(one => one.run === run.id)?.day ?? newest ?? null
    }
    const days = sessions.filter(day => from !== null && day >= from)
    from = days.at(-2) ?? from
    return days
  }
}

/** Instant of the minute after another one; null stands for none before. */
const findNextMs = (day: SessionDate, minute: MinuteEt | null): number =>
  minute === null ? messageHours(day).firstMs : instantMs(day, minute) + MINUTE_MS

const findSinceMinute = (
  { run, beganMs }: Pick<WatcherDeps, 'run' | 'beganMs'>,
  day: SessionDate,
  next: () => MinuteEt,
): SinceMinute => (run.isReplay ? sinceMinuteOfReplay(beganMs, next) : createSinceMinute(day))
