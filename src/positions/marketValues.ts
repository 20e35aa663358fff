import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { MinuteEt } from '../core/market/calendar.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { judgedPart } from '../data/published/positionTables.ts'
import { openCache } from '../platform/pool/cache.ts'
import { NOBODY } from '../platform/pool/fairQueue.ts'
import {
  openRequestScheduler,
  type Requester,
  type RequestScheduler,
} from '../platform/pool/requestScheduler.ts'
import { openThread } from '../platform/pool/thread.ts'
import type { Point } from './checkSchema.ts'
import { toTrackPoint } from './checkWire.ts'
import type { Judged, Lookback, LookbackResult, SessionCase } from './judged.ts'
import type { JudgeQuestion, JudgeResult } from './judgeThread.ts'
import type { Position } from './schema.ts'

/**
 * Judges positions at minutes: one set of SQL models over the published data. Requests are
 * scheduled fairly by requester; without one they share a single account. Fails as the request
 * scheduler does.
 */
export type Judge = {
  /** Results in the order of `cases`; null when the minute is not published. */
  readonly judge: (
    session: PublishedManifest,
    cases: readonly SessionCase[],
    requester?: Requester,
  ) => Promise<(Judged | null)[]>
  /** The points of a position's track at minutes of a session, in their order. */
  readonly track: (
    session: PublishedManifest,
    wanted: { readonly position: Position; readonly minutes: readonly MinuteEt[] },
    requester?: Requester,
  ) => Promise<Point[]>
  /** The same minute in many sessions; a row is null when its session has no index then. */
  readonly replay: (replay: Lookback, requester?: Requester) => Promise<LookbackResult>
  /**
   * Opens what the first request would wait for, and reads the sessions it may need, oldest first.
   * Errors are reported by the first request, not here.
   */
  readonly warm: (sessions: readonly PublishedManifest[]) => Promise<void>
  /** Cases so far whose results were cached, and those that were judged. */
  readonly counts: () => { readonly cached: number; readonly judged: number }
  readonly close: () => Promise<void>
}

/**
 * Maximum size of the results cached in memory: those that callers asked for, shared between their
 * accounts, and those that were judged ahead of any call, which serve every account.
 */
const CACHE_MAX_BYTES = 32 * 1024 * 1024
const AHEAD_MAX_BYTES = 16 * 1024 * 1024
/**
 * Maximum cases of one batch. The statements take 60 ms for one case and 120 ms for this many:
 * waiting callers are served together, and the next caller waits no longer than that.
 */
const BATCH_CASES_MAX = 128
/** Minimum cost of a replay: reading a minute of one session takes as long as of twenty. */
const LEAST_SESSIONS = 20
/** Sample request used to read a session ahead of any real one. */
const WARMED = { minute: '10:30', shortPut: 5, shortCall: 10 } as const
const ALONE: Requester = { account: 'alone' }
const LAST: Requester = { account: NOBODY }
const SCRIPT = join(import.meta.dirname, 'judgeThread.ts')

/** What is cached of a case: all of its result, or the point of a track. */
type Stored = Judged | Point | null

/** Cases of one session; the first account that asks for a case holds its cached result. */
type CasesQuery = {
  readonly session: PublishedManifest
  readonly cases: readonly SessionCase[]
  readonly account: string
  /** Key of a case: all that what is stored of it depends on. */
  readonly formatKey: (one: SessionCase) => string
  /** The point of a case in a track; null for a check, which needs the whole result. */
  readonly toPoint: ((judged: Judged | null, one: SessionCase) => Point) | null
}

