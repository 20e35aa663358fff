import type { Request, RequestHandler } from 'express'
import { clientAddress } from '../platform/http/addresses.ts'
import { ApiError } from '../platform/http/error.ts'
import { isExpected } from '../platform/http/errors/catalogue.ts'
import { maskApiKey, PREFIX_OF_SCOPE, type Scope } from './apiKey.ts'
import type { ApiProduct } from './apiProduct.ts'
import { callContext } from './callContext.ts'
import type { CallCounters } from './limits/callLimit.ts'
import { planAt } from './products.ts'
import type { AccountStore } from './types.ts'

/** Maximum length of an Authorization value that is parsed; a key has at most 41 characters. */
const AUTHORIZATION_MAX_LENGTH = 256

export type AuthDeps = CallCounters & {
  readonly accounts: AccountStore
  /** Real time, also in a replay: a plan bought until a day ends with that day. */
  readonly nowMs: () => number
  /** Time shown to clients: in a replay, that of the replay. */
  readonly shownMs: () => number
}

type Mount = {
  /** Paths that accept `?key=` with keys made for use in addresses. */
  readonly addressKeyPaths?: readonly string[] | undefined
  /** Value of `WWW-Authenticate` when the key is missing or wrong; defaults to the product's. */
  readonly formatChallenge?: ((req: Request) => string) | undefined
  /** True when handlers count calls themselves, with `countCall` of the context. */
  readonly isCountedInside?: boolean | undefined
}

/** Formats every error of the routes below as the product does. */
export function speakAs({ errors }: ApiProduct): RequestHandler {
  return (req, res, next) => {
    const context = callContext(res)
    context.errors = errors
    const isRequested = errors.mayRespond200 && req.method !== 'OPTIONS'
    if (isRequested && /[?&]errors=200(?=&|$)/.test(req.url)) {
      context.isSentAs200 = true
      res.setHeader('x-service-status', '200')
    }
    next()
  }
}

/**
 * Admits a call with a key of the product (else 401), an account with an open plan for it (else
 * 403, or the product's own error) and, where the product limits calls, a call left (else 429).
 * Looks the key up on every call: once revoked, it is refused at the next call in every process.
 * Calls refused for their key or plan are not counted.
 */
export function requireProduct(
  product: ApiProduct,
  deps: AuthDeps,
  { addressKeyPaths = [], formatChallenge, isCountedInside = false }: Mount = {},
): RequestHandler {
  const { name, errors, otherScopes = [], limits } = product
  const { findPlan = ({ holder, atMs }) => planAt(holder.products, name, atMs) } = product
  const scopes: readonly Scope[] = [name, ...otherScopes]
  const prefixes = scopes.map(scope => `${PREFIX_OF_SCOPE[scope]}_`)
  return async (req, res, next) => {
    const context = callContext(res)
    context.errors = errors
    const isAddressTaken = addressKeyPaths.includes(`${req.baseUrl}${req.path}`)
    const { apiKey, isOfAddress } = readKey(req, isAddressTaken)
    if (isOfAddress) res.setHeader('cache-control', 'no-store')
    const challenged = (error: Error) => {
      const headers = { 'www-authenticate': formatChallenge?.(req) ?? 'Bearer' }
      return Object.assign(error, { headers })
    }
    if (apiKey === null) throw challenged(errors.noKey())
    // a key of another product is not looked up, like a mistyped one
    const isOwn = prefixes.some(prefix => apiKey.startsWith(prefix))
    const holder = isOwn
      ? await refuseWhileUnavailable(() => deps.accounts.findHolder(apiKey))
      : null
    if (holder === null || !scopes.includes(holder.scope)) throw challenged(errors.unknownKey())
    const hasItsPrefix = apiKey.startsWith(`${PREFIX_OF_SCOPE[holder.scope]}_`)
    if (!hasItsPrefix || holder.isForAddresses !== isOfAddress)
      throw challenged(errors.unknownKey())
    context.shownKey = maskApiKey(apiKey)
    context.keyId = holder.keyId
    context.accountId = holder.accountId
    context.holder = holder

    const atMs = deps.nowMs()
    const { url } = req
    const plan = findPlan({ holder, atMs, shownMs: deps.shownMs(), url })
    context.isAdmitted = async () => {
      const now = await deps.accounts.findHolder(apiKey)
      const times = { atMs: deps.nowMs(), shownMs: deps.shownMs() }
      return now !== null && findPlan({ holder: now, ...times, url }) !== null
    }
    if (!plan) throw errors.noPlan(holder, atMs)
    const client = clientAddress(req)
    const call = { product: name, plan, holder, apiKey, client, atMs, res, counters: deps }
    const counts: (() => Promise<void>)[] = []
    for (const limit of limits) {
      const count = await refuseWhileUnavailable(() => limit.check(call))
      if (count) counts.push(count)
    }
    const countCall = async () => {
      for (const count of counts) await refuseWhileUnavailable(count)
    }
    if (isCountedInside) context.countCall = countCall
    else await countCall()
    next()
  }
}

/** Runs a query of the account store; 503 when the store fails. */
export async function refuseWhileUnavailable<Result>(
  query: () => Promise<Result>,
): Promise<Result> {
  try {
    return await query()
  } catch (cause) {
    // a refusal based on data of the store
    if (isExpected(cause)) throw cause
    const error = new ApiError('unavailable', {
      message: 'the account store did not answer; ask again in a second.',
      headers: { 'retry-after': '1' },
    })
    error.cause = cause
    throw error
  }
}

type SentKey = { readonly apiKey: string | null; readonly isOfAddress: boolean }

/** Returns the key of a call, from its header or, where accepted, from its address. */
function readKey(req: Request, isAddressTaken: boolean): SentKey {
  if (!isAddressTaken || req.headers.authorization !== undefined) {
    return { apiKey: readBearer(req), isOfAddress: false }
  }
  const [key, ...others] = new URLSearchParams(req.url.split('?')[1] ?? '').getAll('key')
  return { apiKey: key && others.length === 0 ? key : null, isOfAddress: key !== undefined }
}

function readBearer(req: Request): string | null {
  const header = req.headers.authorization
  if (header === undefined || header.length > AUTHORIZATION_MAX_LENGTH) return null
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? null
}
