import type { Response } from 'express'
import { type RequestContext, requestContext } from '../platform/http/request.ts'
import type { KeyHolder } from './types.ts'

/** State of a call with a key while it is handled. */
export type CallContext = RequestContext & {
  /** Holder of the key, once it is known to open the route. */
  holder?: KeyHolder
  /** Use of the key's limits, for products that have some. */
  keyUse?: CountedUse
  /** Use of the account's month, for plans with a monthly limit. */
  month?: MonthUse
  /** Counts a call of the day or the month, for routes that count themselves. Fails with `rate`. */
  countCall?: () => Promise<void>
}

/** Use of the limits of a key, including the call. */
export type CountedUse = {
  readonly minute: { readonly limit: number; readonly used: number; readonly reset_s: number }
  readonly places: { readonly limit: number; readonly used: number }
}

/** Calls an account has used of a UTC month, and its keys. */
export type MonthUse = {
  /** 'YYYY-MM' */
  readonly month: string
  readonly plan: string
  readonly limit: number
  readonly used: number
  /** Start of the next month. */
  readonly resetsAtMs: number
  readonly keys: { readonly older: number; readonly all: number; readonly max: number }
}

export const callContext = (res: Response): CallContext => requestContext(res)
