import type { RequestHandler, Response } from 'express'
import { limitByAddress, type ReadAddress } from './addressLimit.ts'
import { type Page, sendPage } from './page.ts'
import { reading } from './request.ts'

/** Calls of pages that an address may make at once, and how many more each second. */
export type PageLimit = { readonly atOnce: number; readonly perSecond: number }

/** Far above what a reader of the docs or a monitor asks, also where several share an address. */
export const PAGE_LIMIT: PageLimit = { atOnce: 200, perSecond: 20 }

/**
 * How long a refusal waits, and how many wait at once: a client that asks again as soon as it is
 * answered is slowed to a pace that nobody else notices.
 */
const REFUSAL_WAIT_MS = 500
const WAITING_MAX = 1_000

export type PageBound = {
  /** Real time, also in a replay. */
  readonly elapsedMs: () => number
  readonly pageLimit?: PageLimit | undefined
  /** Whose bound a call counts against: the other end of its connection, unless it is given. */
  readonly readAddress?: ReadAddress | undefined
}

/** Bounds the calls of an address to pages that need no key. */
export function boundPages(bound: PageBound): RequestHandler {
  const { elapsedMs, pageLimit = PAGE_LIMIT, readAddress = socketAddress } = bound
  const limit = limitByAddress({ ...pageLimit, readAddress, elapsedMs })
  const slowDown = createBrake()
  return async (req, res, next) => {
    const refusal = limit(req)
    if (!refusal) return next()
    await slowDown(res)
    throw refusal
  }
}

/**
 * The pages that need no key, by path. They are made ahead, so that a call only sends bytes.
 * Another path goes on.
 */
export function servePages(
  made: Readonly<Record<string, () => Page | Promise<Page>>>,
  bound: RequestHandler,
): RequestHandler {
  const pages = new Map(Object.entries(made))
  const send = reading(async (req, res) =>
    sendPage(req, res, await pages.get(readPath(req.url))!()),
  )
  return (req, res, next) => {
    if (!pages.has(readPath(req.url))) return next()
    return bound(req, res, error => (error === undefined ? send(req, res, next) : next(error)))
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

const socketAddress: ReadAddress = req => req.socket.remoteAddress ?? ''

function readPath(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
