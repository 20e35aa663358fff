import type { RequestHandler, Response } from 'express'
import { limitByAddress, type ReadAddress } from './addressLimit.ts'
import { type Page, sendPage } from './page.ts'
import { reading } from './request.ts'

/** Burst of page calls per address, and the refill rate per second. */
export type PageLimit = { readonly atOnce: number; readonly perSecond: number }

/** Far above the rate of a reader of the docs or a monitor, also when several share an address. */
export const PAGE_LIMIT: PageLimit = { atOnce: 200, perSecond: 20 }

/**
 * Delay of a refusal, and how many are delayed at once: slows a client that calls back to back to a
 * rate that does not affect others.
 */
const REFUSAL_WAIT_MS = 500
const WAITING_MAX = 1_000

export type PageBound = {
  /** Real time, also in a replay. */
  readonly elapsedMs: () => number
  readonly pageLimit?: PageLimit | undefined
  /** Identifies the client a call counts against; defaults to the peer of the connection. */
  readonly readAddress?: ReadAddress | undefined
}

/** Limits the calls of an address to pages without a key. */
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
 * Serves the pages without a key, by path. They are made in advance, so that a call only sends
 * bytes. Other paths pass through.
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

/** Delays a response while its client is connected and not too many are delayed. */
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
