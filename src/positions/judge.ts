import { type MinuteEt, minutesAfter, type SessionDate } from '../market/calendar.ts'
import type { DamagedFile } from '../store/damagedFile.ts'
import type { Database } from '../store/duck.ts'
import type { PublishedManifest } from '../store/manifest.ts'
import { type Case, loadMarket, loadPaths, marketDamage, putCases } from '../store/markets.ts'
import { type Engine, openTurns } from './engine.ts'
import type { LevelDistances } from './levels.ts'

/** What a condition came to; a value that nobody can know is null, with its reason. */
export type Value = {
  readonly id: string
  readonly value: number | null
  readonly reason: string | null
}

/** A position at a minute, as SQL computes it. Distances are below zero beyond a short strike. */
export type Marks = {
  readonly case_id: number
  readonly smile_reason: string | null
  readonly put_points: number | null
  readonly call_points: number | null
  readonly put_moves: number | null
  readonly call_moves: number | null
  readonly conditions: readonly Value[]
}

/** A large order of the last hour near a short strike. */
export type NearOrder = {
  readonly case_id: number
  readonly leg: 'sp' | 'sc'
  readonly order_id: string
  readonly minute_et: MinuteEt
  readonly structure: string
  readonly distance_points: number
  readonly gross_premium_usd: number
  readonly dealer_gamma_musd_per_point: number | null
  readonly gamma_null_reason: string | null
}

/** What became of a position after its minute. */
export type Outcome = {
  readonly case_id: number
  readonly worst_points: number | null
  readonly worst_minute_et: MinuteEt | null
  readonly close_points: number | null
  readonly moved_points: number | null
  readonly moved_over_expected: number | null
  readonly missing_count: number
}

export type Judged = {
  readonly marks: Marks
  readonly nearOrders: readonly NearOrder[]
  /** From the index, and from each short strike. */
  readonly levels: readonly LevelDistances[]
}
export type Replayed = { readonly marks: Marks; readonly outcome: Outcome | null }

export type Replay = {
  /** Those of `dates` and of `bases`. */
  readonly sessions: readonly PublishedManifest[]
  readonly minute: MinuteEt
  readonly dates: readonly SessionDate[]
  /** The strikes keep the distance they have in the first of these that has an index. */
  readonly bases: readonly SessionDate[]
  readonly shortPut: number | null
  readonly shortCall: number | null
}

