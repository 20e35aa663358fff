import type { Request, RequestHandler } from 'express'
import { maskApiKey, type Scope } from '../accounts/apiKey.ts'
import { planAt } from '../accounts/products.ts'
import type { AccountStore, KeyHolder } from '../accounts/types.ts'
import { ApiError } from './error.ts'
import { lacksPlan } from './errors/access.ts'
import { type CallCounter, rateHeaders } from './limits.ts'
import { contextOf } from './request.ts'

/** Longest Authorization value that is looked at; a key is at most 41 characters. */
const AUTHORIZATION_MAX_LENGTH = 256

export type AuthDeps = {
  readonly accounts: AccountStore
  readonly countCall: CallCounter
  /** Real time, also in a replay: a plan that was bought until a day ends with that day. */
  readonly nowMs: () => number
}

/**
 * Lets a call through that has a key of the scope (else 401), an account whose plan opens it (else
 * 403) and a call left today (else 429). The key is looked up on every call: a revoked one is
 * refused at the next, in every process. Calls refused with 401 or 403 are not counted.
 */
export function requireKey(scope: Scope, { accounts, countCall, nowMs }: AuthDeps): RequestHandler {
  return async (req, res, next) => {
    const apiKey = bearerOf(req)
    const holder = apiKey === null ? null : await answering(() => accounts.findHolder(apiKey))
    if (!apiKey || !holder || holder.scope !== scope) throw noKey()
    const context = contextOf(res)
    context.shownKey = maskApiKey(apiKey)
    context.accountId = holder.accountId

    const limit = dailyCallsOf(holder, nowMs())
    const call = await answering(() => countCall(holder))
    const headers = rateHeaders(limit, call)
    if (call.used > limit) {
      const reset = `the count resets at midnight ET, in ${call.resetSeconds} s`
      throw new ApiError('rate', {
        message: `all ${limit} calls of the day are spent; ${reset}.`,
        headers: { ...headers, 'retry-after': String(call.resetSeconds) },
      })
    }
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    next()
  }
}

function dailyCallsOf(holder: KeyHolder, atMs: number): number {
  const limit = planAt(holder.products, holder.scope, atMs)?.dailyCalls
  if (limit !== undefined) return limit
  throw new ApiError('plan', { message: lacksPlan(holder.scope, holder, atMs) })
}

/** What the account store answers; 503 when it does not. */
export async function answering<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (cause) {
    // a refusal that was decided on what the store answered
    if (cause instanceof ApiError) throw cause
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

// one answer for every reason, so that it tells nothing about a key
const noKey = () =>
  new ApiError('no_key', {
    message: 'send a valid key as `Authorization: Bearer ordk_…`.',
    headers: { 'www-authenticate': 'Bearer' },
  })
