import { addDays, midnightMs, type SessionDate, wallTimeEt } from '../../core/market/calendar.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { AccountStore, CallBatch } from '../types.ts'
import type { CallCounter, CallLimit, CountedCall, CountedCaller } from './callLimit.ts'

/** Seconds of an ordinary day, used as the window in the policy header. */
const WINDOW_SECONDS = 86_400
const MINUTE_MS = 60_000

type Waiting = {
  readonly caller: CountedCaller
  readonly dayEt: SessionDate
  readonly settle: (used: number) => void
  readonly fail: (error: unknown) => void
}

/**
 * Counts calls exactly, together per account and product over all keys and processes. Calls that
 * arrive in one tick of the event loop, or while the database is writing others, share one
 * statement: 64 clients cost one write, not 64.
 */
export function createCallCounter(accounts: AccountStore, nowMs: () => number): CallCounter {
  const readDay = dayReader()
  const markedMinutes = new Map<string, number>()
  let waiting: Waiting[] = []
  let isWriting = false

  const flush = async () => {
    const calls = waiting
    waiting = []
    try {
      const batches = groupBatches(calls)
      const totals = await accounts.countCalls(batches)
      // counted calls are served: a mark that fails is set with the next call
      await markUsed(calls).catch(() => {})
      const next = new Map(
        batches.map((batch, index) => [batchKey(batch), totals[index]! - batch.calls + 1]),
      )
      for (const call of calls) {
        const key = batchKey(findBatch(call))
        const used = next.get(key)!
        next.set(key, used + 1)
        call.settle(used)
      }
    } catch (error) {
      for (const call of calls) call.fail(error)
    }
  }

  const flushAll = async () => {
    while (waiting.length > 0) await flush()
    isWriting = false
  }

  const markUsed = async (calls: readonly Waiting[]) => {
    const minute = Math.floor(nowMs() / MINUTE_MS) * MINUTE_MS
    const keyIds = new Set(calls.flatMap(({ caller }) => caller.keyId ?? []))
    const stale = [...keyIds].filter(keyId => markedMinutes.get(keyId) !== minute)
    await accounts.markKeysUsed(stale, minute)
    for (const keyId of stale) markedMinutes.set(keyId, minute)
  }

  return async caller => {
    const atMs = nowMs()
    const { dayEt, endMs } = readDay(atMs)
    const used = await new Promise<number>((settle, fail) => {
      waiting.push({ caller, dayEt, settle, fail })
      if (isWriting) return
      isWriting = true
      setImmediate(flushAll)
    })
    return { used, resetSeconds: Math.ceil((endMs - atMs) / 1000) }
  }
}

/** Limits the calls of an account per ET day, where its plan does. */
export const DAY_LIMIT: CallLimit = {
  check: async ({ plan: { dailyCalls }, holder, res, counters }) => {
    if (dailyCalls === undefined) return null
    return async () => {
      const headers = spendDaily(dailyCalls, await counters.countCall(holder), 'calls')
      for (const header of Object.entries(headers)) res.setHeader(...header)
    }
  },
}

/** Headers of draft-ietf-httpapi-ratelimit-headers for a counted call. */
function rateHeaders(limit: number, call: CountedCall): Record<string, string> {
  const remaining = Math.max(0, limit - call.used)
  return {
    'ratelimit-policy': `"day";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"day";r=${remaining};t=${call.resetSeconds}`,
  }
}

/**
 * Headers of a call counted against a daily limit. Fails with `rate` beyond it; `what` names the
 * unit, such as calls.
 */
export function spendDaily(limit: number, call: CountedCall, what: string): Record<string, string> {
  const headers = rateHeaders(limit, call)
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

function groupBatches(calls: readonly Waiting[]): CallBatch[] {
  const batches = new Map<string, CallBatch>()
  for (const call of calls) {
    const batch = findBatch(call)
    const key = batchKey(batch)
    batches.set(key, { ...batch, calls: (batches.get(key)?.calls ?? 0) + 1 })
  }
  return [...batches.values()]
}

/** Each product counts its own calls. */
const findBatch = ({ caller, dayEt }: Waiting) => {
  return { accountId: caller.accountId, product: caller.scope, dayEt }
}

const batchKey = ({ accountId, product, dayEt }: ReturnType<typeof findBatch>) =>
  `${accountId} ${product} ${dayEt}`
