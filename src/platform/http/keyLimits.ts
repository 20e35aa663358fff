import { createHmac } from 'node:crypto'
import { PRODUCTS } from '../../accounts/products.ts'
import type { AccountStore, KeyHolder, KeyUse, KeyUsed } from '../../accounts/types.ts'
import { liveError } from './errors/live.ts'

/** Limits of a key by the minute, and of its client addresses by the hour. */

const { minuteCallsPerKey, hourAddressesPerKey } = PRODUCTS.live.limits
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Calls of one statement: SQLite binds 32,766 values, a key uses five. */
const KEYS_AT_ONCE = 1_000

/** A counted call of a key: the use of its limits, including this call. */
export type CountedUse = {
  readonly minute: { readonly limit: number; readonly used: number; readonly reset_s: number }
  readonly places: { readonly limit: number; readonly used: number }
}

export type UseCounter = (call: {
  readonly holder: KeyHolder
  readonly apiKey: string
  /** Client of the call: an IPv4 address or a network of IPv6. */
  readonly client: string
}) => Promise<CountedUse>

type Waiting = {
  readonly use: KeyUse
  readonly settle: (used: KeyUsed) => void
  readonly fail: (error: unknown) => void
}

/**
 * Counts the calls of keys exactly, over all processes. Calls that arrive while the database writes
 * share one statement. Fails with `too_many_places`, and then with `rate_limited`. `nowMs` is real
 * time: the minutes and hours are those of UTC.
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
    if (!used.isAddressKnown) throw refuseAddress()
    const reset = Math.ceil(((minute + 1) * MINUTE_MS - atMs) / 1000)
    const counted = { limit: minuteCallsPerKey, used: used.calls, reset_s: reset }
    if (used.calls > minuteCallsPerKey) throw rateLimited(counted)
    return { minute: counted, places: { limit: hourAddressesPerKey, used: used.addressCount } }
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
export const minuteHeaders = ({ limit, used, reset_s }: CountedUse['minute']) => ({
  'ratelimit-policy': `"minute";q=${limit};w=60`,
  ratelimit: `"minute";r=${Math.max(0, limit - used)};t=${reset_s}`,
})

function rateLimited(minute: CountedUse['minute']): Error {
  const { limit, reset_s } = minute
  return liveError('rate_limited', {
    message: `this key has made its ${limit} calls of the minute; the next begins in ${reset_s} s.`,
    headers: minuteHeaders(minute),
    extras: { retry_after_s: reset_s },
  })
}

const refuseAddress = () =>
  liveError('too_many_places', {
    message:
      `this key was used from ${hourAddressesPerKey} client addresses this hour; ` +
      'make a key for each machine.',
  })
