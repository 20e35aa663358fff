import type { Database } from '../core/engine/database.ts'
import { minutesAfter } from '../core/market/calendar.ts'
import { loadMarket, loadPaths, putCases } from '../data/published/positionTables.ts'
import { type JudgeEngine, openJudgeQueue } from './engine.ts'
import type { Lookback, LookbackResult, Marks, Outcome } from './judged.ts'
import type { VerifiedReader } from './verifiedReader.ts'

/** Minutes of history loaded for the move of 15 minutes and for orders: an hour and their delay. */
const LOOK_BACK_MINUTES = 15
const ORDERS_BACK_MINUTES = 62
const REPLAY_MODELS = ['positions/spots', 'positions/conditions', 'positions/outcomes'] as const
export type Replays = {
  /** Fails with the reason of an aborted signal at its next step. */
  readonly replay: (replay: Lookback, signal: AbortSignal) => Promise<LookbackResult>
  /** Opens the engine ahead of any request. */
  readonly open: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Runs replays one by one on an engine of their own. */
export function openReplays(dataFolder: string, reading: VerifiedReader): Replays {
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
