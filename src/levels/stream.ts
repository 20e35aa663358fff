import { LRUCache } from 'lru-cache'
import { formatStateId, listStatesAfter, type StreamState } from '../data/published/streamStates.ts'
import { isExpected, toErrorResponse } from '../platform/http/errors/catalogue.ts'
import { MISSED_LEVELS_MAX, type ReadEvents } from '../platform/http/eventStream.ts'
import { type LevelsQuestion, levelsAt } from './ask.ts'
import type { LevelsDeps } from './asOf.ts'
import { LIVE_ERRORS } from './errors.ts'

/** Levels as a stream: an event a state, the same for every client that wants the same. */

/** Most bodies stored: a session of twenty questions. */
const BODIES_MAX = 8_000

type Body = { readonly event: 'levels' | 'none'; readonly data: string }

/** Bodies of states, so that thousands of clients cost as much as one. */
export type LevelBodies = LRUCache<string, Promise<Body>>

export const openLevelBodies = (): LevelBodies => new LRUCache({ max: BODIES_MAX })

/**
 * Returns the reader of a client's events: of many states at once, the newest. A state without the
 * levels of the question is an event `none` with the code of its error, so that its id is not missing.
 */
export const readLevelEvents =
  (deps: LevelsDeps, bodies: LevelBodies, question: LevelsQuestion): ReadEvents =>
  async afterId => {
    const states = listStatesAfter(deps, afterId).slice(-MISSED_LEVELS_MAX)
    return Promise.all(
      states.map(async state => ({
        id: formatStateId(state),
        ...(await readBody(deps, bodies, { question, state })),
      })),
    )
  }

/** Names a question: equal ones have the same events. */
export const questionKind = ({ symbols, book, strikes, expiry }: LevelsQuestion): string =>
  JSON.stringify([symbols.join().toUpperCase(), book, strikes, expiry])

type Wanted = { readonly question: LevelsQuestion; readonly state: StreamState }

function readBody(deps: LevelsDeps, bodies: LevelBodies, wanted: Wanted): Promise<Body> {
  const { question, state } = wanted
  const found = deps.catalog.find(state.day)
  // a state that was published stands until the session is built whole
  const revision = found?.knownBeforeMs === undefined ? found?.manifest.revision : 'running'
  const key = `${formatStateId(state)} ${revision} ${questionKind(question)}`
  const known = bodies.get(key)
  if (known) return known
  const body = makeBody(deps, wanted)
  bodies.set(key, body)
  body.catch(() => bodies.delete(key))
  return body
}

async function makeBody(deps: LevelsDeps, { question, state }: Wanted): Promise<Body> {
  const { day, minute } = state
  try {
    const levels = await levelsAt(deps, { ...question, day, time: minute })
    return { event: 'levels', data: JSON.stringify(levels) }
  } catch (error) {
    if (!isExpected(error)) throw error
    const reason = toErrorResponse(error, LIVE_ERRORS).code
    return { event: 'none', data: JSON.stringify({ day, time: minute, reason }) }
  }
}
