/** `fetch --follow`: a running session, whose new rows come to a spool and become minutes. */

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Clock } from '../../src/core/clock.ts'
import { writeAtomically } from '../../src/core/disk/files.ts'
import { Busy, CommandError, Refusal } from '../../src/core/disk/refusal.ts'
import {
  findTradingSession,
  MINUTE_MS,
  type Session,
  wallTimeEt,
} from '../../src/core/market/calendar.ts'
import { parseJson } from '../../src/data/dictionary/manifestText.ts'
import { readResponse, responseFolder } from '../../src/data/fetched/responses.ts'
import { commandProgress } from '../command/command.ts'
import { silent } from '../command/progress.ts'
import { openFeed } from '../live/feed.ts'
import { openMinuteJob, withMinuteLock } from '../live/minute.ts'
import type { SourceClient } from './client.ts'
import { describeLack, storeOutcome } from './run.ts'
import type { SourceSettings } from './settings.ts'
import {
  type DataSource,
  FetchProblem,
  type Following,
  type Part,
  problemExitCode,
} from './source.ts'
import { fetchPart, storeNothing, type TransferDeps } from './transfer.ts'

/** Time after a minute's end at which it is requested: a vendor needs a second or two. */
const AFTER_MINUTE_MS = 3_000
/** Time in which the rows of a minute have come, after the source has them. */
const GRACE_MS = 30_000
/** Late reports still come until so long after the close. */
const AFTER_CLOSE_MS = 3 * MINUTE_MS
const LOOK_EVERY_MS = 1_000
/** Intervals without a response after which a source counts as late. */
const LATE_AFTER = 3

export type FollowOptions = {
  readonly dataFolder: string
  readonly source: DataSource
  readonly settings: SourceSettings
  readonly client: SourceClient
  readonly clock: Clock
}

/** Polling of one source for one session. */
export type Follower = {
  /** Fetches what is due; true when the session has ended and all of it was fetched. */
  readonly step: () => Promise<boolean>
}

/** How far a session was fetched; `requested_to_ms`: end of the window that is requested. */
const ReachedFile = z.object({ to_ms: z.int(), requested_to_ms: z.int() })

/** Kinds of problem that no later request of the session mends. */
const ENDING: ReadonlySet<FetchProblem['kind']> = new Set([
  'wrong_key',
  'no_permission',
  'bad_request',
])

/** Opens the polling of a session; it goes on where an earlier one ended. */
export function openFollower(
  session: Session,
  following: Following,
  deps: TransferDeps & { readonly say: (line: string) => void },
): Follower {
  const { dataFolder, source, nowMs, say } = deps
  const reachedPath = join(
    responseFolder(dataFolder, source.name, session.date),
    'records/follow.json',
  )
  const endsAtMs = session.closesAtMs + AFTER_CLOSE_MS
  const { opensAtMs } = session
  const reached = readReached(reachedPath) ?? { to_ms: opensAtMs, requested_to_ms: opensAtMs }
  let reachedMs = reached.to_ms
  // files are named by their window: another end would bring rows twice that are there already
  let requestedToMs = reached.requested_to_ms
  let pausedUntilMs = 0
  let hasFirst = false
  const writeReached = () =>
    writeAtomically(
      reachedPath,
      JSON.stringify({ to_ms: reachedMs, requested_to_ms: requestedToMs }),
    )

  // formats of another plan, which are requested once
  const denied = new Set<string>()
  const fetchOne = async (part: Part) => {
    try {
      await fetchOrNothing(part, deps)
    } catch (error) {
      const isDenied = error instanceof FetchProblem && error.kind === 'no_permission'
      if (!isDenied || part.withoutIt === undefined) throw error
      denied.add(part.format)
      say(describeLack(error.message, part.withoutIt))
    }
  }
  const fetchAll = async (allParts: readonly Part[]) => {
    const parts = allParts.filter(({ format }) => !denied.has(format))
    const missing = parts.filter(
      part => readResponse(dataFolder, { ...part, source: source.name }) === null,
    )
    // all have ended before one of them is requested again
    const outcomes = await Promise.allSettled(missing.map(fetchOne))
    const failed = outcomes.find(({ status }) => status === 'rejected')
    if (failed) throw (failed as PromiseRejectedResult).reason
    const isEmpty = (part: Part) =>
      readResponse(dataFolder, { ...part, source: source.name })?.rows === 0
    return parts.length > 0 && parts.every(isEmpty)
  }
  const report = (problem: FetchProblem | null, dueAtMs: number | null) =>
    storeOutcome([{ day: session.date, problem }], deps, dueAtMs)
  return {
    step: async () => {
      if (nowMs() < pausedUntilMs) return false
      const lateMs = nowMs() - AFTER_MINUTE_MS
      const endMs = endsAtMs + following.delayMs
      if (requestedToMs <= reachedMs)
        requestedToMs = Math.min(Math.floor(lateMs / MINUTE_MS) * MINUTE_MS, endMs)
      const isOver = requestedToMs >= endMs
      if (requestedToMs <= reachedMs) return isOver
      const dueAtMs = isOver ? null : nowMs() + LATE_AFTER * following.everyMs
      let isEmpty = false
      try {
        if (!hasFirst) await fetchAll(following.first(session))
        hasFirst = true
        writeReached()
        isEmpty = await fetchAll(following.parts(session, reachedMs, requestedToMs))
      } catch (error) {
        // one odd response does not end a day; a key that is wrong stays wrong
        if (!(error instanceof FetchProblem) || ENDING.has(error.kind)) throw error
        say(error.message)
        report(error, dueAtMs)
        pausedUntilMs = nowMs() + following.everyMs
        return false
      }
      const problem =
        isEmpty && requestedToMs <= session.closesAtMs
          ? emptyProblem(source, reachedMs, requestedToMs)
          : null
      if (problem) say(problem.message)
      reachedMs = requestedToMs
      writeReached()
      report(problem, dueAtMs)
      return isOver
    },
  }
}

