import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import { LRUCache } from 'lru-cache'
import { planAt } from '../accounts/products.ts'
import { dayReader, findTradingSession, isDate } from '../core/market/calendar.ts'
import type { FlowResponse } from '../levels/ask.ts'
import { wantsPage } from '../platform/html/errorPage.ts'
import { ApiError } from '../platform/http/error.ts'
import { isExpected } from '../platform/http/errors/catalogue.ts'
import { createCachedPage, type Page, sendPage } from '../platform/http/page.ts'
import { readQuery } from '../platform/http/query.ts'
import { reading } from '../platform/http/request.ts'
import { HTML_TYPE, JSON_TYPE, sendHtml } from '../platform/http/response.ts'
import type { AccountDeps } from './accountDeps.ts'
import { exposuresPage } from './exposuresPage.ts'
import { orderPage } from './orderPage.ts'
import { ordersPage } from './ordersPage.ts'
import { sessionPage } from './sessionPage.ts'
import { halfDayClose } from './sessionParts.ts'
import {
  EXPOSURE_PARAMETERS,
  findMinuteIndex,
  NO_ORDERS,
  ORDER_PARAMETERS,
  readExposures,
  readOrders,
  readView,
  SESSION_PARAMETERS,
} from './sessionQuery.ts'
import { notHere, type SessionResponder, type SiteAsks } from './sessionResponders.ts'
import { lockedPage, SESSIONS_PAGE_SIZE, sessionsPage } from './sessionsPage.ts'
import type { SharePictures } from './share.ts'
import { sendOrderPicture, sendSessionPicture } from './shareRoutes.ts'
import { findSignedIn, refuseProgram, signInFirst } from './signedIn.ts'
import { tapePage } from './tapePage.ts'

/** Maximum number of cached pages, least recently used out: a page changes only when rebuilt. */
const PAGES_CACHED_MAX = 200
/** Revalidated before it is shown: its assets have other names after a release. */
const CACHING = { 'cache-control': 'no-cache' }
/** Orders shown on a session page. */
const LARGEST = { kind: null, side: null, exp: null, minPremium: null, sort: 'effect' } as const
const LARGEST_COUNT = 12
/** Expiry time of the options of the day, ET. */
const REGULAR_CLOSE = '16:00'
const ALL_ORDERS = 1_000_000

/** Session pages may include the public address, and share a picture. */
export type SessionDeps = AccountDeps & {
  readonly asks: SiteAsks
  readonly publicUrl: string | null
  readonly pictures: SharePictures
}

/** Pages of sessions, to be mounted at `/sessions`. */
export function sessionRouter(deps: SessionDeps): Router {
  const { asks, pictures } = deps
  const router = express.Router({ caseSensitive: true, strict: true })
  const readDay = dayReader()
  const pages = new LRUCache<string, Page>({ max: PAGES_CACHED_MAX })
  const readToday = () => readDay(deps.nowMs())

  const send = async (
    req: Request,
    res: Response,
    { isOpen, key, make }: { isOpen: boolean; key: string; make: () => string | Promise<string> },
  ) => {
    if (isOpen) return sendHtml(res, await make(), 200, { 'cache-control': 'private, no-store' })
    const content = pages.get(key) ?? cachedHtml(await make())
    pages.set(key, content)
    return sendPage(req, res, content)
  }
  /** Serves a day; an unfinished one only to visitors who may see it. */
  const onDay = (respond: SessionResponder, isPage = true): RequestHandler =>
    reading(async (req, res) => {
      const { day } = req.params as { day: string }
      if (day !== readToday() || !findTradingSession(day)) {
        return respond({ wanted: { day, mayBeOpen: false }, isOpen: false }, req, res)
      }
      const signedIn = await findSignedIn(req, res, deps)
      const products = signedIn?.request.account.products ?? []
      const atMs = deps.elapsedMs()
      const isAllowed = (['live', 'orders'] as const).some(one => planAt(products, one, atMs))
      if (!isAllowed && (isPage || wantsPage(req))) {
        const headers = { 'cache-control': 'private, no-store' }
        return sendHtml(res, lockedPage(day), 200, headers)
      }
      if (!isAllowed) return refuseProgram(res, todayRefusal(day, signedIn !== null))
      return respond({ wanted: { day, mayBeOpen: true }, isOpen: true }, req, res)
    })

  router.use((req, _res, next) => {
    const isSlashed = req.originalUrl.split('?')[0]!.endsWith('/')
    next(isSlashed ? notHere() : undefined)
  })
  router.all('/', reading(listSessions({ asks, send, readToday })))
  router.all('/:day', onDay(showSession(deps, send)))
  router.all('/:day/orders', onDay(showOrders(deps, send)))
  router.all('/:day/orders.csv', onDay(sendCsv(deps), false))
  router.all('/:day/orders/:id', onDay(showOrder(deps, send)))
  router.all('/:day/orders/:id/picture.png', onDay(sendOrderPicture(asks, pictures), false))
  router.all('/:day/picture.png', onDay(sendSessionPicture(asks, pictures), false))
  router.all('/:day/curves', onDay(sendCurves(deps), false))
  router.all('/:day/strikes', onDay(sendLadders(deps), false))
  router.all('/:day/now', onDay(sendNow(deps), false))
  router.all('/:day/exposures', onDay(showExposures(deps, send)))
  router.all('/:day/tape', onDay(showTape(deps, send)))
  router.use(() => {
    throw notHere()
  })
  return router
}

