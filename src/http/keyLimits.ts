import { createHmac } from 'node:crypto'
import { PRODUCTS } from '../accounts/products.ts'
import type { AccountStore, KeyHolder, KeyUse } from '../accounts/types.ts'
import { liveError } from './errors/live.ts'

/** Limits of a key by the minute, and of the places it is used from by the hour. */

const { minuteCallsPerKey, hourAddressesPerKey } = PRODUCTS.live.limits
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** A counted call of a key: how much of its limits is used, this call among it. */
export type CountedUse = {
  readonly minute: { readonly limit: number; readonly used: number; readonly reset_s: number }
  readonly places: { readonly limit: number; readonly used: number }
}

export type UseCounter = (call: {
  readonly holder: KeyHolder
  readonly apiKey: string
  /** Whose call it is: an IPv4 address or a network of IPv6. */
  readonly client: string
}) => Promise<CountedUse>

type Waiting = {
  readonly use: KeyUse
  readonly settle: (used: { calls: number; places: number; isPlaceKnown: boolean }) => void
  readonly fail: (error: unknown) => void
}

/**
 * Counts the calls of keys exactly, over all processes. Calls of a key from one place that arrive
 * while the database writes share one statement. Fails with `too_many_places`, and then with
 * `rate_limited`. `nowMs` is real time: the minutes and hours are those of UTC.
 */
export function createUseCounter(accounts: AccountStore, nowMs: () => number): UseCounter {
  let waiting = new Map<string, Waiting[]>()
  let isWriting = false

  const flushAll = async () => {
    while (waiting.size > 0) {
      const batches = waiting
      waiting = new Map()
      await Promise.all([...batches.values()].map(calls => count(accounts, calls)))
    }
    isWriting = false
  }
  const ask = (use: KeyUse) =>
    new Promise<{ calls: number; places: number; isPlaceKnown: boolean }>((settle, fail) => {
      const key = `${use.keyId} ${use.minute} ${use.place}`
      const batch = waiting.get(key)
      const one = { use, settle, fail }
      if (batch) batch.push(one)
      else waiting.set(key, [one])
      if (isWriting) return
      isWriting = true
      setImmediate(flushAll)
    })

  return async ({ holder, apiKey, client }) => {
    const atMs = nowMs()
    const minute = Math.floor(atMs / MINUTE_MS)
    const hour = Math.floor(atMs / HOUR_MS)
    const place = placeOf(apiKey, hour, client)
    const used = await ask({ keyId: holder.keyId, calls: 1, minute, hour, place })
    if (!used.isPlaceKnown) throw tooManyPlaces()
    const reset = Math.ceil(((minute + 1) * MINUTE_MS - atMs) / 1000)
    const counted = { limit: minuteCallsPerKey, used: used.calls, reset_s: reset }
    if (used.calls > minuteCallsPerKey) throw rateLimited(counted)
    return { minute: counted, places: { limit: hourAddressesPerKey, used: used.places } }
  }
}

async function count(accounts: AccountStore, calls: readonly Waiting[]): Promise<void> {
  try {
    const { use } = calls[0]!
    const total = await accounts.useKey({ ...use, calls: calls.length })
    // what is counted is answered: a mark that fails is set in the next minute
    const isFirst = total.calls === calls.length
    if (isFirst) await accounts.markKeysUsed([use.keyId], use.minute * MINUTE_MS).catch(() => {})
    for (const [index, call] of calls.entries()) {
      call.settle({ ...total, calls: total.calls - calls.length + index + 1 })
    }
  } catch (error) {
    for (const call of calls) call.fail(error)
  }
}

/**
 * A place as it is stored: keyed by the API key itself, which is stored nowhere, so that who has
 * the database can neither read an address from it nor follow one from key to key and hour to hour.
 */
const placeOf = (apiKey: string, hour: number, client: string): string =>
  createHmac('sha256', apiKey).update(`${hour} ${client}`).digest('base64url').slice(0, 22)

/** The headers of draft-ietf-httpapi-ratelimit-headers for a counted use. */
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

const tooManyPlaces = () =>
  liveError('too_many_places', {
    message:
      `this key was used from ${hourAddressesPerKey} client addresses this hour; ` +
      'make a key for each machine.',
  })
