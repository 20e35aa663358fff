import type { RequestHandler } from 'express'
import { requestContext } from '../http/request.ts'
import { openFairQueue } from './line.ts'

/** Small pieces of work in one turn of the event loop: a few milliseconds. */
const PIECES_AT_ONCE = 4

/** Does a small piece of work for an account, soon. */
export type Throttle = (account: string, work: () => void) => void

/**
 * Does small pieces of work in the turns of their accounts, a few in each turn of the event loop,
 * so that what comes in meanwhile is seen and much at once holds up nobody else.
 */
export function openThrottle(nowMs: () => number, piecesAtOnce: number = PIECES_AT_ONCE): Throttle {
  const queue = openFairQueue<() => void>({ readCost: () => 1, nowMs })
  let isWorking = false

  const workSome = () => {
    for (const work of queue.take(piecesAtOnce, () => true)) work()
    isWorking = queue.size() > 0
    if (isWorking) setImmediate(workSome)
  }
  return (account, work) => {
    queue.add(account, work)
    if (isWorking) return
    isWorking = true
    setImmediate(workSome)
  }
}

/** Begins calls with a key at a pace: who asks as fast as it is answered waits for itself. */
export function throttleCalls(nowMs: () => number): RequestHandler {
  const throttle = openThrottle(nowMs)
  return (_req, res, next) => {
    throttle(requestContext(res).accountId!, () => {
      // who has hung up is answered nothing
      if (!res.closed) next()
    })
  }
}
