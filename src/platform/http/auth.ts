import type { Request, RequestHandler, Response } from 'express'
import { maskApiKey, PREFIX_OF_SCOPE, type Scope } from '../../accounts/apiKey.ts'
import { type PlanRow, planAt } from '../../accounts/products.ts'
import type { AccountStore, KeyHolder } from '../../accounts/types.ts'
import { isDate } from '../../core/market/calendar.ts'
import { clientAddress } from './addresses.ts'
import { ApiError } from './error.ts'
import { isExpected, type ProductErrors } from './errors/catalogue.ts'
import { DATASET_ERRORS } from './errors/dataset.ts'
import { GEO_ERRORS } from './errors/geo.ts'
import { LAB_ERRORS } from './errors/lab.ts'
import { LIVE_ERRORS } from './errors/live.ts'
import { ORDERS_ERRORS } from './errors/orders.ts'
import { minuteHeaders, type UseCounter } from './keyLimits.ts'
import { type CallCounter, spendDaily } from './limits.ts'
import { oldestLiveDay } from './liveHistory.ts'
import { countMonth, type MonthUse, monthHeaders, readMonthUse } from './monthLimits.ts'
import { requestContext } from './request.ts'

/** Maximum length of an Authorization value that is parsed; a key has at most 41 characters. */
const AUTHORIZATION_MAX_LENGTH = 256

/** Products whose routes need a key. */
export type ApiProduct = keyof typeof ERRORS_OF

/** Error catalogue of each product. */
const ERRORS_OF = {
  orders: ORDERS_ERRORS,
  live: LIVE_ERRORS,
  lab: LAB_ERRORS,
  dataset: DATASET_ERRORS,
  geo: GEO_ERRORS,
} as const satisfies Readonly<Record<string, ProductErrors>>

/** Other scopes whose keys open a product, subject to `findPlan`. */
const OTHER_SCOPES: Partial<Readonly<Record<ApiProduct, readonly Scope[]>>> = {
  // until keys of its own are issued
  dataset: ['lab'],
  // historical days
  live: ['dataset'],
}

export type AuthDeps = {
  readonly accounts: AccountStore
  readonly countCall: CallCounter
  readonly countUse: UseCounter
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
export function speakAs(product: ApiProduct): RequestHandler {
  const errors: ProductErrors = ERRORS_OF[product]
  return (req, res, next) => {
    const context = requestContext(res)
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
 * 403, or the product's own error) and, where the plan limits days or the product limits minutes, a
 * call left (else 429). Looks the key up on every call: once revoked, it is refused at the next
 * call in every process. Calls refused for their key or plan are not counted.
 */
export function requireProduct(
  product: ApiProduct,
  deps: AuthDeps,
  { addressKeyPaths = [], formatChallenge, isCountedInside = false }: Mount = {},
): RequestHandler {
  const errors: ProductErrors = ERRORS_OF[product]
  const scopes: readonly Scope[] = [product, ...(OTHER_SCOPES[product] ?? [])]
  const prefixes = scopes.map(scope => `${PREFIX_OF_SCOPE[scope]}_`)
  return async (req, res, next) => {
    const context = requestContext(res)
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
    const plan = findPlan(product, holder, { atMs, shownMs: deps.shownMs(), url: req.url })
    if (!plan) throw errors.noPlan(holder, atMs)
    if (product === 'live') {
      const client = clientAddress(req)
      const use = await refuseWhileUnavailable(() => deps.countUse({ holder, apiKey, client }))
      context.keyUse = use
      for (const header of Object.entries(minuteHeaders(use.minute))) res.setHeader(...header)
    }
    const monthly = { store: deps.accounts.months, holder, product, plan, atMs }
    const month = await refuseWhileUnavailable(() => readMonthUse(monthly))
    if (month !== null) {
      const { older, max } = month.keys
      if (older >= max) throw errors.extraKey!({ position: older + 1, max })
      context.month = month
    }
    const { dailyCalls } = plan
    const count = async () => {
      if (month !== null) await countMonthly(res, monthly, month)
      if (dailyCalls === undefined) return
      const call = await refuseWhileUnavailable(() => deps.countCall(holder))
      const headers = spendDaily(dailyCalls, call, 'calls')
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    }
    if (isCountedInside) context.countCall = count
    else await count()
    next()
  }
}

type Monthly = Parameters<typeof readMonthUse>[0]

/** Counts a call of the month and sends the remaining calls in headers. Fails with `rate`. */
async function countMonthly(res: Response, monthly: Monthly, month: MonthUse): Promise<void> {
  const use = await refuseWhileUnavailable(() => countMonth(monthly, month))
  if (use === null) throw spentMonth(month, monthly.atMs)
  for (const header of Object.entries(monthHeaders(use, monthly.atMs))) res.setHeader(...header)
}

/** Error when all calls of the month are used. */
export function spentMonth(month: MonthUse, atMs: number): ApiError {
  const headers = monthHeaders({ ...month, used: month.limit }, atMs)
  const wait = Math.ceil((month.resetsAtMs - atMs) / 1000)
  const next = new Date(month.resetsAtMs).toISOString().slice(0, 10)
  return new ApiError('rate', {
    message:
      `all ${month.limit} calls of ${month.month} are used; the next month begins on ${next} ` +
      `at 00:00 UTC, in ${wait} s.`,
    headers: { ...headers, 'retry-after': String(wait) },
  })
}

type KeyedRequest = { readonly atMs: number; readonly shownMs: number; readonly url: string }

/** Returns the plan under which a key may make the request; null when there is none. */
function findPlan(product: ApiProduct, holder: KeyHolder, request: KeyedRequest): PlanRow | null {
  const own = planAt(holder.products, product, request.atMs)
  if (own || product !== 'live' || holder.scope === product) return own
  // a licence for historical days covers only those
  const guest = planAt(holder.products, holder.scope, request.atMs)
  const day = new URLSearchParams(request.url.split('?')[1] ?? '').get('day') ?? ''
  return isDate(day) && day < oldestLiveDay(request.shownMs) ? guest : null
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
