import { hash } from 'node:crypto'
import { join } from 'node:path'
import { openCache } from '../fair/cache.ts'
import { type Asker, type Desk, openDesk } from '../fair/desk.ts'
import { NOBODY } from '../fair/line.ts'
import { openThread } from '../fair/thread.ts'
import type { PublishedManifest } from '../published/manifest.ts'
import { judgedPart } from '../published/positionTables.ts'
import type { Judged, Lookback, LookbackAnswer, SessionCase } from './judged.ts'
import type { JudgeAnswer, JudgeQuestion } from './judgeThread.ts'

/**
 * Judges positions at minutes: one set of SQL models over what is published. Questions have their
 * turns by who asks; left out, one account asks them all. Fails as a desk's lane does.
 */
export type Judge = {
  /** Each case as judged, or null where its minute is not published; in the order of `cases`. */
  readonly judge: (
    session: PublishedManifest,
    cases: readonly SessionCase[],
    asker?: Asker,
  ) => Promise<(Judged | null)[]>
  /** The same minute in many sessions; a row is null where its session has no index then. */
  readonly replay: (replay: Lookback, asker?: Asker) => Promise<LookbackAnswer>
  /**
   * Opens what the first question would wait for, and reads sessions that it may be about, oldest
   * first. What goes wrong is told at the first question, not here.
   */
  readonly warm: (sessions: readonly PublishedManifest[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** What the answers that stay in memory may weigh. */
const ANSWERS_MAX_BYTES = 48 * 1024 * 1024
/**
 * Cases of one turn. The statements take 60 ms for one case and twice that for so many: callers who
 * wait are answered together, and who comes next waits for no more.
 */
const TURN_CASES = 128
/** What the shortest replay costs: reading a minute of one session takes as long as of twenty. */
const LEAST_SESSIONS = 20
/** What is asked of a session that is read ahead of any question. */
const WARMED = { minute: '10:30', shortPut: 5, shortCall: 10 } as const
const ALONE: Asker = { account: 'alone' }
const LAST: Asker = { account: NOBODY }
const SCRIPT = join(import.meta.dirname, 'judgeThread.ts')

type Asked = { readonly session: PublishedManifest; readonly cases: readonly SessionCase[] }

/** Opens a judge on a data folder. Nothing is read before the first question. */
export function openJudge(dataFolder: string, desk: Desk = openDesk()): Judge {
  const options = { script: SCRIPT, workerData: dataFolder }
  const thread = openThread<JudgeQuestion, JudgeAnswer>(options)
  const answers = openCache<Judged | null>(ANSWERS_MAX_BYTES)

  /** Answers questions about one session together, each case once. */
  const askTogether = async (questions: readonly Asked[]) => {
    const { session } = questions[0]!
    const found = new Map<string, Judged | null>()
    const unknown = new Map<string, SessionCase>()
    for (const one of questions.flatMap(({ cases }) => cases)) {
      const key = keyOf(session, one)
      const known = answers.get(key)
      if (known === undefined) unknown.set(key, one)
      else found.set(key, known)
    }
    const cases = [...unknown.values()]
    const asked = cases.length > 0 && (await thread.ask({ session: judgedPart(session), cases }))
    for (const [index, key] of [...unknown.keys()].entries()) {
      const judged = (asked as (Judged | null)[])[index]!
      answers.put(key, judged, bytesOf(judged))
      found.set(key, judged)
    }
    return questions.map(one => one.cases.map(each => found.get(keyOf(session, each))!))
  }
  const checks = desk.lane<Asked, (Judged | null)[]>({
    budget: TURN_CASES,
    isTogether: (first, other) => first.session.revision === other.session.revision,
    serve: askTogether,
  })
  const replays = desk.lane<Lookback, LookbackAnswer>({
    budget: LEAST_SESSIONS,
    serve: async ([replay], signal) => {
      const sessions = replay!.sessions.map(judgedPart)
      return [(await thread.ask({ replay: { ...replay!, sessions } }, signal)) as LookbackAnswer]
    },
  })

  const judge: Judge['judge'] = async (session, cases, asker = ALONE) => {
    const known = cases.map(one => answers.get(keyOf(session, one)))
    const unknown = cases.filter((_, index) => known[index] === undefined)
    if (unknown.length === 0) return known as (Judged | null)[]
    const key = `${session.revision} ${JSON.stringify(unknown)}`
    const input = { session, cases: unknown }
    const found = (await checks.ask({ key, cost: unknown.length, input }, asker)).values()
    return known.map(one => (one === undefined ? found.next().value! : one))
  }
  const replay: Judge['replay'] = (input, asker = ALONE) => {
    const cost = Math.max(input.dates.length, LEAST_SESSIONS)
    return replays.ask({ key: replayKeyOf(input), cost, input }, asker)
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
          : [thread.ask({ isWarmed: true })],
      )
    },
    close: async () => {
      await Promise.all([checks.close(), replays.close()])
      await thread.close()
    },
  }
}

/** A revision never changes, so neither does what it answers. */
const keyOf = ({ revision }: PublishedManifest, one: SessionCase): string =>
  [revision, one.minute_et, one.short_put, one.short_call, one.base_spot].join(' ')

function replayKeyOf({ sessions, ...asked }: Lookback): string {
  const revisions = sessions.map(({ revision }) => revision)
  return hash('sha256', JSON.stringify([asked, revisions]))
}

/** About what an answer weighs in memory. */
function bytesOf(judged: Judged | null): number {
  if (!judged) return 0
  const { marks, nearOrders, levels } = judged
  return 600 + 120 * marks.conditions.length + 300 * nearOrders.length + 200 * levels.length
}
