/**
 * Thread that judges positions: a request is a dozen engine steps, each of which would have to wait
 * for the event loop that serves all calls.
 */

import type { Database } from '../core/engine/database.ts'
import { minutesAfter } from '../core/market/calendar.ts'
import type { DamagedFile } from '../data/published/damagedFile.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { loadMarket, loadPaths, marketDamage, putCases } from '../data/published/positionTables.ts'
import { serveThread } from '../platform/pool/thread.ts'
import { toTrackPoint } from './checkWire.ts'
import { type JudgeEngine, openJudgeQueue } from './engine.ts'
import {
  type AnyCase,
  type AnyResult,
  isTrack,
  type Lookback,
  type LookbackResult,
  type Marks,
  type NearOrder,
  type Outcome,
} from './judged.ts'
import type { LevelDistances } from './levels.ts'

/** Sessions whose files are hashed concurrently: a disk serves several reads sooner. */
const READ_AT_ONCE = 8

/** Reads files of sessions once they match their manifests. Fails with DamagedFile. */
type VerifiedReader = <T>(
  sessions: readonly PublishedManifest[],
  read: () => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>

/**
 * Compares files with their hashes on first use, as the engine would not notice a difference, and
 * again when reading fails. Fails with DamagedFile.
 */
function createVerifiedReader(dataFolder: string): VerifiedReader {
  const verified = new Set<string>()
  const verify = async (sessions: readonly PublishedManifest[], signal?: AbortSignal) => {
    const faults = new Map<string, DamagedFile>()
    const unread = sessions.filter(({ revision }) => !verified.has(revision))
    const queue = unread.values()
    const work = async () => {
      for (const session of queue) {
        signal?.throwIfAborted()
        if (faults.size > 0) return
        const damage = await marketDamage(dataFolder, session)
        if (damage === null) verified.add(session.revision)
        else faults.set(session.revision, damage)
      }
    }
    await Promise.all(Array.from({ length: READ_AT_ONCE }, work))
    // report the first in order, as a sequential read would
    const damaged = unread.find(({ revision }) => faults.has(revision))
    if (damaged) throw faults.get(damaged.revision)!
  }
  return async (sessions, read, signal) => {
    await verify(sessions, signal)
    try {
      return await read()
    } catch (error) {
      if (signal?.aborted) throw error
      verified.clear()
      await verify(sessions)
      throw error
    }
  }
}

/** Minutes of history loaded for the move of 15 minutes and for orders: an hour and their delay. */
const LOOK_BACK_MINUTES = 15
const ORDERS_BACK_MINUTES = 62
const REPLAY_MODELS = ['positions/spots', 'positions/conditions', 'positions/outcomes'] as const
type Replays = {
  /** Fails with the reason of an aborted signal at its next step. */
  readonly replay: (replay: Lookback, signal: AbortSignal) => Promise<LookbackResult>
  /** Opens the engine ahead of any request. */
  readonly open: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Runs replays one by one on an engine of their own. */
function openReplays(dataFolder: string, reading: VerifiedReader): Replays {
  const queue = openJudgeQueue(2, REPLAY_MODELS)
  let loaded = ''

  const load = async ({ db, run }: JudgeEngine, replay: Lookback, signal: AbortSignal) => {
    signal.throwIfAborted()
    // positions often share an entry minute: the next one reuses what is loaded
    const wanted = [replay.minute, ...replay.sessions.map(({ revision }) => revision)].join()
    if (wanted !== loaded) {
      loaded = ''
      await loadReplay(db, { dataFolder, replay })
      loaded = wanted
    }
    signal.throwIfAborted()
    return replayOn(db, run, replay)
  }
  return {
    replay: (replay, signal) =>
      queue.alone(engine => reading(replay.sessions, () => load(engine, replay, signal), signal)),
    open: () => queue.alone(async () => {}),
    close: queue.close,
  }
}

type ReplayOn = { readonly dataFolder: string; readonly replay: Lookback }

/** Loads only those parts of the sessions that a replay needs. */
async function loadReplay(db: Database, { dataFolder, replay }: ReplayOn): Promise<void> {
  const { sessions, minute } = replay
  const window = {
    judged: minute,
    lookedBack: minutesAfter(minute, -LOOK_BACK_MINUTES),
    ordersFrom: minutesAfter(minute, -ORDERS_BACK_MINUTES),
  }
  await loadMarket(db, { dataFolder, sessions, window })
  await loadPaths(db, { dataFolder, sessions, window }, minute)
}

async function replayOn(db: Database, run: JudgeEngine['run'], replay: Lookback) {
  const { minute, bases, dates, shortPut, shortCall } = replay
  const spots = new Map(
    ((await run('positions/spots')) as { day: string; minute_et: string; spot: number }[])
      .filter(({ minute_et }) => minute_et === minute)
      .map(({ day, spot }) => [day, spot]),
  )
  const base = bases.find(date => spots.has(date)) ?? null
  if (base === null) return { base, rows: dates.map(() => null) }
  await putCases(
    db,
    dates.map(date => ({
      session_date: date,
      minute_et: minute,
      short_put: shortPut,
      short_call: shortCall,
      base_spot: date === base ? null : spots.get(base)!,
    })),
  )
  const marks = byCase((await run('positions/conditions')) as Marks[])
  const outcomes = byCase((await run('positions/outcomes')) as Outcome[])
  const rows = dates.map((date, index) => {
    const found = marks.get(index)
    if (!found || !spots.has(date)) return null
    return { marks: found, outcome: outcomes.get(index) ?? null }
  })
  return { base, rows }
}

const byCase = <Row extends { readonly case_id: number }>(rows: readonly Row[]) =>
  new Map(rows.map(row => [row.case_id, row]))

/** Sessions cached in memory for checks; one is about 5 MB. */
const LOADED_SESSIONS_MAX = 4
const CHECK_MODELS = [
  'positions/conditions',
  'positions/near_orders',
  'positions/level_distances',
] as const

type Cases = {
  /** Results in the order of `cases`; null when the minute is not published. */
  readonly judge: (session: PublishedManifest, cases: readonly AnyCase[]) => Promise<AnyResult[]>
  /** Opens the engine ahead of any request. */
  readonly open: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Judges cases of sessions, one request after the other on an engine of its own. */
function openCases(dataFolder: string, reading: VerifiedReader): Cases {
  // a check is too small to be split among threads, and must not wait for a replay
  const queue = openJudgeQueue(1, CHECK_MODELS)
  let loaded: PublishedManifest[] = []

  const load = async (db: Database, session: PublishedManifest) => {
    if (loaded.some(({ revision }) => revision === session.revision)) return
    const others = loaded.filter(({ session_date: date }) => date !== session.session_date)
    const next = [session, ...others].slice(0, LOADED_SESSIONS_MAX)
    loaded = []
    await reading(next, () => loadMarket(db, { dataFolder, sessions: next, window: null }))
    loaded = next
  }
  return {
    judge: (session, cases) =>
      queue.alone(async ({ db, run }) => {
        await load(db, session)
        const { session_date } = session
        await putCases(
          db,
          // JSON has no undefined: the position of a track is left out
          cases.map(one => ({ session_date, ...one, track: undefined })),
        )
        const marks = (await run('positions/conditions')) as Marks[]
        const judged = new Map(marks.map(row => [row.case_id, row]))
        if (isTrack(cases)) {
          return cases.map(({ track, minute_et: minute }, index) =>
            toTrackPoint(track.position, judged.get(index), { day: session_date, minute }),
          )
        }
        const near = groupByCase((await run('positions/near_orders')) as NearOrder[])
        const levels = groupByCase((await run('positions/level_distances')) as LevelDistances[])
        return cases.map((_, index) => {
          const found = judged.get(index)
          if (!found) return null
          const [nearOrders, ownLevels] = [near.get(index) ?? [], levels.get(index) ?? []]
          return { marks: found, nearOrders, levels: ownLevels }
        })
      }),
    open: () => queue.alone(async () => {}),
    close: queue.close,
  }
}

const groupByCase = <Row extends { readonly case_id: number }>(rows: readonly Row[]) =>
  Map.groupBy(rows, row => row.case_id)

/** Cases of one session, a replay, or a request to open both engines. */
export type JudgeQuestion =
  | { readonly session: PublishedManifest; readonly cases: readonly AnyCase[] }
  | { readonly replay: Lookback }
  | { readonly isWarmed: true }

export type JudgeResult = AnyResult[] | LookbackResult | null

export default serveThread<JudgeQuestion, JudgeResult>(workerData => {
  const dataFolder = workerData as string
  const reading = createVerifiedReader(dataFolder)
  const cases = openCases(dataFolder, reading)
  const replays = openReplays(dataFolder, reading)
  return {
    respond: async (question, signal) => {
      if ('cases' in question) return cases.judge(question.session, question.cases)
      if ('replay' in question) return replays.replay(question.replay, signal)
      await Promise.all([cases.open(), replays.open()])
      return null
    },
    close: async () => {
      await Promise.all([cases.close(), replays.close()])
    },
  }
})
