import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import { readIdempotencyKey } from '../accounts/repeatKey.ts'
import { sha256 } from '../core/disk/files.ts'
import { formatEtag } from '../data/published/manifest.ts'
import { readBody } from '../platform/http/body.ts'
import { ApiError } from '../platform/http/error.ts'
import { CACHE_NEWEST, sendJson, writeCaching } from '../platform/http/json.ts'
import { onlyOne, readQuery } from '../platform/http/query.ts'
import { reading, refuseRoute, shown } from '../platform/http/request.ts'
import { acceptedType, JSON_TYPE, sendRepresentation } from '../platform/http/response.ts'
import { FORM_OF_TYPE, TABLE_TYPES } from '../platform/http/tableForms.ts'
import type { LabDeps } from './ask.ts'
import { badRequest } from './parseChat.ts'
import { readRequester } from './requester.ts'
import { parseAction, parseRun, parseStruct, prefersAsync } from './runs/parseRuns.ts'
import {
  act,
  awaitRun,
  type Begun,
  beginRun,
  beginStruct,
  doneRun,
  formatRunResponse,
  jobBegun,
  type RunDeps,
  readAccountJob,
  readIdeaResult,
} from './runs/queryRuns.ts'
import type { Trades } from './runs/trades.ts'
import { WAIT_MS } from './runs/waiting.ts'

/** Methods of a resource that only accepts a body. */
export const POST_METHODS = 'POST, OPTIONS'

export type RunRouteDeps = RunDeps & { readonly trades: Trades }

/** Default and maximum number of trade rows in JSON. */
const TRADES_MAX = 1_000_000

/** Routes of tests of ideas and their results, to be mounted under `/api/lab` behind a key. */
export function addRunRoutes(router: Router, deps: RunRouteDeps): void {
  router.all('/run', takeRun(deps))
  router.all('/idea', takeAction(deps))
  router.all('/result', readResult(deps))
  router.all('/trades', readTrades(deps))
}

/** Routes of rules computed without an idea, to be mounted under `/api/struct` behind a key. */
export function structRouter(deps: RunRouteDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  router.all('/run', takeStruct(deps))
  router.all('/job', readJob(deps))
  router.use(refuseRoute)
  return router
}

function takeRun(deps: RunRouteDeps): RequestHandler {
  return async (req, res) => {
    refuseOthers(req)
    readQuery(req, res, [])
    const input = parseRun(await readBody(req))
    const repeat = readIdempotencyKey(req, input)
    const requester = readRequester(res, deps)
    const begun = await refuseWhileUnavailable(() => beginRun(deps, requester, input, repeat))
    if (prefersAsync(req)) return await sendBegun(res, deps, begun)
    const hangUp = new AbortController()
    res.on('close', () => hangUp.abort())
    const wait = { waitMs: WAIT_MS[input.kind], signal: hangUp.signal }
    const run = await refuseWhileUnavailable(() => awaitRun(deps, begun.run, wait))
    // the client disconnected; the run continues
    if (!run) return
    markReplay(res, begun)
    send(res, 200, await refuseWhileUnavailable(() => formatRunResponse(deps, requester, run)))
  }
}

function takeStruct(deps: RunRouteDeps): RequestHandler {
  return async (req, res) => {
    refuseOthers(req)
    readQuery(req, res, [])
    const input = parseStruct(await readBody(req))
    const repeat = readIdempotencyKey(req, input)
    const begun = await refuseWhileUnavailable(() =>
      beginStruct(deps, readRequester(res, deps), input, repeat),
    )
    await sendBegun(res, deps, begun)
  }
}

/** Responds with 202 for a job in progress, whatever its state by now. */
async function sendBegun(res: Response, deps: RunRouteDeps, begun: Begun): Promise<void> {
  const response = await refuseWhileUnavailable(() =>
    jobBegun(deps, readRequester(res, deps), begun.run),
  )
  markReplay(res, begun)
  if (begun.run.kind !== 'struct') res.setHeader('preference-applied', 'respond-async')
  send(res, 202, JSON.stringify(response))
}

