/** `tapefold minute`: brings a running session up to now, a state published for each minute. */

import { type Clock, systemClock } from '../../src/core/clock.ts'
import { UsageError } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { checkSession, tradingDayOrToday } from '../../src/core/days.ts'
import { lockPath, withLock } from '../../src/core/disk/lock.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import {
  instantMs,
  isMinute,
  MINUTE_MS,
  type Session,
  type SessionDate,
  wallTimeEt,
} from '../../src/core/market/calendar.ts'
import { MIN_PREMIUM_USD } from '../../src/core/market/minPremium.ts'
import {
  type LiveManifest,
  publishState,
  readLiveManifest,
  StateReplaced,
} from '../../src/data/published/liveManifest.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
import { isSimulated, tapeFiles } from '../../src/data/tape/manifest.ts'
import { readSymbols } from '../../src/data/tape/tables.ts'
import { commandProgress } from '../command/command.ts'
import type { Progress } from '../command/progress.ts'
import type { MINUTE } from '../command/rows.ts'
import { type SharedStates, withSharedStates } from '../command/sharedStates.ts'
import { type LiveSession, openLiveSession } from './step.ts'

/** Late reports still change orders until so long after the close. */
const KNOWN_AFTER_CLOSE_MS = 3 * MINUTE_MS

export type MinuteOptions = {
  readonly dataFolder: string
  readonly date: SessionDate
  readonly minPremiumUsd?: number
  readonly threads?: number
  /** The most prints of one step, where that is not what a session takes. */
  readonly stepPrints?: number
  /** True to compute states that another feed has published, so that it can go on at once. */
  readonly isFollowing?: boolean
  readonly progress: Progress
}

/** A session that is published state by state. */
export type MinuteJob = {
  readonly session: Session
  /** The last state there is. UTC milliseconds. */
  readonly endsAtMs: number
  /** The newest state published, as an instant; null before the first. UTC milliseconds. */
  readonly stateMs: () => number | null
  /**
   * Publishes every state up to an instant, one at a time, or as many at once as a step holds, to
   * catch up. Returns the manifest of the newest, or null when there is none yet: a morning may
   * bring open interest before the first print or quote.
   */
  readonly advance: (nowMs: number, atOnce?: boolean) => Promise<LiveManifest | null>
  readonly close: () => Promise<void>
}

/**
 * Runs `work` while no other process of this folder runs the session's minutes. Those of other
 * machines may, where they share a store: `states` has what they publish.
 */
export const withMinuteLock = <T>(
  { dataFolder, date }: Pick<MinuteOptions, 'dataFolder' | 'date'>,
  work: (states: SharedStates | null) => Promise<T>,
): Promise<T> =>
  withLock(
    lockPath(dataFolder, `live-${date}`),
    `Another process runs the minutes of ${date}; wait until it has ended.`,
    () => withSharedStates({ dataFolder, date }, work),
  )

/** A session that is open, and the end of the last step that it has taken. UTC milliseconds. */
type OpenSession = { readonly session: LiveSession; readonly standsAtMs: number }

/**
 * Opens a session at the state that was published last, by any process. Other feeds may publish its
 * states as well: it computes those too, and adds its own to the newest.
 */
