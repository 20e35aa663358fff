import express, { type RequestHandler, type Router } from 'express'
import { readIdempotencyKey, sendChanged } from '../accounts/repeatKey.ts'
import { readBody } from '../platform/http/body.ts'
import { ApiError } from '../platform/http/error.ts'
import { sendJson } from '../platform/http/json.ts'
import { readQuery } from '../platform/http/query.ts'
import { requestContext } from '../platform/http/request.ts'
import { acceptedType } from '../platform/http/response.ts'
import { changeAlerts, readAlerts } from './ask.ts'
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
