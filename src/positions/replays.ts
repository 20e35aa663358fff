import { hash } from 'node:crypto'
import type { Asker, Desk } from '../fair/desk.ts'
import { minutesAfter } from '../market/calendar.ts'
import type { Database } from '../store/duck.ts'
import { loadMarket, loadPaths, putCases } from '../store/markets.ts'
import { type Engine, openTurns } from './engine.ts'
import type { Marks, Outcome, Replay, ReplayAnswer } from './judge.ts'
import type { SoundReader } from './sound.ts'

/** Minutes to look back to for the move of 15 minutes, and for orders: an hour and their time. */
const LOOK_BACK_MINUTES = 15
const ORDERS_BACK_MINUTES = 62
const REPLAY_MODELS = ['positions/spots', 'positions/conditions', 'positions/outcomes'] as const
/** What the shortest replay costs: reading a minute of one session takes as long as of twenty. */
const LEAST_SESSIONS = 20
/** Sessions by which accounts take turns: a long replay is worth many short ones. */
const TURN_SESSIONS = 200

export type Replays = {
  readonly ask: (replay: Replay, asker: Asker) => Promise<ReplayAnswer>
  /** Opens the engine ahead of any question. */
  readonly open: () => Promise<void>
  readonly close: () => Promise<void>
}

type ReplaysOptions = {
  readonly dataFolder: string
  readonly desk: Desk
  readonly reading: SoundReader
}

/** Answers replays one by one, in the turns of a desk. */
export function openReplays({ dataFolder, desk, reading }: ReplaysOptions): Replays {
  const turns = openTurns(2, REPLAY_MODELS)
  let loaded = ''

  const load = async ({ db, run }: Engine, replay: Replay, signal: AbortSignal) => {
    signal.throwIfAborted()
    // positions are often entered at the same minute: what is loaded serves the next one
    const wanted = [replay.minute, ...replay.sessions.map(({ revision }) => revision)].join()
    if (wanted !== loaded) {
      loaded = ''
      await loadReplay(db, { dataFolder, replay })
      loaded = wanted
    }
    signal.throwIfAborted()
    return replayOn(db, run, replay)
  }
  const lane = desk.lane<Replay, ReplayAnswer>({
    budget: TURN_SESSIONS,
    serve: async ([replay], signal) => {
      const { sessions } = replay!
      const answer = await turns.alone(engine =>
        reading(sessions, () => load(engine, replay!, signal), signal),
      )
      return [answer]
    },
  })
  return {
    ask: (replay, asker) => {
      const cost = Math.max(replay.dates.length, LEAST_SESSIONS)
      return lane.ask({ key: keyOf(replay), cost, input: replay }, asker)
    },
    open: () => turns.alone(async () => {}),
    close: async () => {
      await lane.close()
      await turns.close()
    },
  }
}

function keyOf({ sessions, ...asked }: Replay): string {
  const revisions = sessions.map(({ revision }) => revision)
  return hash('sha256', JSON.stringify([asked, revisions]))
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
