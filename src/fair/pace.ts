import type { RequestHandler } from 'express'
import { contextOf } from '../http/request.ts'
import { openLine } from './line.ts'

/** Calls that begin in one turn of the event loop: a few milliseconds of work. */
const CALLS_AT_ONCE = 4

/**
 * Begins calls with a key in the turns of their accounts, a few at a time, so that what comes in
 * meanwhile is seen: a client that asks as fast as it is answered then waits for itself.
 */
export function paceCalls(nowMs: () => number): RequestHandler {
  const line = openLine<() => void>({ costOf: () => 1, nowMs })
  let isBeginning = false

  const beginSome = () => {
    for (const begin of line.take(CALLS_AT_ONCE, () => true)) begin()
    isBeginning = line.size() > 0
    if (isBeginning) setImmediate(beginSome)
  }
  return (_req, res, next) => {
    const account = contextOf(res).accountId!
    const begin = () => {
      // who has hung up is answered nothing
      if (!res.closed) next()
    }
    line.add(account, begin)
    if (isBeginning) return
    isBeginning = true
    setImmediate(beginSome)
  }
}
