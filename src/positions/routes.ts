import express, { type RequestHandler, type Router } from 'express'
import { randomBase62 } from '../accounts/apiKey.ts'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import { POSITIONS_MAX } from '../accounts/products.ts'
import { readIdempotencyKey, sendChanged } from '../accounts/repeatKey.ts'
import type { WebhookEndpoint } from '../outbox/store/types.ts'
import { readBody } from '../platform/http/body.ts'
import { invalid, seenAs } from '../platform/http/changeBody.ts'
import { ApiError } from '../platform/http/error.ts'
import { sendJson } from '../platform/http/json.ts'
import { onlyOne, readQuery } from '../platform/http/query.ts'
import { refusePathAs, requestContext } from '../platform/http/request.ts'
import { acceptedType } from '../platform/http/response.ts'
import type { AddressRules } from '../platform/webhooks/address.ts'
import type { WebhookTools } from '../platform/webhooks/tools.ts'
import { CONDITIONS, LABEL_DEFAULTS, listConditions } from './catalogue.ts'
import {
  checkEntry,
  checkExtraLegs,
  checkLabel,
  checkStrike,
  checkWebhookUrl,
  completePosition,
  namedConditions,
  noWebhookUrl,
  type Strike,
  sessionOfInput,
} from './completePosition.ts'
import { decideEndpointChange, judgeNamed, sealedSecret, withEndpointState } from './endpoints.ts'
import { LEG_NAMES, LEGS_OF_KIND } from './kinds.ts'
import { type ChangeInput, type PositionInput, parseChange } from './parseChange.ts'
import { type Changed, catalogue } from './positionWire.ts'
import type { Position } from './schema.ts'
import type { PositionAccounts, PositionChange, StoredPosition } from './store/types.ts'
import { positionNotFound, readStoredPosition, readStoredPositions, toPosition } from './stored.ts'

export type PositionsDeps = {
  readonly accounts: PositionAccounts
  readonly webhooks: WebhookTools
  readonly nowMs: () => number
}

/** Methods of `/api/positions`. */
export const POSITION_METHODS = 'GET, POST, OPTIONS'

/** Throws 404 `not_found`, the only one of the positions API. */
export const refusePath = refusePathAs('not_found')