export async function openMinuteJob(options: MinuteOptions): Promise<MinuteJob> {
  const { dataFolder, date, progress, minPremiumUsd = MIN_PREMIUM_USD } = options
  const { isFollowing = false } = options
  const session = checkRunning(dataFolder, date)
  let manifest = readLiveManifest(dataFolder, date)
  let live: OpenSession | null = null
  // reading it takes as long as a file of a state; a job never changes its code
  const version = codeVersion()
  /** True once the open session has published a state. */
  let hasPublished = false

  /** Publishes the step to an instant, on the newest state that ends where the step began. */
  const publish = async (opened: LiveSession, fromMs: number, untilMs: number) => {
    const { minute } = wallTimeEt(untilMs)
    await opened.advance(untilMs)
    const draft = {
      session_date: date,
      symbol: opened.symbol,
      simulated: isSimulated(dataFolder, date),
      asof: `${minute}:00`,
      code_version: version,
      min_premium_usd: minPremiumUsd,
      minutes: await opened.counts(),
      alarms: opened.alarms(),
      minute,
      knownBeforeMs: untilMs,
      hasNoStrays: hasPublished,
    }
    for (let before = manifest; ; ) {
      try {
        return await publishState(opened.db, dataFolder, {
          ...draft,
          replaces: before?.revision ?? null,
        })
      } catch (error) {
        if (!(error instanceof StateReplaced)) throw error
        before = readLiveManifest(dataFolder, date)
        if ((before?.live.known_before_ms ?? 0) !== fromMs) throw error
      }
    }
  }

  /** Opens the session where it is not, and computes the states that another feed has published. */
  const keepUp = async (stateMs: number): Promise<LiveSession> => {
    const opened =
      live?.session ?? (await openSession(manifest, { ...options, session, minPremiumUsd }))
    const fromMs = live?.standsAtMs ?? 0
    // a failed step has consumed its new data: the next one opens the session again
    live = null
    try {
      if (fromMs === 0 && stateMs > 0) {
        const { minute } = wallTimeEt(stateMs)
        await progress.step(`come up to ${minute}`, () => computeStates(opened, fromMs, stateMs))
      } else await computeStates(opened, fromMs, stateMs)
      live = { session: opened, standsAtMs: stateMs }
      return opened
    } finally {
      if (live === null) await opened.close()
    }
  }

  const close = async () => {
    const opened = live?.session
    live = null
    hasPublished = false
    await opened?.close()
  }

  /** Publishes the state of an instant, or the last one up to it that one step reaches. */
  const step = async (lastMs: number, atOnce: boolean) => {
    manifest = readLiveManifest(dataFolder, date)
    const stateMs = manifest?.live.known_before_ms ?? 0
    // its states gave way to earlier ones of another feed
    if (live && live.standsAtMs > stateMs) await close()
    const isDue = stateMs < lastMs
    if (!isDue && (live ? live.standsAtMs === stateMs : !isFollowing)) return stateMs
    const opened = await keepUp(stateMs)
    if (!isDue) return stateMs
    live = null
    try {
      const untilMs = atOnce ? await opened.stepEndMs(lastMs) : lastMs
      const { minute } = wallTimeEt(untilMs)
      manifest = await progress.step(`state ${minute}`, () => publish(opened, stateMs, untilMs))
      hasPublished = true
      // the state is published: prepare the look-back tables before the next one needs them
      await opened.makeReady()
      live = { session: opened, standsAtMs: untilMs }
    } catch (error) {
      if (!(error instanceof StateReplaced)) throw error
      manifest = readLiveManifest(dataFolder, date)
    } finally {
      if (live === null) {
        hasPublished = false
        await opened.close()
      }
    }
    return manifest?.live.known_before_ms ?? 0
  }

  const endsAtMs = session.closesAtMs + KNOWN_AFTER_CLOSE_MS
  return {
    session,
    endsAtMs,
    stateMs: () => manifest?.live.known_before_ms ?? null,
    advance: async (nowMs, atOnce = false) => {
      const untilMs = Math.min(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS, endsAtMs)
      manifest = readLiveManifest(dataFolder, date)
      if (!manifest && !hasSymbol(dataFolder, date)) return null
      const firstMs = session.opensAtMs - MINUTE_MS
      let stateMs = manifest?.live.known_before_ms ?? firstMs
      if (stateMs >= untilMs && stateMs < endsAtMs && untilMs > firstMs) await step(untilMs, atOnce)
      while (stateMs < untilMs) {
        stateMs = await step(atOnce ? untilMs : stateMs + MINUTE_MS, atOnce)
      }
      return manifest
    },
    close,
  }
}

