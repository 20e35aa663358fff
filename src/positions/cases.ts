import type { Database } from '../core/engine/database.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { loadMarket, putCases } from '../data/published/positionTables.ts'
import { toTrackPoint } from './checkWire.ts'
import { openJudgeQueue } from './engine.ts'
import { type AnyCase, type AnyResult, isTrack, type Marks, type NearOrder } from './judged.ts'
import type { LevelDistances } from './levels.ts'
import type { VerifiedReader } from './verifiedReader.ts'

/** Sessions cached in memory for checks; one is about 5 MB. */
const LOADED_SESSIONS_MAX = 4
const CHECK_MODELS = [
  'positions/conditions',
  'positions/near_orders',
  'positions/level_distances',
] as const

export type Cases = {
  /** Results in the order of `cases`; null when the minute is not published. */
  readonly judge: (session: PublishedManifest, cases: readonly AnyCase[]) => Promise<AnyResult[]>
  /** Opens the engine ahead of any request. */
  readonly open: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Judges cases of sessions, one request after the other on an engine of its own. */
export function openCases(dataFolder: string, reading: VerifiedReader): Cases {
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