/** Routes of an account's positions, mounted under `/api/positions` with key authentication. */
export function positionsRouter(deps: PositionsDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const list = listPositions(deps)
  const change = changePositions(deps)
  router.all('/', (req, res, next) => {
    // when mounted, a path with a trailing slash looks like the one without
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
    const accountId = requestContext(res).accountId!
    const id = onlyOne('id', readQuery(req, res, ['id']).id)
    const [storedPositions, endpoints] = await Promise.all([
      id === null
        ? readStoredPositions(accounts, accountId)
        : readStoredPosition(accounts, accountId, id),
      refuseWhileUnavailable(() => accounts.outbox.listEndpoints(accountId)),
    ])
    const response = Array.isArray(storedPositions)
      ? {
          positions: storedPositions.map(one => withEndpointState(one, endpoints)),
          max: POSITIONS_MAX,
          catalogue,
        }
      : { position: withEndpointState(storedPositions, endpoints) }
    acceptedType(req, ['application/json'])
    sendJson(req, res, JSON.stringify(response))
  }
}

function changePositions({ accounts, nowMs, webhooks }: PositionsDeps): RequestHandler {
  return async (req, res) => {
    readQuery(req, res, [])
    const change = parseChange(await readBody(req))
    const repeat = readIdempotencyKey(req, change)
    const accountId = requestContext(res).accountId!
    const isSaved = change.op !== 'remove'
    if (isSaved) await judgeNamed(change.position, webhooks)
    const firstSecret = isSaved ? sealedSecret(webhooks, accountId) : null
    const changed = await refuseWhileUnavailable(() =>
      accounts.changePositions({
        accountId,
        atMs: nowMs(),
        repeat,
        decide: (storedPositions, endpoints) =>
          decide(change, { storedPositions, endpoints, firstSecret, webhooks }),
      }),
    )
    sendChanged(res, changed)
  }
}

type Deciding = {
  readonly storedPositions: readonly StoredPosition[]
  readonly endpoints: readonly WebhookEndpoint[]
  readonly firstSecret: string | null
  readonly webhooks: WebhookTools
}

/** Applies a change to an account's positions. */
function decide({ op, position }: ChangeInput, at: Deciding): PositionChange {
  const { storedPositions } = at
  if (op === 'add') return decideAdd(position, at)
  const { id } = position
  if (id === undefined) {
    throw invalid(
      'position.id is missing; give the id that add answered, such as "p_4fQ8sK2mZx0T".',
    )
  }
  const stored = storedPositions.find(one => one.id === id)
  if (op === 'remove') {
    if (!stored) throw positionNotFound()
    return { removeId: id, response: formatResponse({ ok: true, id }) }
  }
  if (!stored) {
    // errors independent of the stored state are reported first, as the catalogue states
    judgeAlone(position, at.webhooks.rules)
    throw positionNotFound()
  }
  const { rules } = at.webhooks
  return toPositionChange(completePosition(id, position, toPosition(stored), rules), position, at)
}

function decideAdd(position: ChangeInput['position'], at: Deciding) {
  const { storedPositions, webhooks } = at
  if (position.id !== undefined) {
    throw invalid('position.id is given by add; leave it out, or send op update to change one.')
  }
  const added = completePosition(`p_${randomBase62(12)}`, position, undefined, webhooks.rules)
  if (storedPositions.length >= POSITIONS_MAX) {
    throw invalid(
      `the account keeps ${storedPositions.length} positions, which is the limit; remove one first.`,
    )
  }
  return toPositionChange(added, position, at)
}

function toPositionChange(
  position: Position,
  sent: ChangeInput['position'],
  at: Deciding,
): PositionChange {
  const { id, ...body } = position
  const endpoint = decideEndpointChange(position, sent, at)
  const shown = endpoint === undefined ? withEndpointState(position, at.endpoints) : position
  const isOn = endpoint !== undefined && endpoint !== 'remove'
  const saved = isOn ? { ...position, alert: { ...position.alert, state: 'on' as const } } : shown
  const response = formatResponse({ ok: true, id, position: saved })
  return { put: { id, body: JSON.stringify(body) }, ...(endpoint && { endpoint }), response }
}

const formatResponse = (changed: Changed): string => JSON.stringify(changed)

/**
 * Validates an update without the position it changes. Fails with `invalid` on what is wrong for
 * any position, in the order and with the messages of `completePosition`; the rest is not judged.
 */
export function judgeAlone(input: PositionInput, rules?: AddressRules): void {
  const { kind, entry, conditions, label, alert } = input
  const session = sessionOfInput(input)
  judgeLegs(input)
  if (entry !== undefined) checkEntry(entry, session)
  namedConditions(conditions, kind)
  judgeLabel(label, kind)
  if (alert?.url != null) checkWebhookUrl(alert.url, rules)
  if (alert?.channel === 'webhook' && alert.url === null) throw noWebhookUrl()
}

function judgeLegs(input: PositionInput): void {
  const { kind, legs } = input
  if (kind !== undefined) checkExtraLegs(kind, input)
  const order = kind === undefined ? LEG_NAMES : LEGS_OF_KIND[kind]
  let below: Strike | null = null
  for (const name of order) {
    const strike = legs?.[name]
    if (strike == null) continue
    checkStrike({ name, strike, below, order })
    below = { name, strike }
  }
}

/** A count that is not sent may have any value: then only the other one is judged. */
function judgeLabel(label: PositionInput['label'], kind: PositionInput['kind']): void {
  const most = (kind === undefined ? CONDITIONS : listConditions(kind)).length
  const caution = label?.caution === null ? LABEL_DEFAULTS.caution : label?.caution
  const skip = label?.skip === null ? LABEL_DEFAULTS.skip : label?.skip
  if (caution !== undefined && skip !== undefined) {
    checkLabel({ caution, skip }, most)
    return
  }
  for (const [name, count] of Object.entries({ caution, skip })) {
    if (count === undefined || (count >= 1 && count <= most)) continue
    throw invalid(`${seenAs(`position.label.${name}`, count)}; give 1 to ${most}, such as 3.`)
  }
}
