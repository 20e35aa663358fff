import express, { type RequestHandler, type Router } from 'express'
import { randomBase62 } from '../accounts/apiKey.ts'
import { POSITIONS_MAX } from '../accounts/products.ts'
import type { AccountStore, KeptPosition, PositionChange } from '../accounts/types.ts'
import { acceptedType } from '../http/answer.ts'
import { answering } from '../http/auth.ts'
import { readBody } from '../http/body.ts'
import { invalid } from '../http/changeBody.ts'
import { ApiError } from '../http/error.ts'
import { sendJson } from '../http/json.ts'
import { onlyOne, readQuery } from '../http/query.ts'
import { repeatOf, sendChanged } from '../http/repeat.ts'
import { contextOf, refusePathAs } from '../http/request.ts'
import { judgeAlone } from './alone.ts'
import { completePosition } from './completePosition.ts'
import { keptPosition, keptPositions, notKept, readKept } from './kept.ts'
import { type ChangeInput, parseChange } from './parseChange.ts'
import { type Changed, catalogue } from './positionWire.ts'

export type PositionsDeps = {
  readonly accounts: AccountStore
  readonly nowMs: () => number
}

/** The methods that `/api/positions` takes. */
export const POSITION_METHODS = 'GET, POST, OPTIONS'

/** Ends in 404 `not_found`, the only one of the positions API. */
export const refusePath = refusePathAs('not_found')

/** The positions of an account, to be mounted under `/api/positions` behind a key. */
export function positionsRouter(deps: PositionsDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const list = listPositions(deps)
  const change = changePositions(deps)
  router.all('/', (req, res, next) => {
    // mounted, the path with a slash at its end looks like the one without
    if (req.originalUrl.split('?')[0]!.endsWith('/')) return next()
    if (req.method === 'GET') return list(req, res, next)
    if (req.method === 'POST') return change(req, res, next)
    throw new ApiError('method', {
      message: `this endpoint takes GET and POST, not ${req.method}.`,
      headers: { allow: POSITION_METHODS },
    })
  })
  return router
}

function listPositions({ accounts }: PositionsDeps): RequestHandler {
  return async (req, res) => {
    const accountId = contextOf(res).accountId!
    const id = onlyOne('id', readQuery(req, res, ['id']).id)
    const answer =
      id === null
        ? { positions: await keptPositions(accounts, accountId), max: POSITIONS_MAX, catalogue }
        : { position: await keptPosition(accounts, accountId, id) }
    acceptedType(req, ['application/json'])
    sendJson(req, res, JSON.stringify(answer))
  }
}

function changePositions({ accounts, nowMs }: PositionsDeps): RequestHandler {
  return async (req, res) => {
    readQuery(req, res, [])
    const change = parseChange(await readBody(req))
    const repeat = repeatOf(req, change)
    const changed = await answering(() =>
      accounts.changePositions({
        accountId: contextOf(res).accountId!,
        atMs: nowMs(),
        repeat,
        decide: kept => decide(change, kept),
      }),
    )
    sendChanged(res, changed)
  }
}

/** What a change makes of the positions that an account keeps. */
function decide({ op, position }: ChangeInput, kept: readonly KeptPosition[]): PositionChange {
  if (op === 'add') return decideAdd(position, kept)
  const { id } = position
  if (id === undefined) {
    throw invalid(
      'position.id is missing; give the id that add answered, such as "p_4fQ8sK2mZx0T".',
    )
  }
  const stored = kept.find(one => one.id === id)
  if (op === 'remove') {
    if (!stored) throw notKept()
    return { removeId: id, answer: answerOf({ ok: true, id }) }
  }
  if (!stored) {
    // what is wrong whatever it changes is told first, as the catalogue says
    judgeAlone(position)
    throw notKept()
  }
  return putOf(completePosition(id, position, readKept(stored)))
}

function decideAdd(position: ChangeInput['position'], kept: readonly KeptPosition[]) {
  if (position.id !== undefined) {
    throw invalid('position.id is given by add; leave it out, or send op update to change one.')
  }
  const added = completePosition(`p_${randomBase62(12)}`, position)
  if (kept.length >= POSITIONS_MAX) {
    throw invalid(
      `the account keeps ${kept.length} positions, which is the limit; remove one first.`,
    )
  }
  return putOf(added)
}

function putOf(position: Changed['position'] & {}): PositionChange {
  const { id, ...body } = position
  const answer = answerOf({ ok: true, id, position })
  return { put: { id, body: JSON.stringify(body) }, answer }
}

const answerOf = (changed: Changed): string => JSON.stringify(changed)
