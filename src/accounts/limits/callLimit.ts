import type { Response } from 'express'
import type { PlanRow, Product } from '../products.ts'
import type { AccountStore, KeyHolder, KeyUsed } from '../types.ts'

/** A limit of calls, which a product brings. */
export type CallLimit = {
  /**
   * Checks a call before it is handled, and sends what is left in headers. Returns how to count it
   * where its route may do so later; null: there is nothing to count. Fails beyond the limit.
   */
  readonly check: (call: LimitedCall) => Promise<(() => Promise<void>) | null>
}

/** A call with a key that opens the route. */
export type LimitedCall = {
  readonly product: Product
  readonly plan: PlanRow
  readonly holder: KeyHolder
  readonly apiKey: string
  /** Client of the call: an IPv4 address or a network of IPv6. */
  readonly client: string
  /** Real time. */
  readonly atMs: number
  readonly res: Response
  readonly counters: CallCounters
}

/** Counters of a server, one of each for all its products. */
export type CallCounters = {
  readonly accounts: Pick<AccountStore, 'months'>
  readonly countCall: CallCounter
  readonly countUse: UseCounter
}

/** Counts the call of a key's holder; the count is stored when the promise settles. */
export type CallCounter = (caller: CountedCaller) => Promise<CountedCall>

/** The account of a call, the product that counts it, and the key; null without one. */
export type CountedCaller = Pick<KeyHolder, 'accountId' | 'scope'> & {
  readonly keyId: string | null
}

/** One counted call: the number of calls the account has made today, including this one. */
export type CountedCall = {
  readonly used: number
  /** Seconds until midnight ET, when the count resets: 82,800 to 90,000 at the start of a day. */
  readonly resetSeconds: number
}

/** Counts the call of a key in its minute and hour. */
export type UseCounter = (
  call: Pick<LimitedCall, 'holder' | 'apiKey' | 'client'>,
) => Promise<KeyUsed & { readonly resetSeconds: number }>