function takeAction(deps: RunRouteDeps): RequestHandler {
  return async (req, res) => {
    refuseOthers(req)
    readQuery(req, res, [])
    const input = parseAction(await readBody(req))
    const response = await refuseWhileUnavailable(() => act(deps, readRequester(res, deps), input))
    send(res, 200, JSON.stringify(response))
  }
}

function readResult(deps: LabDeps): RequestHandler {
  return reading(async (req, res) => {
    const query = readQuery(req, res, ['id', 'kind'])
    const id = given('id', query.id, 'i_4fQ8sK2mZx0T')
    const kind = given('kind', query.kind, 'backtest')
    if (kind !== 'backtest' && kind !== 'quant') {
      throw badRequest('kind is none of backtest and quant; give one, such as kind=backtest.')
    }
    const body = await refuseWhileUnavailable(() =>
      readIdeaResult(deps, readRequester(res, deps), { id, kind }),
    )
    acceptedType(req, ['application/json'])
    sendJson(req, res, body)
  })
}

function readJob(deps: LabDeps): RequestHandler {
  return reading(async (req, res) => {
    const id = given('id', readQuery(req, res, ['id']).id, 'j_4fQ8sK2mZx0T')
    const body = await refuseWhileUnavailable(() =>
      readAccountJob(deps, readRequester(res, deps), id),
    )
    acceptedType(req, ['application/json'])
    sendJson(req, res, body)
  })
}

function readTrades(deps: RunRouteDeps): RequestHandler {
  return reading(async (req, res) => {
    const query = readQuery(req, res, ['job', 'start', 'count'])
    const id = given('job', query.job, 'j_4fQ8sK2mZx0T')
    const start = wholeNumber('start', query.start, 0)
    const count = wholeNumber('count', query.count, TRADES_MAX)
    const run = await refuseWhileUnavailable(() => doneRun(deps, readRequester(res, deps), id))
    const type = acceptedType(req, TABLE_TYPES)
    const question = { runId: id, sha256: run.tradesSha256, key: run.tradesKey, start, count }
    const bytes = await deps.trades.render({ ...question, form: FORM_OF_TYPE[type] })
    writeCaching(res, CACHE_NEWEST)
    const csv = 'text/csv; charset=utf-8; header=present'
    const contentType = type === 'text/csv' ? csv : type === 'application/json' ? JSON_TYPE : type
    sendRepresentation(req, res, { bytes, etag: formatEtag(sha256(bytes)), contentType })
  })
}

function given(name: string, values: readonly string[], good: string): string {
  const value = onlyOne(name, values)
  if (value !== null) return value
  throw badRequest(`${name} is missing; give one, such as ?${name}=${good}.`)
}

function wholeNumber(name: string, values: readonly string[], usual: number): number {
  const value = onlyOne(name, values)
  if (value === null) return usual
  if (/^\d{1,6}$/.test(value)) return Number(value)
  throw badRequest(
    `${name} is ${shown(value)}; give a number of up to six digits, such as ${name}=100.`,
  )
}

function refuseOthers(req: Request): void {
  if (req.method === 'POST') return
  throw new ApiError('method', {
    message: `this endpoint takes POST, not ${req.method}.`,
    headers: { allow: POST_METHODS },
  })
}

function markReplay(res: Response, { isReplay }: Begun): void {
  if (isReplay) res.setHeader('idempotency-replayed', 'true')
}

/** Sends a response made for this request alone. */
function send(res: Response, status: number, text: string): void {
  const body = Buffer.from(text)
  res.setHeader('content-type', JSON_TYPE)
  res.setHeader('content-length', body.byteLength)
  res.setHeader('cache-control', 'no-store')
  res.writeHead(status).end(body)
}