/** Judges positions at minutes: one set of SQL models over what is published, nothing kept. */
export type Judge = {
  /** Each case as judged, or null where its minute is not published; in the order of `cases`. */
  readonly judge: (
    session: PublishedManifest,
    cases: readonly Omit<Case, 'session_date'>[],
  ) => Promise<(Judged | null)[]>
  /**
   * The same minute in many sessions; a row is null where its session has no index then. Fails with
   * the reason of a signal that is aborted, at once while it waits for others, else at a next step.
   */
  readonly replay: (
    replay: Replay,
    signal?: AbortSignal,
  ) => Promise<{ readonly base: SessionDate | null; readonly rows: readonly (Replayed | null)[] }>
  /**
   * Opens what the first question would wait for, and reads sessions that it may be about, oldest
   * first. What goes wrong is told at the first question, not here.
   */
  readonly warm: (sessions: readonly PublishedManifest[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** Sessions whose minutes stay in memory for checks; one is about 5 MB. */
const KEPT_SESSIONS = 4
/** Sessions whose files are compared with their hashes at once: a disk answers several sooner. */
const READ_AT_ONCE = 8
/** Answers that stay in memory: an answer is one to three kilobytes. */
const KEPT_ANSWERS = 20_000
/** Minutes to look back to for the move of 15 minutes, and for orders: an hour and their time. */
const LOOK_BACK_MINUTES = 15
const ORDERS_BACK_MINUTES = 62
const CHECK_MODELS = [
  ...['positions/conditions', 'positions/near_orders', 'positions/level_distances'],
] as const
const REPLAY_MODELS = ['positions/spots', 'positions/conditions', 'positions/outcomes'] as const
/** What is asked of a session that is read ahead of any question. */
const WARMED = { minute: '10:30', shortPut: 5, shortCall: 10 } as const

/** Opens a judge on a data folder. Nothing is read before the first question. */
export function openJudge(dataFolder: string): Judge {
  // a check is too small to be shared among threads, and must not wait for a replay
  const checks = openTurns(1, CHECK_MODELS)
  const replays = openTurns(2, REPLAY_MODELS)
  const reading = soundReader(dataFolder)
  const answers = new Map<string, Judged | null>()
  let kept: PublishedManifest[] = []
  let loaded = ''

  const keep = async (db: Database, session: PublishedManifest) => {
    if (kept.some(({ revision }) => revision === session.revision)) return
    const others = kept.filter(({ session_date: date }) => date !== session.session_date)
    const next = [session, ...others].slice(0, KEPT_SESSIONS)
    kept = []
    await reading(next, () => loadMarket(db, { dataFolder, sessions: next, window: null }))
    kept = next
  }

  const ask = (session: PublishedManifest, cases: readonly Omit<Case, 'session_date'>[]) =>
    checks.alone(async ({ db, run }) => {
      await keep(db, session)
      await putCases(
        db,
        cases.map(one => ({ session_date: session.session_date, ...one })),
      )
      const marks = (await run('positions/conditions')) as Marks[]
      const near = groupByCase((await run('positions/near_orders')) as NearOrder[])
      const levels = groupByCase((await run('positions/level_distances')) as LevelDistances[])
      const judged = byCase(marks)
      return cases.map((_, index) => {
        const found = judged.get(index)
        if (!found) return null
        return {
          marks: found,
          nearOrders: near.get(index) ?? [],
          levels: levels.get(index) ?? [],
        }
      })
    })

  const replay: Judge['replay'] = (replay, signal) => {
    const load = async ({ db, run }: Engine) => {
      signal?.throwIfAborted()
      // positions are often entered at the same minute: what is loaded serves the next one
      const wanted = [replay.minute, ...replay.sessions.map(({ revision }) => revision)].join()
      if (wanted !== loaded) {
        loaded = ''
        await loadReplay(db, { dataFolder, replay })
        loaded = wanted
      }
      signal?.throwIfAborted()
      return replayOn(db, run, replay)
    }
    return replays.alone(engine => reading(replay.sessions, () => load(engine), signal), signal)
  }

  return {
    judge: async (session, cases) => {
      // a revision never changes, so neither does what it answers
      const keys = cases.map(one => `${session.revision} ${JSON.stringify(one)}`)
      const unknown = cases.filter((_, index) => !answers.has(keys[index]!))
      if (unknown.length > 0) {
        const found = await ask(session, unknown)
        for (const [index, one] of unknown.entries()) {
          answers.set(`${session.revision} ${JSON.stringify(one)}`, found[index]!)
        }
      }
      const result = keys.map(key => answers.get(key)!)
      for (const key of answers.keys()) {
        if (answers.size <= KEPT_ANSWERS) break
        answers.delete(key)
      }
      return result
    },
    replay,
    warm: async sessions => {
      const { minute, shortPut, shortCall } = WARMED
      const first = { minute_et: minute, short_put: shortPut, short_call: shortCall }
      const dates = sessions.map(session => session.session_date)
      const newest = sessions.at(-1)
      await Promise.allSettled(
        newest
          ? [
              ask(newest, [{ ...first, base_spot: null }]),
              replay({ ...WARMED, sessions, bases: dates.toReversed(), dates }),
            ]
          : [checks.alone(async () => {}), replays.alone(async () => {})],
      )
    },
    close: async () => {
      await checks.close()
      await replays.close()
    },
  }
}

type ReplayOn = { readonly dataFolder: string; readonly replay: Replay }

/** Loads what a replay looks at, and nothing else of its sessions. */
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

async function replayOn(db: Database, run: Engine['run'], replay: Replay) {
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

const groupByCase = <Row extends { readonly case_id: number }>(rows: readonly Row[]) =>
  Map.groupBy(rows, row => row.case_id)

/**
 * Compares files with their hashes when they are first read, as the engine would not notice, and
 * again when reading fails. Fails with DamagedFile.
 */
function soundReader(dataFolder: string) {
  const sound = new Set<string>()
  const verify = async (sessions: readonly PublishedManifest[], signal?: AbortSignal) => {
    const faults = new Map<string, DamagedFile>()
    const unread = sessions.filter(({ revision }) => !sound.has(revision))
    const queue = unread.values()
    const work = async () => {
      for (const session of queue) {
        signal?.throwIfAborted()
        if (faults.size > 0) return
        const damage = await marketDamage(dataFolder, session)
        if (damage === null) sound.add(session.revision)
        else faults.set(session.revision, damage)
      }
    }
    await Promise.all(Array.from({ length: READ_AT_ONCE }, work))
    // several may have been read at once: the first of them is told, as if they were read in turn
    const damaged = unread.find(({ revision }) => faults.has(revision))
    if (damaged) throw faults.get(damaged.revision)!
  }
  return async <T>(
    sessions: readonly PublishedManifest[],
    read: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    await verify(sessions, signal)
    try {
      return await read()
    } catch (error) {
      if (signal?.aborted) throw error
      sound.clear()
      await verify(sessions)
      throw error
    }
  }
}
