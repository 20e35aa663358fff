import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { MINUTE_MS } from '../../core/market/calendar.ts'
import { openGroupCounter } from '../../platform/pool/groupCounter.ts'
import { callContext } from '../callContext.ts'
import type { AccountStore, KeyUse, KeyUsed } from '../types.ts'
import type { CallLimit, UseCounter } from './callLimit.ts'
import { rateHeaders } from './rateHeaders.ts'

/** Limits of a key by the minute, and of its client addresses by the hour. */

const HOUR_MS = 3_600_000
/** Calls of one statement: SQLite binds 32,766 values, a key uses five. */
const KEYS_AT_ONCE = 1_000
/** Keys whose last client address is remembered. */
const SLOTS_MAX_COUNT = 10_000

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
      const headers = rateHeaders({
        window: 'minute',
        windowSeconds: MINUTE_MS / 1000,
        limit: minuteCalls,
        used: used.calls,
        resetSeconds: used.resetSeconds,
      })
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
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
      return null
    },
  }
}

/**
 * Counts the calls of keys exactly, over all processes. `nowMs` is real time: the minutes and hours
 * are those of UTC.
 */
export function createUseCounter(accounts: AccountStore, nowMs: () => number): UseCounter {
  const countUse = openGroupCounter<KeyUse, KeyUsed>({
    readKey: ({ keyId }) => keyId,
    isAlike: (one, other) => one.minute === other.minute && one.addressHash === other.addressHash,
    rowsMax: KEYS_AT_ONCE,
    write: rows => accounts.useKeys(rows.map(uses => ({ ...uses[0]!, calls: uses.length }))),
  })
  const slots = new LRUCache<string, AddressSlot>({ max: SLOTS_MAX_COUNT })
  return async ({ holder: { keyId }, apiKey, client }) => {
    const atMs = nowMs()
    const minute = Math.floor(atMs / MINUTE_MS)
    const hour = Math.floor(atMs / HOUR_MS)
    const known = slots.get(keyId)
    const isSame = known?.hour === hour && known.client === client
    const addressHash = isSame ? known.addressHash : addressSlotKey(apiKey, hour, client)
    if (!isSame) slots.set(keyId, { hour, client, addressHash })
    const { total, later } = await countUse({ keyId, calls: 1, minute, hour, addressHash })
    const resetSeconds = Math.ceil(((minute + 1) * MINUTE_MS - atMs) / 1000)
    return { ...total, calls: total.calls - later, resetSeconds }
  }
}

/** The client address of the last call of a key, and what is stored for it in that hour. */
type AddressSlot = {
  readonly hour: number
  readonly client: string
  readonly addressHash: string
}

/**
 * A client address as stored: keyed by the API key itself, which is stored nowhere, so that a
 * reader of the database can neither recover an address nor track one across keys and hours.
 */
const addressSlotKey = (apiKey: string, hour: number, client: string): string =>
  createHmac('sha256', apiKey).update(`${hour} ${client}`).digest('base64url').slice(0, 22)
