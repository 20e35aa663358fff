/** `tapefold minute`: brings a running session up to now, a state published for each minute. */

import { type Clock, systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
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
} from '../../src/data/published/liveManifest.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
import { isSimulated } from '../../src/data/tape/manifest.ts'
import { readSymbols } from '../../src/data/tape/tables.ts'
import { commandProgress, runCommand } from '../command/command.ts'
import { checkSession, premiumOption, tradingDayOrToday } from '../command/days.ts'
import { withLivePushes } from '../command/livePushes.ts'
import type { Progress } from '../command/progress.ts'
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
  readonly progress: Progress
}

/** A session that is published state by state. */
export type MinuteJob = {
  readonly session: Session
  /** The last state there is. UTC milliseconds. */
  readonly endsAtMs: number
  /** The newest state published, as an instant; null before the first. UTC milliseconds. */
  readonly stateMs: () => number | null
  /** Prepares the next state without its rows, if it is due by then. */
  readonly prepare: (nowMs: number) => Promise<void>
  /**
   * Publishes every state up to an instant, one at a time, or as many at once as a step holds, to
   * catch up. Returns the manifest of the newest, or null when there is none yet.
   */
  readonly advance: (nowMs: number, atOnce?: boolean) => Promise<LiveManifest | null>
  readonly close: () => Promise<void>
}

/** Runs `work` while no other process runs the session's minutes. */
export const withMinuteLock = <T>(
  { dataFolder, date }: Pick<MinuteOptions, 'dataFolder' | 'date'>,
  work: () => Promise<T>,
): Promise<T> =>
  withLock(
    lockPath(dataFolder, `live-${date}`),
    `Another process runs the minutes of ${date}; wait until it has ended.`,
    () => withLivePushes({ dataFolder, date }, work),
  )

/** Opens a session at the state that was published last, by any process. */
export async function openMinuteJob(options: MinuteOptions): Promise<MinuteJob> {
  const { dataFolder, date, progress, minPremiumUsd = MIN_PREMIUM_USD } = options
  const session = checkRunning(dataFolder, date)
  let manifest = readLiveManifest(dataFolder, date)
  let live: LiveSession | null = null
  // reading it takes as long as a file of a state; a job never changes its code
  const version = codeVersion()
  /** True once the open session has published a state. */
  let hasPublished = false

  const publish = async (opened: LiveSession, untilMs: number) => {
    const { minute } = wallTimeEt(untilMs)
    await opened.advance(untilMs)
    return publishState(opened.db, dataFolder, {
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
      replaces: manifest?.revision ?? null,
      hasNoStrays: hasPublished,
    })
  }

  /** Publishes the state of an instant, or the last one up to it that one step reaches. */
  const step = async (lastMs: number, atOnce: boolean) => {
    // after a failure, or a later state of another feed, this one begins where the session stands
    if (live === null) manifest = readLiveManifest(dataFolder, date)
    const stateMs = manifest?.live.known_before_ms ?? 0
    if (stateMs >= lastMs) return stateMs
    const opened = live ?? (await openSessionAt(manifest, { ...options, session, minPremiumUsd }))
    // a failed step has consumed its new data: the next one opens the session again
    live = null
    try {
      const untilMs = atOnce ? await opened.stepEndMs(lastMs) : lastMs
      const { minute } = wallTimeEt(untilMs)
      manifest = await progress.step(`state ${minute}`, () => publish(opened, untilMs))
      if (manifest.live.known_before_ms > untilMs) return manifest.live.known_before_ms
      hasPublished = true
      // the state is published: prepare the look-back tables before the next one needs them
      await opened.makeReady()
      live = opened
      return untilMs
    } finally {
      if (live === null) {
        hasPublished = false
        await opened.close()
      }
    }
  }

  const endsAtMs = session.closesAtMs + KNOWN_AFTER_CLOSE_MS
  return {
    session,
    endsAtMs,
    stateMs: () => manifest?.live.known_before_ms ?? null,
    prepare: async nowMs => {
      const nextMs = (manifest?.live.known_before_ms ?? Number.NaN) + MINUTE_MS
      if (live && nextMs <= Math.min(nowMs, endsAtMs)) await live.prepare(nextMs)
    },
    advance: async (nowMs, atOnce = false) => {
      const untilMs = Math.min(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS, endsAtMs)
      let stateMs = manifest?.live.known_before_ms ?? session.opensAtMs - MINUTE_MS
      while (stateMs < untilMs) {
        stateMs = await step(atOnce ? untilMs : stateMs + MINUTE_MS, atOnce)
      }
      return manifest
    },
    close: async () => live?.close(),
  }
}

