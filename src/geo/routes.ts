import express, { type RequestHandler, type Response, type Router } from 'express'
import { callContext } from '../accounts/callContext.ts'
import { spentMonth } from '../accounts/limits/monthLimit.ts'
import { DAYS_MAX } from '../data/geo/weeks.ts'
import { sendJson } from '../platform/http/json.ts'
import { createCachedPage, sendPage } from '../platform/http/page.ts'
import { readQuery } from '../platform/http/query.ts'
import { reading, refuseRoute } from '../platform/http/request.ts'
import { acceptedType } from '../platform/http/response.ts'
import {
  type GeoReader,
  readCountries,
  readHealth,
  readItemsCsv,
  readItemsPage,
  readSources,
  readWeeks,
} from './ask.ts'
import { PAGE_PARAMETERS, RANGE_PARAMETERS, readItems, readPage, readWeek } from './params.ts'
import { utcText } from './wire.ts'

export type GeoRouteDeps = {
  readonly geo: GeoReader
  /** As-of time: responses contain nothing that became known later. */
  readonly nowMs: () => number
  /** Real time, also in a replay: calls are counted by it. */
  readonly elapsedMs: () => number
}

type Query<Name extends string> = Readonly<Record<Name, readonly string[]>>

/** Serves a JSON query; its parameters are checked before anything is read. */
const respondWith = <const Name extends string>(
  names: readonly Name[],
  prepare: (query: Query<Name>) => () => Promise<object>,
): RequestHandler =>
  reading(async (req, res) => {
    const query = prepare(readQuery(req, res, names))
    acceptedType(req, ['application/json'])
    const body = JSON.stringify(await query())
    await countCall(res)
    sendJson(req, res, body)
  })

/** Counts a served call if calls are counted. Fails with `rate`. */
const countCall = async (res: Response): Promise<void> => callContext(res).countCall?.()

/** Routes without a key, mounted at `/geo`; `limit` bounds the calls of an address. */
export function freeRouter({ geo, nowMs }: GeoRouteDeps, limit: RequestHandler): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  // with a key
  router.use('/v1', (_req, _res, next) => next('router'))
  router.use(limit)
  router.all(
    '/items',
    respondWith(PAGE_PARAMETERS, query => {
      const page = readPage(query, { access: 'free', nowMs: nowMs() })
      return () => readItemsPage(geo, page)
    }),
  )
  router.all(
    '/weeks',
    respondWith([], () => () => readWeeks(geo, nowMs())),
  )
  router.all(
    '/countries',
    respondWith(['week'], query => {
      const atMs = nowMs()
      const week = readWeek(query.week, { access: 'free', nowMs: atMs })
      return () => readCountries(geo, week, atMs)
    }),
  )
  router.all(
    '/health',
    respondWith([], () => () => readHealth(geo, nowMs())),
  )
  router.use(refuseRoute)
  return router
}

/** Routes with a key, mounted at `/geo/v1`. */
export function keyedRouter({ geo, nowMs, elapsedMs }: GeoRouteDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  router.all('/usage', reading(sendUsage))
  router.use(refuseSpent(elapsedMs))
  router.all(
    '/items',
    respondWith(PAGE_PARAMETERS, query => {
      const page = readPage(query, { access: 'keyed', nowMs: nowMs() })
      return () => readItemsPage(geo, page)
    }),
  )
  router.all(
    '/sources',
    respondWith([], () => () => readSources(geo, nowMs())),
  )
  router.all('/export.csv', reading(sendExport({ geo, nowMs })))
  router.use(refuseRoute)
  return router
}

/** Refuses an account that has used up the month's calls, before any other check. */
const refuseSpent =
  (elapsedMs: () => number): RequestHandler =>
  (_req, res, next) => {
    const month = callContext(res).month!
    next(month.used < month.limit ? undefined : spentMonth(month, elapsedMs()))
  }

/** Returns the number of calls used. Not counted itself, so that it works after the last call. */
const sendUsage: RequestHandler = (req, res) => {
  readQuery(req, res, [])
  acceptedType(req, ['application/json'])
  const { month, plan, used, limit, resetsAtMs, keys } = callContext(res).month!
  const usage = { month, plan, used, limit, resets_at: utcText(resetsAtMs) }
  sendJson(req, res, JSON.stringify({ ...usage, keys: { used: keys.all, max: keys.max } }))
}

const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

const sendExport =
  ({ geo, nowMs }: Pick<GeoRouteDeps, 'geo' | 'nowMs'>): RequestHandler =>
  async (req, res) => {
    const atMs = nowMs()
    const query = readQuery(req, res, RANGE_PARAMETERS)
    const range = { access: 'keyed', nowMs: atMs, atMs, daysMax: DAYS_MAX.export } as const
    const wanted = readItems(query, range)
    acceptedType(req, ['text/csv'])
    const content = await readItemsCsv(geo, wanted, atMs)
    await countCall(res)
    const headers = {
      'cache-control': 'private, no-cache',
      'content-disposition': `attachment; filename="geo-${wanted.from}-${wanted.to}.csv"`,
    }
    await sendPage(req, res, createCachedPage({ content, contentType: CSV_TYPE, headers }))
  }