/** Opens a session before its first state. */
async function openSession(
  manifest: LiveManifest | null,
  options: MinuteOptions & { readonly session: Session; readonly minPremiumUsd: number },
): Promise<LiveSession> {
  const { dataFolder, date, session, minPremiumUsd } = options
  // states that are published stay: those that follow are of the same index
  const symbol = manifest?.symbol ?? (await readSymbol(dataFolder, date))
  // concurrent work has its own connection: more threads only wait for each other
  const threads = options.threads ?? 1
  return openLiveSession({
    dataFolder,
    session,
    symbol,
    minPremiumUsd,
    threads,
    ...(options.stepPrints !== undefined && { stepPrints: options.stepPrints }),
  })
}

/** Computes the states up to an instant, which are published and stay as they are. */
async function computeStates(live: LiveSession, fromMs: number, untilMs: number): Promise<void> {
  for (let atMs = fromMs; atMs < untilMs; ) {
    atMs = await live.stepEndMs(untilMs)
    await live.advance(atMs)
    await live.makeReady()
  }
}

function checkRunning(dataFolder: string, date: SessionDate): Session {
  const session = checkSession(date)
  if (readManifest(dataFolder, date)) {
    throw new Refusal(`${date} is finished and published; ask for its minutes with asof.`)
  }
  return session
}

/** Datasets that have the symbol of a session: the quotes do before anything has printed. */
const SYMBOL_DATASETS = ['prints', 'quotes'] as const

const hasSymbol = (dataFolder: string, date: SessionDate): boolean =>
  SYMBOL_DATASETS.some(name => tapeFiles(dataFolder, name, date).length > 0)

/** The symbol of a tape that has it. */
async function readSymbol(dataFolder: string, date: SessionDate): Promise<string> {
  const db = await openDatabase()
  try {
    return (await readSymbols(db, dataFolder, date, SYMBOL_DATASETS))!.symbol
  } finally {
    db.close()
  }
}

/** Publishes the states of a session up to an instant. */
async function runMinutes(
  options: MinuteOptions & { readonly untilMs: number; readonly atOnce?: boolean },
): Promise<LiveManifest | null> {
  const { dataFolder, date } = options
  return withMinuteLock(options, async states => {
    await states?.adopt(options.untilMs)
    const job = await openMinuteJob(options)
    try {
      const manifest = await job.advance(options.untilMs, options.atOnce)
      if (!manifest && !hasSymbol(dataFolder, date)) {
        throw new Refusal(
          `the tape of ${date} has no prints and no quotes: import some first, for example ` +
            '"tapefold import prints FILE".',
        )
      }
      return manifest
    } finally {
      await job.close()
    }
  })
}

/** The instant up to which states are wanted; fails with a sentence that names the option. */
function parseUntil(date: SessionDate, until: string | undefined, clock: Clock): number {
  if (until === undefined) return clock.nowMs()
  if (!isMinute(until)) {
    throw new UsageError(`--until is ${until}; give an ET minute, such as 10:37.`)
  }
  return Math.min(instantMs(date, until), clock.nowMs())
}

/** One line that says up to when a session is published. */
export const formatLiveStatus = (date: SessionDate, manifest: LiveManifest | null): string =>
  manifest
    ? `${date} stands at ${manifest.live.minute}, revision ${manifest.revision}`
    : `the session of ${date} has not begun: no minute of it is published yet`

/** Runs `tapefold minute`. */
export async function minuteCommand(input: Input<typeof MINUTE>): Promise<void> {
  const date = tradingDayOrToday(input.words[0], wallTimeEt(systemClock.nowMs()).date)
  const progress = commandProgress()
  const manifest = await runMinutes({
    dataFolder: input.data,
    date,
    minPremiumUsd: input['min-premium'],
    untilMs: parseUntil(date, input.until, systemClock),
    atOnce: input['at-once'],
    progress,
  })
  progress.say(formatLiveStatus(date, manifest))
}
