import express, { type RequestHandler, type Router } from 'express'
import { randomBase62 } from '../accounts/apiKey.ts'
import type { Hook } from '../accounts/outbox/types.ts'
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
import type { WebhookTools } from '../webhooks/tools.ts'
import { judgeAlone } from './alone.ts'
import { completePosition } from './completePosition.ts'
import { hookChange, judgeNamed, sealedSecret, withHookState } from './hooks.ts'
import { keptPosition, keptPositions, notKept, readKept } from './kept.ts'
import { type ChangeInput, parseChange } from './parseChange.ts'
import { type Changed, catalogue } from './positionWire.ts'
import type { Position } from './schema.ts'

export type PositionsDeps = {
  readonly accounts: AccountStore
  readonly webhooks: WebhookTools
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
    const [kept, hooks] = await Promise.all([
      id === null ? keptPositions(accounts, accountId) : keptPosition(accounts, accountId, id),
      answering(() => accounts.outbox.listHooks(accountId)),
    ])
    const answer = Array.isArray(kept)
      ? { positions: kept.map(one => withHookState(one, hooks)), max: POSITIONS_MAX, catalogue }
      : { position: withHookState(kept, hooks) }
    acceptedType(req, ['application/json'])
    sendJson(req, res, JSON.stringify(answer))
  }
}

function changePositions({ accounts, nowMs, webhooks }: PositionsDeps): RequestHandler {
  return async (req, res) => {
    readQuery(req, res, [])
    const change = parseChange(await readBody(req))
    const repeat = repeatOf(req, change)
    const accountId = contextOf(res).accountId!
    const isSaved = change.op !== 'remove'
    if (isSaved) await judgeNamed(change.position, webhooks)
    const firstSecret = isSaved ? sealedSecret(webhooks, accountId) : null
    const changed = await answering(() =>
      accounts.changePositions({
        ...{ accountId, atMs: nowMs(), repeat },
        decide: (kept, hooks) => decide(change, { kept, hooks, firstSecret, webhooks }),
      }),
    )
    sendChanged(res, changed)
  }
}

type Deciding = {
  readonly kept: readonly KeptPosition[]
  readonly hooks: readonly Hook[]
  readonly firstSecret: string | null
  readonly webhooks: WebhookTools
}

/** What a change makes of the positions that an account keeps. */
function decide({ op, position }: ChangeInput, at: Deciding): PositionChange {
  const { kept } = at
  if (op === 'add') return decideAdd(position, at)
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
    judgeAlone(position, at.webhooks.rules)
    throw notKept()
  }
  const { rules } = at.webhooks
  return putOf(completePosition(id, position, readKept(stored), rules), position, at)
}

function decideAdd(position: ChangeInput['position'], at: Deciding) {
  const { kept, webhooks } = at
  if (position.id !== undefined) {
    throw invalid('position.id is given by add; leave it out, or send op update to change one.')
  }
  const added = completePosition(`p_${randomBase62(12)}`, position, undefined, webhooks.rules)
  if (kept.length >= POSITIONS_MAX) {
    throw invalid(
      `the account keeps ${kept.length} positions, which is the limit; remove one first.`,
    )
  }
  return putOf(added, position, at)
}

function putOf(position: Position, sent: ChangeInput['position'], at: Deciding): PositionChange {
  const { id, ...body } = position
  const hook = hookChange(position, sent, at)
  const told = hook === undefined ? withHookState(position, at.hooks) : position
  const isOn = hook !== undefined && hook !== 'remove'
  const saved = isOn ? { ...position, alert: { ...position.alert, state: 'on' as const } } : told
  const answer = answerOf({ ok: true, id, position: saved })
  return { put: { id, body: JSON.stringify(body) }, ...(hook && { hook }), answer }
}

const answerOf = (changed: Changed): string => JSON.stringify(changed)
