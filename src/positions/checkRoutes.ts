import express, { type RequestHandler, type Router } from 'express'
import { answerAsked } from '../fair/asking.ts'
import { acceptedType } from '../http/answer.ts'
import { ApiError } from '../http/error.ts'
import { sendJson } from '../http/json.ts'
import { onlyOne, readQuery } from '../http/query.ts'
import { contextOf, shown } from '../http/request.ts'
import { checksAt, type JudgingDeps, readMoment, trackUntil } from './ask.ts'
import { readEntries } from './lookback.ts'
import { createReplayLimit, type ReplayLimit } from './replayLimit.ts'
import type { Position } from './schema.ts'

export type ChecksDeps = JudgingDeps & {
  /** What an account keeps, oldest first. */
  readonly positionsOf: (accountId: string) => Promise<Position[]>
  /** One of them. Fails with `not_found`. */
  readonly findPosition: (accountId: string, id: string) => Promise<Position>
}

export const REPLAY_MAX = 1000
export const REPLAY_DEFAULT = 20

export const CHECK_PATHS = ['/check', '/track', '/entries'] as const
export const CHECK_METHODS = 'GET, OPTIONS'

/** Checks, tracks and entry logs, to be mounted under `/api/positions` behind a key. */
export function checksRouter(deps: ChecksDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  router.all('/check', getting(readCheck(deps)))
  router.all('/track', getting(readTrack(deps)))
  router.all('/entries', getting(readEntryLog(deps, createReplayLimit())))
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
    const moment = readMoment(deps, query.day, query.t)
    const id = onlyOne('id', query.id)
    const accountId = contextOf(res).accountId!
    const positions =
      id === null ? await deps.positionsOf(accountId) : [await deps.findPosition(accountId, id)]
    acceptedType(req, ['application/json'])
    await answerAsked(res, async asker => {
      const checks = await checksAt({ ...deps, asker }, moment, positions)
      sendJson(req, res, JSON.stringify(checks))
    })
  }
}

function readTrack(deps: ChecksDeps): RequestHandler {
  return async (req, res) => {
    const query = readQuery(req, res, ['day', 't', 'id'])
    const moment = readMoment(deps, query.day, query.t)
    const position = await deps.findPosition(contextOf(res).accountId!, requiredId(query.id))
    acceptedType(req, ['application/json'])
    await answerAsked(res, async asker => {
      const track = await trackUntil({ ...deps, asker }, moment, position)
      sendJson(req, res, JSON.stringify(track))
    })
  }
}

function readEntryLog(deps: ChecksDeps, limit: ReplayLimit): RequestHandler {
  return async (req, res) => {
    const query = readQuery(req, res, ['id', 'replay'])
    const count = readReplay(query.replay)
    const accountId = contextOf(res).accountId!
    const position = await deps.findPosition(accountId, requiredId(query.id))
    acceptedType(req, ['application/json'])
    await answerAsked(res, async asker => {
      const replay = () => readEntries(position, count, { ...deps, asker })
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