const todayRefusal = (day: string, isSignedIn: boolean): ApiError =>
  isSignedIn
    ? new ApiError('plan', { message: `${TODAY(day)}; the account needs the plan LIVE or ORDERS.` })
    : signInFirst(TODAY(day))

const TODAY = (day: string) => `${day} is of today, and free after midnight in New York`

type Send = (
  req: Request,
  res: Response,
  page: { isOpen: boolean; key: string; make: () => string | Promise<string> },
) => Promise<void>

type Listing = {
  readonly asks: SiteAsks
  readonly send: Send
  readonly readToday: () => string
}

function listSessions({ asks, send, readToday }: Listing): RequestHandler {
  return async (req, res) => {
    const { page } = readOrders({ ...NO_ORDERS, page: readQuery(req, res, ['page']).page })
    const sessions = await asks.archive.listSessions()
    if (page > 1 && (page - 1) * SESSIONS_PAGE_SIZE >= sessions.length) throw notHere()
    const today = findTradingSession(readToday()) ? readToday() : null
    const revisions = sessions.map(({ revision }) => revision).join('')
    const key = `/ ${page} ${today} ${revisions} ${sessions.map(({ reason }) => reason).join('')}`
    await send(req, res, {
      isOpen: false,
      key,
      make: () => sessionsPage(sessions, { page, today }),
    })
  }
}

const showSession =
  ({ asks, publicUrl }: SessionDeps, send: Send): SessionResponder =>
  async ({ wanted, isOpen }, req, res) => {
    const view = readView(readQuery(req, res, SESSION_PARAMETERS))
    const sessionLevels = await asks.archive.readLevels(wanted)
    const at = findMinuteIndex(
      sessionLevels.minutes,
      view.t,
      halfDayClose(wanted.day) ?? REGULAR_CLOSE,
    )
    const { before, after } = neighbours(await asks.archive.listSessions(), wanted.day)
    const releases = await asks.geo.readReleases(wanted.day)
    const name = `${wanted.day} ${sessionLevels.revision} ${view.book} ${view.t} ${before} ${after}`
    const key = `${name} ${JSON.stringify(releases)}`
    const make = async () => {
      const curves = await asks.archive.readCurves(wanted, view.book)
      const ladders = await asks.archive.readLadders(wanted, { book: view.book, time: null })
      const largest = { ...LARGEST, start: 0, count: LARGEST_COUNT }
      const found = await asks.orders.findOrders(wanted, largest)
      const flow = await readFlow(asks, wanted.day)
      return sessionPage({
        flow,
        view,
        sessionLevels,
        curves,
        ladders,
        releases,
        found,
        at,
        before,
        after,
        isOpen,
        delayMinutes: isOpen ? asks.status.readState().delayMinutes : 0,
        publicUrl,
      })
    }
    await send(req, res, { isOpen, key, make })
  }

/** Returns the customers' flow; null where levels are not stored here. */
async function readFlow({ levels }: SiteAsks, day: string): Promise<FlowResponse | null> {
  try {
    return await levels.readFlow({ day, time: null, part: 'all', span: 'day' })
  } catch (error) {
    if (isExpected(error)) return null
    throw error
  }
}

const showOrders =
  ({ asks }: SessionDeps, send: Send): SessionResponder =>
  async ({ wanted, isOpen }, req, res) => {
    const view = readOrders(readQuery(req, res, ORDER_PARAMETERS))
    const { day } = wanted
    const found = await asks.orders.findOrders(wanted, view)
    if (view.page > 1 && view.start >= found.matched) throw notHere()
    const key = `${day}/orders ${found.revision} ${JSON.stringify(view)}`
    await send(req, res, { isOpen, key, make: () => ordersPage(day, view, found, isOpen) })
  }

