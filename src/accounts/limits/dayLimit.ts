import {
  addDays,
  MINUTE_MS,
  midnightMs,
  type SessionDate,
  wallTimeEt,
} from '../../core/market/calendar.ts'
import { ApiError } from '../../platform/http/error.ts'
import { openGroupCounter } from '../../platform/pool/groupCounter.ts'
import type { AccountStore } from '../types.ts'
import type { CallCounter, CallLimit, CountedCall, CountedCaller } from './callLimit.ts'
import { rateHeaders } from './rateHeaders.ts'

/** Seconds of an ordinary day, used as the window in the policy header. */
const WINDOW_SECONDS = 86_400

/** Counts calls exactly, together per account and product over all keys and processes. */
export function createCallCounter(accounts: AccountStore, nowMs: () => number): CallCounter {
  const readDay = dayReader()
  const markedMinutes = new Map<string, number>()

  const markUsed = async (callers: readonly CountedCaller[]) => {
    const minute = Math.floor(nowMs() / MINUTE_MS) * MINUTE_MS
    const keyIds = new Set(callers.flatMap(({ keyId }) => keyId ?? []))
    const stale = [...keyIds].filter(keyId => markedMinutes.get(keyId) !== minute)
    await accounts.markKeysUsed(stale, minute)
    for (const keyId of stale) markedMinutes.set(keyId, minute)
  }
  const count = openGroupCounter<CountedCaller & { readonly dayEt: SessionDate }, number>({
    // each product counts its own calls
    readKey: ({ accountId, scope, dayEt }) => `${accountId} ${scope} ${dayEt}`,
    write: async rows => {
      const batches = rows.map(calls => {
        const { accountId, scope: product, dayEt } = calls[0]!
        return { accountId, product, dayEt, calls: calls.length }
      })
      const totals = await accounts.countCalls(batches)
      // counted calls are served: a mark that fails is set with the next call
      await markUsed(rows.flat()).catch(() => {})
      return totals
    },
  })

  return async caller => {
    const atMs = nowMs()
    const { dayEt, endMs } = readDay(atMs)
    const { total, later } = await count({ ...caller, dayEt })
    return { used: total - later, resetSeconds: Math.ceil((endMs - atMs) / 1000) }
  }
}

/** Limits the calls of an account per ET day, where its plan does. */
export const DAY_LIMIT: CallLimit = {
  check: async ({ plan: { dailyCalls }, holder, res, counters }) => {
    if (dailyCalls === undefined) return null
    return async () => {
      const headers = spendDaily(dailyCalls, await counters.countCall(holder), 'calls')
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    }
  },
}

/**
 * Headers of a call counted against a daily limit. Fails with `rate` beyond it; `what` names the
 * unit, such as calls.
 */
export function spendDaily(limit: number, call: CountedCall, what: string): Record<string, string> {
  const day = { window: 'day', windowSeconds: WINDOW_SECONDS, limit } as const
  const headers = rateHeaders({ ...day, ...call })
  if (call.used <= limit) return headers
  const reset = `the count resets at midnight ET, in ${call.resetSeconds} s`
  throw new ApiError('rate', {
    message: `all ${limit} ${what} of the day are spent; ${reset}.`,
    headers: { ...headers, 'retry-after': String(call.resetSeconds) },
  })
}

/** Returns the ET day of an instant, looked up in the calendar once a day. */
function dayReader() {
  let day = { dayEt: '', startMs: 0, endMs: 0 }
  return (atMs: number) => {
    if (atMs < day.startMs || atMs >= day.endMs) {
      const dayEt = wallTimeEt(atMs).date
      day = { dayEt, startMs: midnightMs(dayEt), endMs: midnightMs(addDays(dayEt, 1)) }
    }
    return day
  }
}
