import type { RequestHandler, Response } from 'express'
import { docsPages } from './docs.ts'
import { type AddressOf, limitByAddress } from './http/addressLimit.ts'
import { JSON_TYPE } from './http/answer.ts'
import { briefPage, type Page, type PageContent, sendPage } from './http/page.ts'
import { reading } from './http/request.ts'
import { RED_RETRY_SECONDS } from './status/health.ts'
import { statusPage } from './status/page.ts'
import { publicStatus } from './status/publicStatus.ts'
import { wireStatus } from './status/routes.ts'
import type { ServiceState } from './status/state.ts'

/** Calls of pages that an address may make at once, and how many more each second. */
export type PageLimit = { readonly atOnce: number; readonly perSecond: number }

/** Far above what a reader of the docs or a monitor asks, also where several share an address. */
const PAGE_LIMIT: PageLimit = { atOnce: 200, perSecond: 20 }

/**
 * How long a refusal waits, and how many wait at once: a client that asks again as soon as it is
 * answered is slowed to a pace that nobody else notices.
 */
const REFUSAL_WAIT_MS = 500
const WAITING_MAX = 1_000

/** A copy may be kept, and is asked for again before it is shown: the next second has another. */
const CACHING = { 'cache-control': 'no-cache' }

export type PagesDeps = {
  readonly state: ServiceState
  /** Real time, also in a replay. */
  readonly elapsedMs: () => number
  readonly pageLimit?: PageLimit | undefined
  /** Whose bound a call counts against: the other end of its connection, unless it is given. */
  readonly addressOf?: AddressOf | undefined
}

/**
 * The pages that need no key: the state of the service and its documentation. They are made ahead,
 * so that a call only sends bytes, and each address has a bound. Another path goes on.
 */
export function answerPages(deps: PagesDeps): RequestHandler {
  const { elapsedMs, pageLimit = PAGE_LIMIT, addressOf = socketAddress } = deps
  const limit = limitByAddress({ ...pageLimit, addressOf, elapsedMs })
  const pages = new Map(Object.entries({ ...docsPages, ...statePages(deps.state) }))
  const slowDown = createBrake()
  const send = reading(async (req, res) => sendPage(req, res, await pages.get(pathOf(req.url))!()))
  return async (req, res, next) => {
    if (!pages.has(pathOf(req.url))) return next()
    const refusal = limit(req)
    if (!refusal) return send(req, res, next)
    await slowDown(res)
    throw refusal
  }
}

/** Holds an answer back, as long as its client is there and not too many are held. */
function createBrake(): (res: Response) => Promise<void> {
  let waiting = 0
  return async res => {
    if (waiting >= WAITING_MAX) return
    waiting += 1
    await new Promise<void>(done => {
      const timer = setTimeout(done, REFUSAL_WAIT_MS)
      res.once('close', () => {
        clearTimeout(timer)
        done()
      })
    })
    waiting -= 1
  }
}

const socketAddress: AddressOf = req => req.socket.remoteAddress ?? ''

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/**
 * The three pages of the state. `/status` and `/status.json` need no account store and are always
 * 200; `/health` is what a monitor asks: 503 when it is red.
 */
function statePages({ status, health }: ServiceState): Record<string, () => Page | Promise<Page>> {
  return {
    '/status': madeOf(status, told =>
      textPage({
        content: statusPage(publicStatus(told)),
        contentType: 'text/html; charset=utf-8',
      }),
    ),
    '/status.json': madeOf(status, told => jsonPage(wireStatus(publicStatus(told)))),
    '/health': madeOf(health, async judged => {
      const told = await judged
      if (told.status === 'green') return jsonPage(told)
      const headers = { 'cache-control': 'no-store', 'retry-after': String(RED_RETRY_SECONDS) }
      return jsonPage(told, { status: 503, headers })
    }),
  }
}

/** What is made of something that is looked at often, made anew when that is another. */
function madeOf<From extends object, Made>(look: () => From, make: (from: From) => Made) {
  let last: { readonly from: From; readonly made: Made } | null = null
  return () => {
    const from = look()
    if (last?.from !== from) last = { from, made: make(from) }
    return last.made
  }
}

const textPage = (page: Omit<PageContent, 'headers'>) => briefPage({ headers: CACHING, ...page })

const jsonPage = (told: object, changes: Partial<PageContent> = {}) =>
  briefPage({ headers: CACHING, content: JSON.stringify(told), contentType: JSON_TYPE, ...changes })
