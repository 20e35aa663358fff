import type { RequestHandler } from 'express'
import { requestContext } from '../http/request.ts'
import { openFairQueue } from './fairQueue.ts'

/** Small pieces of work in one tick of the event loop: a few milliseconds. */
const PIECES_AT_ONCE = 4
/** Starts of calls in one tick, and the time after which none of them begins. */
const CALLS_AT_ONCE = 32
const CALLS_MS = 1
/** Pieces that begin even after a tick that took long: other work may have delayed it. */
const PIECES_MIN = 2

/** Runs a small piece of work for an account, soon. */
export type Throttle = (account: string, work: () => void) => void

export type ThrottleOptions = {
  readonly piecesAtOnce?: number
  /**
   * Time after which no piece begins in the same tick, milliseconds; by default, any time. After a
   * tick that took longer, half as many begin: what a piece awaits goes on after it has returned.
   */
  readonly sliceMs?: number
  /** Time left to everything else after a tick with work, milliseconds. */
  readonly pauseMs?: number
}

/**
 * Runs small pieces of work fairly between accounts, a few in each tick of the event loop, so that
 * new events are handled in between and a burst delays nobody else.
 */
export function openThrottle(
  nowMs: () => number,
  {
    piecesAtOnce = PIECES_AT_ONCE,
    sliceMs = Number.POSITIVE_INFINITY,
    pauseMs = 0,
  }: ThrottleOptions = {},
): Throttle {
  const queue = openFairQueue<() => void>({ readCost: () => 1, nowMs })
  let isWorking = false
  let piecesMax = piecesAtOnce
  let lastMs: number | null = null

  const workSome = () => {
    const startMs = nowMs()
    const isLong = lastMs !== null && startMs - lastMs > sliceMs
    piecesMax = Math.max(PIECES_MIN, isLong ? piecesMax / 2 : Math.min(2 * piecesMax, piecesAtOnce))
    let count = 0
    for (let [work] = queue.take(1, () => true); work; [work] = queue.take(1, () => true)) {
      work()
      if (++count >= Math.min(piecesMax, piecesAtOnce) || nowMs() > startMs + sliceMs) break
    }
    lastMs = count > 0 ? startMs : null
    // a pause follows the last piece too: the next call may come at once
    isWorking = count > 0
    if (!isWorking) return
    if (pauseMs > 0) setTimeout(workSome, pauseMs)
    else setImmediate(workSome)
  }
  return (account, work) => {
    queue.add(account, work)
    if (isWorking) return
    isWorking = true
    // all work that comes in the same step of this turn takes part
    process.nextTick(workSome)
  }
}

/** Throttles the start of calls with a key: a client that calls back to back delays only itself. */
export function throttleCalls(nowMs: () => number): RequestHandler {
  const throttle = openThrottle(nowMs, { piecesAtOnce: CALLS_AT_ONCE, sliceMs: CALLS_MS })
  return (_req, res, next) => {
    throttle(requestContext(res).accountId!, () => {
      // nothing to send to a client that has hung up
      if (!res.closed) next()
    })
  }
}