const sendCsv =
  ({ asks }: SessionDeps): SessionResponder =>
  async ({ wanted, isOpen }, req, res) => {
    const view = readOrders(readQuery(req, res, ORDER_PARAMETERS))
    const by = { ...view, start: 0, count: ALL_ORDERS }
    const content = await asks.orders.formatCsv(wanted, by)
    const headers = {
      'cache-control': isOpen ? 'private, no-store' : 'no-cache',
      'content-disposition': `attachment; filename="orders-${wanted.day}.csv"`,
    }
    const contentType = 'text/csv; charset=utf-8; header=present'
    await sendPage(req, res, createCachedPage({ content, contentType, headers }))
  }

/** Curves of today's session for its page; those of other days are served by the archive. */
const sendCurves =
  ({ asks }: SessionDeps): SessionResponder =>
  async ({ wanted, isOpen }, req, res) => {
    if (!isOpen) throw notHere()
    const { book } = readView(readQuery(req, res, SESSION_PARAMETERS))
    const { minutes, from, step, net } = await asks.archive.readCurves(wanted, book)
    await sendOpen(req, res, { minutes, from, step, net })
  }

/** Ladders of a half hour of today's session. */
const sendLadders =
  ({ asks }: SessionDeps): SessionResponder =>
  async ({ wanted, isOpen }, req, res) => {
    if (!isOpen) throw notHere()
    const { time, ...values } = readQuery(req, res, ['book', 'time'])
    const { book, t } = readView({ ...values, t: time })
    const ladders = await asks.archive.readLadders(wanted, { book, time: t })
    const { minutes, strikes, calls, puts } = ladders
    await sendOpen(req, res, { minutes, strikes, calls, puts })
  }

/** The newest known minute of today's session, for a page that updates itself. */
const sendNow =
  ({ asks }: SessionDeps): SessionResponder =>
  async ({ wanted, isOpen }, req, res) => {
    readQuery(req, res, [])
    if (!isOpen) throw notHere()
    const { minutes } = await asks.archive.readLevels(wanted)
    await sendOpen(req, res, { minute: minutes.at(-1) ?? null })
  }

/** Sends a response for this visitor only. */
function sendOpen(req: Request, res: Response, body: object): Promise<void> {
  const headers = { 'cache-control': 'private, no-store' }
  const content = JSON.stringify(body)
  return sendPage(req, res, createCachedPage({ content, contentType: JSON_TYPE, headers }))
}

const showOrder =
  ({ asks, publicUrl }: SessionDeps, send: Send): SessionResponder =>
  async ({ wanted, isOpen }, req, res) => {
    const { id } = req.params as { id: string }
    const { day } = wanted
    readQuery(req, res, [])
    const found = await asks.orders.findOrder(wanted, id)
    if (!found) throw new ApiError('not_found', { message: `${day} has no such order.` })
    const key = `${day}/orders/${id} ${found.revision} ${found.hasPrices}`
    await send(req, res, {
      isOpen,
      key,
      make: () => orderPage(day, found, { isOpen, publicUrl }),
    })
  }

const showExposures =
  ({ asks }: SessionDeps, send: Send): SessionResponder =>
  async ({ wanted, isOpen }, req, res) => {
    const { t, ...view } = readExposures(readQuery(req, res, EXPOSURE_PARAMETERS))
    const { day } = wanted
    const { minutes, revision, simulated } = await asks.archive.readLevels(wanted)
    // an unknown minute is refused as the page of the session refuses it
    if (t !== null) findMinuteIndex(minutes, t, REGULAR_CLOSE)
    const make = async () => {
      const minute = { day, time: t, book: view.book }
      return exposuresPage({
        view: { day, t, ...view },
        simulated,
        expiries: await asks.levels.readExpiries(minute),
        found: await asks.levels.readExposures({ ...minute, exposure: view.exposure }),
      })
    }
    await send(req, res, {
      isOpen,
      key: `${day}/exposures ${revision} ${JSON.stringify([t, view])}`,
      make,
    })
  }

const showTape =
  ({ asks }: SessionDeps, send: Send): SessionResponder =>
  async ({ wanted, isOpen }, req, res) => {
    readQuery(req, res, [])
    // a grade is known only after the session
    if (isOpen) throw notHere()
    const sessionLevels = await asks.archive.readLevels(wanted)
    const make = async () => tapePage(sessionLevels, await asks.archive.readTape(wanted.day))
    await send(req, res, { isOpen, key: `${wanted.day}/tape ${sessionLevels.revision}`, make })
  }

/** The finished sessions before and after a day. */
function neighbours(sessions: readonly { readonly day: string }[], day: string) {
  const days = isDate(day) ? sessions.map(one => one.day) : []
  return {
    before: days.findLast(other => other < day) ?? null,
    after: days.find(other => other > day) ?? null,
  }
}

const cachedHtml = (content: string): Page =>
  createCachedPage({ content, contentType: HTML_TYPE, headers: CACHING })