/** Opens a judge on a data folder. Nothing is read before the first request. */
export function openJudge(
  dataFolder: string,
  scheduler: RequestScheduler = openRequestScheduler(),
  cacheMaxBytes = CACHE_MAX_BYTES,
): Judge {
  // checks and replays have an engine each: neither waits for the other, nor for their opening
  const options = { script: SCRIPT, workerData: dataFolder, concurrency: 3 }
  const thread = openThread<JudgeQuestion, JudgeResult>(options)
  const asked = openCache<Stored>(cacheMaxBytes)
  const ahead = openCache<Stored>(AHEAD_MAX_BYTES)
  const counts = { cached: 0, judged: 0 }

  const findStored = (key: string): Stored | undefined => {
    const stored = asked.get(key)
    return stored === undefined ? ahead.get(key) : stored
  }
  const store = (key: string, stored: Stored, account: string) => {
    const cache = account === NOBODY ? ahead : asked
    cache.put(key, stored, estimateBytes(stored), account)
  }
  /** Serves requests about one session together, each case once. */
  const judgeTogether = async (queries: readonly CasesQuery[]) => {
    const { session, toPoint } = queries[0]!
    const found = new Map<string, Stored>()
    const unknown = new Map<string, { readonly one: SessionCase; readonly query: CasesQuery }>()
    for (const query of queries) {
      for (const one of query.cases) {
        const key = query.formatKey(one)
        const stored = findStored(key)
        if (stored !== undefined) found.set(key, stored)
        else if (!unknown.has(key)) unknown.set(key, { one, query })
      }
    }
    const cases = [...unknown.values()].map(({ one }) => one)
    const question = { session: judgedPart(session), cases, isMarksAlone: toPoint !== null }
    const results = cases.length > 0 ? ((await thread.query(question)) as (Judged | null)[]) : []
    counts.cached += found.size
    counts.judged += cases.length
    for (const [index, [key, { one, query }]] of [...unknown].entries()) {
      const judged = results[index]!
      const stored = query.toPoint ? query.toPoint(judged, one) : judged
      store(key, stored, query.account)
      found.set(key, stored)
    }
    return queries.map(query => query.cases.map(one => found.get(query.formatKey(one))!))
  }
  const checks = scheduler.openQueue<CasesQuery, Stored[]>({
    budget: BATCH_CASES_MAX,
    isTogether: (first, other) =>
      first.session.revision === other.session.revision &&
      (first.toPoint === null) === (other.toPoint === null),
    serve: judgeTogether,
  })
  const replays = scheduler.openQueue<Lookback, LookbackResult>({
    budget: LEAST_SESSIONS,
    serve: async ([replay], signal) => {
      const sessions = replay!.sessions.map(judgedPart)
      return [(await thread.query({ replay: { ...replay!, sessions } }, signal)) as LookbackResult]
    },
  })

  /** Takes what is cached of a query's cases, and waits for the rest of them. */
  const findCases = async (query: CasesQuery, requester: Requester) => {
    const { cases, formatKey } = query
    const stored = cases.map(one => findStored(formatKey(one)))
    const unknown = cases.filter((_, index) => stored[index] === undefined)
    counts.cached += cases.length - unknown.length
    if (unknown.length === 0) return stored
    const key = unknown.map(formatKey).join()
    const input = { ...query, cases: unknown }
    const found = (await checks.submit({ key, cost: unknown.length, input }, requester)).values()
    return stored.map(one => (one === undefined ? found.next().value! : one))
  }
  const judge: Judge['judge'] = async (session, cases, requester = ALONE) => {
    const formatKey = (one: SessionCase) => formatCaseKey(session, one)
    const query = { session, cases, account: requester.account, formatKey, toPoint: null }
    return (await findCases(query, requester)) as (Judged | null)[]
  }
  const track: Judge['track'] = async (session, { position, minutes }, requester = ALONE) => {
    const { legs, conditions, label } = position
    const read = { conditions, label }
    const { revision, session_date: day } = session
    const trackKey = hash('sha256', JSON.stringify([revision, legs, read]), 'base64url')
    const query: CasesQuery = {
      session,
      cases: minutes.map(minute => toCase(position, minute)),
      account: requester.account,
      formatKey: ({ minute_et }) => `${trackKey} ${minute_et}`,
      toPoint: (judged, { minute_et: minute }) => toTrackPoint(read, judged, { day, minute }),
    }
    return (await findCases(query, requester)) as Point[]
  }
  const replay: Judge['replay'] = (input, requester = ALONE) => {
    const cost = Math.max(input.dates.length, LEAST_SESSIONS)
    return replays.submit({ key: replayKey(input), cost, input }, requester)
  }

  return {
    judge,
    track,
    replay,
    warm: async sessions => {
      const { minute, shortPut, shortCall } = WARMED
      const first = { minute_et: minute, short_put: shortPut, short_call: shortCall }
      const dates = sessions.map(session => session.session_date)
      const newest = sessions.at(-1)
      await Promise.allSettled(
        newest
          ? [
              judge(newest, [{ ...first, base_spot: null }], LAST),
              replay({ ...WARMED, sessions, bases: dates.toReversed(), dates }, LAST),
            ]
          : [thread.query({ isWarmed: true })],
      )
    },
    counts: () => counts,
    close: async () => {
      await Promise.all([checks.close(), replays.close()])
      await thread.close()
    },
  }
}

/** Returns the case of a stored position at a minute. */
export const toCase = ({ legs }: Position, minute: MinuteEt): SessionCase => ({
  minute_et: minute,
  short_put: legs.sp ?? null,
  short_call: legs.sc ?? null,
  base_spot: null,
})

/** Key of a case: a revision never changes, so neither does its result. */
const formatCaseKey = ({ revision }: PublishedManifest, one: SessionCase): string =>
  [revision, one.minute_et, one.short_put, one.short_call, one.base_spot].join(' ')

function replayKey({ sessions, ...query }: Lookback): string {
  const revisions = sessions.map(({ revision }) => revision)
  return hash('sha256', JSON.stringify([query, revisions]))
}

/** Estimates the size of what is stored in memory. */
function estimateBytes(stored: Stored): number {
  if (!stored) return 0
  if (isPoint(stored)) return 300 + 8 * (stored.on.length + stored.unknown.length)
  const { marks, nearOrders, levels } = stored
  return 600 + 120 * marks.conditions.length + 300 * nearOrders.length + 300 * levels.length
}

const isPoint = (stored: Judged | Point): stored is Point => 'on' in stored