/** The problem of minutes of an open session of which a source has nothing at all. */
function emptyProblem({ name }: DataSource, fromMs: number, toMs: number): FetchProblem {
  const [from, to] = [wallTimeEt(fromMs).minute, wallTimeEt(toMs).minute]
  return new FetchProblem(
    'no_data',
    `${name} has nothing of ${from} to ${to} ET: the account may not have the running day.`,
  )
}

function readReached(path: string): z.infer<typeof ReachedFile> | null {
  try {
    return ReachedFile.parse(parseJson(readFileSync(path, 'utf8')))
  } catch {
    // the first step, or a damaged file: the rows from the open on are fetched again
    return null
  }
}

async function fetchOrNothing(part: Part, deps: TransferDeps): Promise<void> {
  try {
    await fetchPart(part, deps)
  } catch (error) {
    if (!(error instanceof FetchProblem) || error.kind !== 'no_data' || !part.mayBeEmpty)
      throw error
    storeNothing(part, deps)
  }
}

/**
 * Publishes the minutes of a running session up to the delay of a source, once. Returns a sentence
 * about the newest, or why there is none.
 */
export async function publishOnce({
  dataFolder,
  source,
  clock,
}: Pick<FollowOptions, 'dataFolder' | 'source' | 'clock'>): Promise<string> {
  const { date } = wallTimeEt(clock.nowMs())
  const session = findTradingSession(date)
  const { delayMs } = source.follow!
  // a snapshot stands at the end of its minute
  const untilMs = clock.nowMs() - delayMs + MINUTE_MS
  if (!session || untilMs <= session.opensAtMs || untilMs > session.closesAtMs + delayMs)
    return 'no session runs at the time of these quotes: only the open interest was imported'
  try {
    return await withMinuteLock({ dataFolder, date }, async states => {
      await states?.adopt(untilMs)
      const job = await openMinuteJob({ dataFolder, date, progress: silent })
      try {
        const manifest = await job.advance(untilMs, true)
        if (!manifest) return `no minute of ${date} is published yet`
        const { minute } = manifest.live
        return (
          `published: ${date} ${minute} ET, ${delayMs / MINUTE_MS} minutes late; see it with ` +
          `"tapefold levels ${date} --time ${minute} --book oi", or on the page of "tapefold serve"`
        )
      } finally {
        await job.close()
      }
    })
  } catch (error) {
    if (!(error instanceof Busy)) throw error
    return `the feed that runs publishes the minutes of ${date}`
  }
}

/** Follows the session of now to its end, and publishes its minutes unless a feed does. */
export async function runFollow(options: FollowOptions): Promise<void> {
  const { dataFolder, source, client, clock } = options
  const following = source.follow!
  const session = findRunning(clock)
  const { date } = session
  const progress = commandProgress()
  const follower = openFollower(session, following, {
    dataFolder,
    source,
    client,
    nowMs: clock.nowMs,
    wait: sleep,
    random: Math.random,
    say: progress.say,
  })
  const spool = responseFolder(dataFolder, source.name, date)
  mkdirSync(spool, { recursive: true })
  let hasEnded = false
  let hasFailed = false
  const poll = async () => {
    while (!hasEnded && !hasFailed) {
      hasEnded = await follower.step()
      await sleep(LOOK_EVERY_MS)
    }
  }
  const graceMs = following.delayMs + GRACE_MS
  const publish = async () => {
    try {
      await withMinuteLock({ dataFolder, date }, async states => {
        const feed = await openFeed({
          dataFolder,
          date,
          spool,
          rows: null,
          simulated: false,
          graceMs,
          clock,
          progress,
          states,
        })
        try {
          while (!hasFailed && !(await feed.look())) await sleep(LOOK_EVERY_MS)
        } finally {
          await feed.close()
        }
      })
    } catch (error) {
      if (!(error instanceof Busy)) throw error
      progress.say(
        `the feed that runs on this folder publishes the minutes; it needs --spool ${spool} and ` +
          `--grace ${graceMs / 1000}`,
      )
    }
  }
  progress.say(
    `${source.name} is followed until the close of ${date}` +
      (following.delayMs > 0 ? `, ${following.delayMs / MINUTE_MS} minutes late` : ''),
  )
  const endBoth = (error: unknown) => {
    hasFailed = true
    throw error
  }
  try {
    await Promise.all([poll().catch(endBoth), publish().catch(endBoth)])
  } catch (error) {
    if (!(error instanceof FetchProblem)) throw error
    throw new CommandError(error.message, problemExitCode(error))
  }
}

/** The session of now, or the one that opens today. Fails with a Refusal where there is none. */
function findRunning(clock: Clock): Session {
  const nowMs = clock.nowMs()
  const { date } = wallTimeEt(nowMs)
  const session = findTradingSession(date)
  if (session && nowMs < session.closesAtMs + AFTER_CLOSE_MS) return session
  throw new Refusal(`no session runs now; --follow takes that of a trading day before its close.`)
}
