import { createHmac } from 'node:crypto'
import { type CountedUse, callContext } from '../callContext.ts'
import type { AccountStore, KeyUse, KeyUsed } from '../types.ts'
import type { CallLimit, UseCounter } from './callLimit.ts'

/** Limits of a key by the minute, and of its client addresses by the hour. */

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Calls of one statement: SQLite binds 32,766 values, a key uses five. */
const KEYS_AT_ONCE = 1_000

export type MinuteLimit = {
  readonly minuteCalls: number
  /** Client addresses of a key in an hour; the store takes no more. */
  readonly hourAddresses: number
  readonly refuseCalls: (refused: {
    readonly message: string
    readonly headers: Readonly<Record<string, string>>
    readonly extras: { readonly retry_after_s: number }
  }) => Error
  readonly refuseAddress: (refused: { readonly message: string }) => Error
}

/** Limits the calls and the client addresses of each key; a refused call counts too. */
export function minuteLimit(limit: MinuteLimit): CallLimit {
  const { minuteCalls, hourAddresses } = limit
  return {
    check: async ({ res, counters, ...call }) => {
      const used = await counters.countUse(call)
      if (!used.isAddressKnown) {
        throw limit.refuseAddress({
          message:
            `this key was used from ${hourAddresses} client addresses this hour; ` +
            'make a key for each machine.',
        })
      }
      const minute = { limit: minuteCalls, used: used.calls, reset_s: used.resetSeconds }
      const headers = minuteHeaders(minute)
      if (used.calls > minuteCalls) {
        const wait = `the next begins in ${minute.reset_s} s`
        throw limit.refuseCalls({
          message: `this key has made its ${minuteCalls} calls of the minute; ${wait}.`,
          headers,
          extras: { retry_after_s: minute.reset_s },
        })
      }
      const places = { limit: hourAddresses, used: used.addressCount }
      callContext(res).keyUse = { minute, places }
      for (const header of Object.entries(headers)) res.setHeader(...header)
      return null
    },
  }
}

type Waiting = {
  readonly use: KeyUse
  readonly settle: (used: KeyUsed) => void
  readonly fail: (error: unknown) => void
}

/**
 * Counts the calls of keys exactly, over all processes. Calls that arrive while the database writes
 * share one statement. `nowMs` is real time: the minutes and hours are those of UTC.
 */
export function createUseCounter(accounts: AccountStore, nowMs: () => number): UseCounter {
  let waiting: Waiting[] = []
  let isWriting = false

  const flush = async (groups: readonly Waiting[][]) => {
    try {
      const uses = groups.map(calls => ({ ...calls[0]!.use, calls: calls.length }))
      const totals = await accounts.useKeys(uses)
      for (const [index, calls] of groups.entries()) settleAll(calls, totals[index]!)
    } catch (error) {
      for (const call of groups.flat()) call.fail(error)
    }
  }
  const flushAll = async () => {
    while (waiting.length > 0) {
      const { groups, rest } = groupWaiting(waiting)
      waiting = rest
      await flush(groups)
    }
    isWriting = false
  }
  const countUse = (use: KeyUse) =>
    new Promise<KeyUsed>((settle, fail) => {
      waiting.push({ use, settle, fail })
      if (isWriting) return
      isWriting = true
      setImmediate(flushAll)
    })

  return async ({ holder, apiKey, client }) => {
    const atMs = nowMs()
    const minute = Math.floor(atMs / MINUTE_MS)
    const hour = Math.floor(atMs / HOUR_MS)
    const addressSlot = addressSlotKey(apiKey, hour, client)
    const used = await countUse({
      keyId: holder.keyId,
      calls: 1,
      minute,
      hour,
      addressHash: addressSlot,
    })
    return { ...used, resetSeconds: Math.ceil(((minute + 1) * MINUTE_MS - atMs) / 1000) }
  }
}

/** Selects the calls of one statement: per key the first ones of one minute and client. */
function groupWaiting(waiting: readonly Waiting[]) {
  const groups = new Map<string, Waiting[]>()
  const rest: Waiting[] = []
  for (const call of waiting) {
    const group = groups.get(call.use.keyId)
    if (!group && groups.size < KEYS_AT_ONCE) groups.set(call.use.keyId, [call])
    else if (group && isSameUse(group[0]!.use, call.use)) group.push(call)
    else rest.push(call)
  }
  return { groups: [...groups.values()], rest }
}

const isSameUse = (one: KeyUse, other: KeyUse) =>
  one.minute === other.minute && one.addressHash === other.addressHash

/** Settles calls counted together as if each had been counted alone, in order. */
function settleAll(calls: readonly Waiting[], total: KeyUsed): void {
  for (const [index, call] of calls.entries()) {
    call.settle({ ...total, calls: total.calls - calls.length + index + 1 })
  }
}

/**
 * A client address as stored: keyed by the API key itself, which is stored nowhere, so that a
 * reader of the database can neither recover an address nor track one across keys and hours.
 */
const addressSlotKey = (apiKey: string, hour: number, client: string): string =>
  createHmac('sha256', apiKey).update(`${hour} ${client}`).digest('base64url').slice(0, 22)

/** Headers of draft-ietf-httpapi-ratelimit-headers for a counted use. */
const minuteHeaders = ({ limit, used, reset_s }: CountedUse['minute']) => ({
  'ratelimit-policy': `"minute";q=${limit};w=60`,
  ratelimit: `"minute";r=${Math.max(0, limit - used)};t=${reset_s}`,
})
