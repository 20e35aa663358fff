import express, { type RequestHandler, type Router } from 'express'
import { readIdempotencyKey, sendChanged } from '../accounts/repeatKey.ts'
import type { AccountStore } from '../accounts/types.ts'
import { readBody } from '../platform/http/body.ts'
import { invalid } from '../platform/http/changeBody.ts'
import { givenDay } from '../platform/http/dayAndMinute.ts'
import { ApiError } from '../platform/http/error.ts'
import { sendJson } from '../platform/http/json.ts'
import { onlyOne, readQuery } from '../platform/http/query.ts'
import { reading, requestContext, shown } from '../platform/http/request.ts'
import { acceptedType } from '../platform/http/response.ts'
import { changeAlerts, readAlerts } from './ask.ts'
import { EVENT_TYPES } from './eventSchema.ts'
import { readDeliveries, readEvents } from './events.ts'
import { DELIVERIES_MAX, DELIVERIES_USUAL, EVENTS_MAX, EVENTS_USUAL } from './limits.ts'
import { isSend, parseAlertRequest } from './parseRequest.ts'
import { sendOnDemand } from './send.ts'
import type { AlertAccounts } from './store/types.ts'

export type AlertsDeps = {
  readonly accounts: AlertAccounts
  readonly nowMs: () => number
  /** System clock, also in a replay: events are sent by it. */
  readonly elapsedMs: () => number
}

/** Methods of `/api/alerts`. */
export const ALERT_METHODS = 'GET, HEAD, POST, OPTIONS'

/** Routes of an account's alerts, mounted under `/api/alerts` with key authentication. */
export function alertsRouter(deps: AlertsDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const read = handleRead(deps)
  const change = handleChange(deps)
  router.all('/', (req, res, next) => {
    // when mounted, a path with a trailing slash looks like the one without
    if (req.originalUrl.split('?')[0]!.endsWith('/')) return next()
    if (req.method === 'GET' || req.method === 'HEAD') return read(req, res, next)
    if (req.method === 'POST') return change(req, res, next)
    throw new ApiError('method', {
      message: `this endpoint takes GET, HEAD and POST, not ${req.method}.`,
      headers: { allow: ALERT_METHODS },
    })
  })
  return router
}

function handleRead({ accounts }: AlertsDeps): RequestHandler {
  return async (req, res) => {
    readQuery(req, res, [])
    const response = await readAlerts(accounts, requestContext(res).accountId!)
    acceptedType(req, ['application/json'])
    sendJson(req, res, JSON.stringify(response))
  }
}

function handleChange({ accounts, nowMs, elapsedMs }: AlertsDeps): RequestHandler {
  return async (req, res) => {
    readQuery(req, res, [])
    const request = parseAlertRequest(await readBody(req))
    const accountId = requestContext(res).accountId!
    const repeat = readIdempotencyKey(req, request)
    const common = { accountId, repeat, atMs: nowMs() }
    const changed = isSend(request)
      ? await sendOnDemand(accounts, { ...common, dueMs: elapsedMs(), send: request })
      : await changeAlerts(accounts, { ...common, change: request })
    sendChanged(res, changed)
  }
}

type EventDeps = {
  readonly accounts: Pick<AccountStore, 'outbox'>
  /** System clock, also in a replay. */
  readonly elapsedMs: () => number
}

/** Routes of events and deliveries, mounted under `/api/alerts` with key authentication. */
export function eventsRouter(deps: EventDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  router.all('/events', reading(handleEvents(deps)))
  router.all('/deliveries', reading(handleDeliveries(deps)))
  return router
}

function handleEvents({ accounts, elapsedMs }: EventDeps): RequestHandler {
  return async (req, res) => {
    const query = readQuery(req, res, ['after', 'limit', 'day', 'type'])
    const eventsQuery = {
      accountId: requestContext(res).accountId!,
      day: givenDay(query.day),
      after: parseWholeNumber('after', query.after, { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? 0,
      limit: parseWholeNumber('limit', query.limit, { min: 1, max: EVENTS_MAX }) ?? EVENTS_USUAL,
      type: parseType(query.type),
      run: null,
      atMs: elapsedMs(),
    }
    acceptedType(req, ['application/json'])
    sendJson(req, res, JSON.stringify(await readEvents(accounts, eventsQuery)))
  }
}

function handleDeliveries({ accounts, elapsedMs }: EventDeps): RequestHandler {
  return async (req, res) => {
    const query = readQuery(req, res, ['event', 'before', 'limit'])
    const deliveriesQuery = {
      accountId: requestContext(res).accountId!,
      eventId: onlyOne('event', query.event),
      before: parseWholeNumber('before', query.before, { min: 1, max: Number.MAX_SAFE_INTEGER }),
      limit:
        parseWholeNumber('limit', query.limit, { min: 1, max: DELIVERIES_MAX }) ?? DELIVERIES_USUAL,
      atMs: elapsedMs(),
    }
    const response = await readDeliveries(accounts, deliveriesQuery)
    acceptedType(req, ['application/json'])
    sendJson(req, res, JSON.stringify(response))
  }
}

type Range = { readonly min: number; readonly max: number }

function parseWholeNumber(
  name: string,
  values: readonly string[],
  { min, max }: Range,
): number | null {
  const text = onlyOne(name, values)
  if (text === null) return null
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} on` : `from ${min} to ${max}`
  throw invalid(`${name} is ${shown(text)}; give a whole number ${range}, such as ${name}=20.`)
}

function parseType(values: readonly string[]): string | null {
  const type = onlyOne('type', values)
  if (type === null || EVENT_TYPES.some(known => known === type)) return type
  throw invalid(`type is ${shown(type)}; give one of ${EVENT_TYPES.join(', ')}.`)
}
