import express, { type RequestHandler, type Router } from 'express'
import { formatStateId, listStatesAfter } from '../data/published/streamStates.ts'
import { ApiError } from '../platform/http/error.ts'
import { type EventStreams, type ReadEvents, refuseStreams } from '../platform/http/eventStream.ts'
import { sendJson } from '../platform/http/json.ts'
import { onlyOne, readQuery } from '../platform/http/query.ts'
import { requestContext, shown } from '../platform/http/request.ts'
import { acceptedType } from '../platform/http/response.ts'
import type { Requester } from '../platform/pool/requestScheduler.ts'
import { respondAsRequester } from '../platform/pool/respondInTurn.ts'
import { checksAt, type JudgingDeps, readAsOfMinute, trackUntil } from './ask.ts'
import { readEntries } from './lookback.ts'
import { createReplayLimit, REPLAY_DEFAULT, REPLAY_MAX, type ReplayLimit } from './replayLimit.ts'
import type { Position } from './schema.ts'

export type ChecksDeps = JudgingDeps & {
  /** Returns the positions of an account, oldest first. */
  readonly readPositions: (accountId: string) => Promise<Position[]>
  /** Returns one of them. Fails with `not_found`. */
  readonly findPosition: (accountId: string, id: string) => Promise<Position>
  readonly streams: EventStreams
}

export const CHECK_PATHS = ['/check', '/track', '/entries', '/stream'] as const
export const CHECK_METHODS = 'GET, OPTIONS'

/** Routes of checks, tracks and entry logs, mounted under `/api/positions` for keyed calls. */
export function checksRouter(deps: ChecksDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  router.all('/check', getting(readCheck(deps)))
  router.all('/track', getting(readTrack(deps)))
  router.all('/entries', getting(readEntryLog(deps, createReplayLimit())))
  router.all('/stream', getting(beginStream(deps)))
  return router
}

/** A handler of GET alone; another method is 405 `method`. */
function getting(handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (req.method === 'GET') return handler(req, res, next)
    throw new ApiError('method', {
      message: `this endpoint takes GET, not ${req.method}.`,
      headers: { allow: CHECK_METHODS },
    })
  }
}

function readCheck(deps: ChecksDeps): RequestHandler {
  return async (req, res) => {
    const query = readQuery(req, res, ['day', 't', 'id'])
    const asOfMinute = readAsOfMinute(deps, query.day, query.t)
    const id = onlyOne('id', query.id)
    const accountId = requestContext(res).accountId!
    const positions =
      id === null ? await deps.readPositions(accountId) : [await deps.findPosition(accountId, id)]
    acceptedType(req, ['application/json'])
    await respondAsRequester(res, async requester => {
      const checks = await checksAt({ ...deps, requester }, asOfMinute, positions)
      sendJson(req, res, JSON.stringify(checks))
    })
  }
}

function beginStream(deps: ChecksDeps): RequestHandler {
  return (req, res) => {
    readQuery(req, res, [])
    const { accountId, keyId, isAdmitted } = requestContext(res)
    const owner = keyId!
    refuseStreams(deps.streams, owner)
    const read = readCheckEvents(deps, { account: accountId! })
    deps.streams.serve({ req, res, owner, kind: accountId!, read, isAdmitted: isAdmitted! })
  }
}

function readTrack(deps: ChecksDeps): RequestHandler {
  return async (req, res) => {
    const query = readQuery(req, res, ['day', 't', 'id'])
    const asOfMinute = readAsOfMinute(deps, query.day, query.t)
    const position = await deps.findPosition(requestContext(res).accountId!, requiredId(query.id))
    acceptedType(req, ['application/json'])
    await respondAsRequester(res, async requester => {
      const track = await trackUntil({ ...deps, requester }, asOfMinute, position)
      sendJson(req, res, JSON.stringify(track))
    })
  }
}

function readEntryLog(deps: ChecksDeps, limit: ReplayLimit): RequestHandler {
  return async (req, res) => {
    const query = readQuery(req, res, ['id', 'replay'])
    const count = readReplay(query.replay)
    const accountId = requestContext(res).accountId!
    const position = await deps.findPosition(accountId, requiredId(query.id))
    acceptedType(req, ['application/json'])
    await respondAsRequester(res, async requester => {
      const replay = () => readEntries(position, count, { ...deps, requester })
      sendJson(req, res, JSON.stringify(await limit(accountId, count, replay)))
    })
  }
}

function readReplay(values: readonly string[]): number {
  if (values.length === 0) return REPLAY_DEFAULT
  const [value] = values as [string]
  if (values.length === 1 && /^\d{1,4}$/.test(value) && Number(value) <= REPLAY_MAX) {
    return Number(value)
  }
  throw new ApiError('invalid', {
    message:
      `replay is ${shown(values.join(' '))}; give a whole number from 0 to ${REPLAY_MAX}, ` +
      'such as replay=60.',
  })
}

function requiredId(values: readonly string[]): string {
  const id = onlyOne('id', values)
  if (id !== null) return id
  throw new ApiError('invalid', { message: 'id is missing; give one such as id=p_4fQ8sK2mZx0T.' })
}

/** Checks of an account's positions as a stream: an event a state, of several at once the newest. */

type StreamDeps = JudgingDeps & {
  /** Returns the positions of an account, oldest first. */
  readonly readPositions: (accountId: string) => Promise<Position[]>
}

/** Returns the reader of a client's events: its positions as they are stored when it reads. */
const readCheckEvents =
  (deps: StreamDeps, requester: Requester): ReadEvents =>
  async afterId => {
    const state = listStatesAfter(deps, afterId).at(-1)
    if (!state) return []
    const positions = await deps.readPositions(requester.account)
    const asOfMinute = readAsOfMinute(deps, [state.day], [state.minute])
    const checks = await checksAt({ ...deps, requester }, asOfMinute, positions)
    return [{ id: formatStateId(state), event: 'checks', data: JSON.stringify(checks) }]
  }
