import { hash } from 'node:crypto'
import { join } from 'node:path'
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
import {
  type AnyCase,
  type AnyResult,
  isTrack,
  type Judged,
  type Lookback,
  type LookbackResult,
  type SessionCase,
  type TrackCase,
} from './judged.ts'
import type { JudgeQuestion, JudgeResult } from './judgeThread.ts'

/**
 * Judges positions at minutes: one set of SQL models over the published data. Requests are
 * scheduled fairly by requester; without one they share a single account. Fails as the request
 * scheduler does.
 */
export type Judge = {
  /**
   * Results in the order of `cases`: points for those of a track, else null when the minute is not
   * published.
   */
  readonly judge: <Case extends SessionCase>(
    session: PublishedManifest,
    cases: readonly Case[],
    requester?: Requester,
  ) => Promise<(Case extends TrackCase ? Point : Judged | null)[]>
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

/** Maximum size of the results cached in memory. */
const CACHE_MAX_BYTES = 48 * 1024 * 1024
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

type CasesQuery = {
  readonly session: PublishedManifest
  readonly cases: readonly AnyCase[]
  readonly account: string
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
  const cache = openCache<AnyResult>(cacheMaxBytes)
  const counts = { cached: 0, judged: 0 }

  /** Serves requests about one session together, each case once. */
  const judgeTogether = async (questions: readonly CasesQuery[]) => {
    const { session } = questions[0]!
    const found = new Map<string, AnyResult>()
    const unknown = new Map<string, { readonly one: AnyCase; readonly account: string }>()
    for (const { one, account } of questions.flatMap(listCases)) {
      const key = caseKey(session, one)
      const known = cache.get(key)
      if (known === undefined) unknown.set(key, { one, account })
      else found.set(key, known)
    }
    const cases = [...unknown.values()].map(({ one }) => one)
    counts.judged += cases.length
    const results =
      cases.length > 0 && (await thread.query({ session: judgedPart(session), cases }))
    for (const [index, [key, { account }]] of [...unknown].entries()) {
      const judged = (results as AnyResult[])[index]!
      cache.put(key, judged, estimateBytes(judged), account)
      found.set(key, judged)
    }
    return questions.map(one => one.cases.map(each => found.get(caseKey(session, each))!))
  }
  const checks = scheduler.openQueue<CasesQuery, AnyResult[]>({
    budget: BATCH_CASES_MAX,
    isTogether: (first, other) =>
      first.session.revision === other.session.revision &&
      isTrack(first.cases) === isTrack(other.cases),
    serve: judgeTogether,
  })
  const replays = scheduler.openQueue<Lookback, LookbackResult>({
    budget: LEAST_SESSIONS,
    serve: async ([replay], signal) => {
      const sessions = replay!.sessions.map(judgedPart)
      return [(await thread.query({ replay: { ...replay!, sessions } }, signal)) as LookbackResult]
    },
  })

  const judge: Judge['judge'] = async (session, cases, requester = ALONE) => {
    const known = cases.map(one => cache.get(caseKey(session, one)))
    const unknown = cases.filter((_, index) => known[index] === undefined)
    counts.cached += cases.length - unknown.length
    if (unknown.length === 0) return known as never
    const key = unknown.map(one => caseKey(session, one)).join()
    const input = { session, cases: unknown, account: requester.account }
    const found = (await checks.submit({ key, cost: unknown.length, input }, requester)).values()
    return known.map(one => (one === undefined ? found.next().value! : one)) as never
  }
  const replay: Judge['replay'] = (input, requester = ALONE) => {
    const cost = Math.max(input.dates.length, LEAST_SESSIONS)
    return replays.submit({ key: replayKey(input), cost, input }, requester)
  }

  return {
    judge,
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

const listCases = ({ cases, account }: CasesQuery) => cases.map(one => ({ one, account }))

/** Key of a case: a revision never changes, so neither does its result. */
const caseKey = ({ revision }: PublishedManifest, one: AnyCase): string => {
  const track = 'track' in one ? one.track.key : ''
  return [revision, one.minute_et, one.short_put, one.short_call, one.base_spot, track].join(' ')
}

function replayKey({ sessions, ...query }: Lookback): string {
  const revisions = sessions.map(({ revision }) => revision)
  return hash('sha256', JSON.stringify([query, revisions]))
}

/** Estimates the size of a result in memory. */
function estimateBytes(judged: AnyResult): number {
  if (!judged) return 0
  if (!('marks' in judged)) return 500
  const { marks, nearOrders, levels } = judged as Judged
  return 600 + 120 * marks.conditions.length + 300 * (nearOrders.length + levels.length)
}