/** Opens a session at a state that is published, or before its first one. */
async function openSessionAt(
  manifest: LiveManifest | null,
  options: MinuteOptions & { readonly session: Session; readonly minPremiumUsd: number },
): Promise<LiveSession> {
  const { dataFolder, date, session, minPremiumUsd, progress } = options
  // states that are published stay: those that follow are of the same index
  const symbol = manifest?.symbol ?? (await readSymbol(dataFolder, date))
  // concurrent work has its own connection: more threads only wait for each other
  const threads = options.threads ?? 1
  const opened = await openLiveSession({
    dataFolder,
    session,
    symbol,
    minPremiumUsd,
    threads,
    ...(options.stepPrints !== undefined && { stepPrints: options.stepPrints }),
  })
  if (!manifest) return opened
  const { minute, known_before_ms } = manifest.live
  // published states are computed again, but not published again
  await progress.step(`come up to ${minute}`, async () => {
    for (let atMs = 0; atMs < known_before_ms; ) {
      atMs = await opened.stepEndMs(known_before_ms)
      await opened.advance(atMs)
      await opened.makeReady()
    }
  })
  return opened
}

function checkRunning(dataFolder: string, date: SessionDate): Session {
  const session = checkSession(date)
  if (readManifest(dataFolder, date)) {
    throw new Refusal(`${date} is finished and published; ask for its minutes with asof.`)
  }
  return session
}

/** The symbol of a tape, by its prints, or by its quotes before anything has printed. */
async function readSymbol(dataFolder: string, date: SessionDate): Promise<string> {
  const db = await openDatabase()
  try {
    const symbols = await readSymbols(db, dataFolder, date, ['prints', 'quotes'])
    if (symbols) return symbols.symbol
  } finally {
    db.close()
  }
  throw new Refusal(
    `there is no tape of ${date}: import one first, for example "tapefold import prints FILE".`,
  )
}

/** Publishes the states of a session up to an instant. */
async function runMinutes(
  options: MinuteOptions & { readonly untilMs: number; readonly atOnce?: boolean },
): Promise<LiveManifest | null> {
  return withMinuteLock(options, async () => {
    const job = await openMinuteJob(options)
    try {
      return await job.advance(options.untilMs, options.atOnce)
    } finally {
      await job.close()
    }
  })
}

const USAGE = `usage: tapefold minute [DAY] [--until HH:MM] [--at-once] [--min-premium USD]
                       [--data DIR]

Brings a running session up to date: publishes every missing minute, one after the other, from what
was known before it. The API serves each one as soon as it is published.

  DAY                 the session; today's when not given
  --until HH:MM       the last ET minute to publish, when that is earlier than now
  --at-once           catches up in steps of many minutes: faster, with the same result
  --min-premium USD   smallest gross premium of an order in the ledger (${MIN_PREMIUM_USD})
`

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

if (import.meta.main) {
  runCommand(async () => {
    const { values, positionals } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      allowPositionals: true,
      options: {
        data: { type: 'string', default: 'data' },
        until: { type: 'string' },
        'at-once': { type: 'boolean', default: false },
        'min-premium': { type: 'string' },
      },
    })
    if (positionals.length > 1) throw new UsageError('minute takes one day, such as 2026-10-15.')
    const minPremiumUsd = premiumOption(values['min-premium'])
    const date = tradingDayOrToday(positionals[0], wallTimeEt(systemClock.nowMs()).date)
    const progress = commandProgress()
    const manifest = await runMinutes({
      dataFolder: values.data,
      date,
      ...(minPremiumUsd === undefined ? {} : { minPremiumUsd }),
      untilMs: parseUntil(date, values.until, systemClock),
      atOnce: values['at-once'],
      progress,
    })
    progress.say(formatLiveStatus(date, manifest))
  })
}
