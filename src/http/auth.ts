import type { Request, RequestHandler } from 'express'
import { maskApiKey, PREFIX_OF_SCOPE, type Scope } from '../accounts/apiKey.ts'
import { planAt } from '../accounts/products.ts'
import type { AccountStore, KeyHolder } from '../accounts/types.ts'
import { ApiError } from './error.ts'
import { isExpected, type ProductErrors } from './errors/catalogue.ts'
import { DATASET_ERRORS } from './errors/dataset.ts'
import { GEO_ERRORS } from './errors/geo.ts'
import { LAB_ERRORS } from './errors/lab.ts'
import { LIVE_ERRORS } from './errors/live.ts'
import { ORDERS_ERRORS } from './errors/orders.ts'
import { type CallCounter, rateHeaders } from './limits.ts'
import { contextOf } from './request.ts'

/** Longest Authorization value that is looked at; a key is at most 41 characters. */
const AUTHORIZATION_MAX_LENGTH = 256

/** The products whose routes need a key. */
export type ApiProduct = keyof typeof ERRORS_OF

/** Each product's errors. */
const ERRORS_OF = {
  orders: ORDERS_ERRORS,
  live: LIVE_ERRORS,
  lab: LAB_ERRORS,
  dataset: DATASET_ERRORS,
  geo: GEO_ERRORS,
} as const satisfies Readonly<Record<string, ProductErrors>>

/** Whose keys open a product beside its own: files of data, until keys of their own are told. */
const OTHER_SCOPES: Partial<Readonly<Record<ApiProduct, readonly Scope[]>>> = { dataset: ['lab'] }

export type AuthDeps = {
  readonly accounts: AccountStore
  readonly countCall: CallCounter
  /** Real time, also in a replay: a plan that was bought until a day ends with that day. */
  readonly nowMs: () => number
}

/**
 * Lets a call through that has a key of the product (else 401), an account with a plan of it that
 * is open (else 403, or what the product says) and, where the plan counts days, a call left today
 * (else 429). The key is looked up on every call: a revoked one is refused at the next, in every
 * process. Calls refused for their key or plan are not counted. From here on errors of the call are
 * answered in the product's words.
 */
export function requireProduct(
  product: ApiProduct,
  { accounts, countCall, nowMs }: AuthDeps,
): RequestHandler {
  const errors: ProductErrors = ERRORS_OF[product]
  const prefix = `${PREFIX_OF_SCOPE[product]}_`
  const scopes: readonly Scope[] = [product, ...(OTHER_SCOPES[product] ?? [])]
  return async (req, res, next) => {
    const context = contextOf(res)
    context.errors = errors
    const apiKey = bearerOf(req)
    if (apiKey === null) throw errors.noKey()
    // a key of another product is looked up as little as a mistyped one
    const isOwn = apiKey.startsWith(prefix)
    const holder = isOwn ? await answering(() => accounts.findHolder(apiKey)) : null
    if (!holder || !scopes.includes(holder.scope)) throw errors.unknownKey()
    context.shownKey = maskApiKey(apiKey)
    context.keyId = holder.keyId
    context.accountId = holder.accountId

    const atMs = nowMs()
    const plan = planAt(holder.products, product, atMs)
    if (!plan) throw errors.noPlan(holder, atMs)
    if (plan.dailyCalls !== undefined) {
      const headers = await countDaily(holder, plan.dailyCalls, countCall)
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    }
    next()
  }
}

/** Counts a call; answers the headers that tell what is left of the day. */
async function countDaily(holder: KeyHolder, limit: number, countCall: CallCounter) {
  const call = await answering(() => countCall(holder))
  const headers = rateHeaders(limit, call)
  if (call.used <= limit) return headers
  const reset = `the count resets at midnight ET, in ${call.resetSeconds} s`
  throw new ApiError('rate', {
    message: `all ${limit} calls of the day are spent; ${reset}.`,
    headers: { ...headers, 'retry-after': String(call.resetSeconds) },
  })
}

/** What the account store answers; 503 when it does not. */
export async function answering<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (cause) {
    // a refusal that was decided on what the store answered
    if (isExpected(cause)) throw cause
    const error = new ApiError('unavailable', {
      message: 'the account store did not answer; ask again in a second.',
      headers: { 'retry-after': '1' },
    })
    error.cause = cause
    throw error
  }
}

function bearerOf(req: Request): string | null {
  const header = req.headers.authorization
  if (header === undefined || header.length > AUTHORIZATION_MAX_LENGTH) return null
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? null
}
