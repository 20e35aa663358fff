import express, { type Express, type RequestHandler } from 'express'
import type { AccountStore } from './accounts/types.ts'
import type { Background } from './background.ts'
import { paceCalls } from './fair/pace.ts'
import { boundCalls, clientOf } from './http/addresses.ts'
import { requireProduct } from './http/auth.ts'
import { SECURITY_HEADERS } from './http/headers.ts'
import { createCallCounter } from './http/limits.ts'
import {
  answerErrors,
  answerOptions,
  beginRequest,
  type Log,
  refuseMalformed,
  refuseRoute,
} from './http/request.ts'
import { boundUnread } from './http/unread.ts'
import type { Metrics } from './metrics.ts'
import type { EarlierLedgers } from './orders/earlier.ts'
import { ordersRouter } from './orders/routes.ts'
import { answerPages, type PageLimit } from './pages.ts'
import { CHECK_METHODS, CHECK_PATHS, checksRouter } from './positions/checkRoutes.ts'
import { keptPosition, keptPositions } from './positions/kept.ts'
import type { Judge } from './positions/marketValues.ts'
import { POSITION_METHODS, positionsRouter, refusePath } from './positions/routes.ts'
import type { Catalog } from './published/catalog.ts'
import type { ServiceState } from './status/state.ts'

export type AppDeps = {
  readonly catalog: Catalog
  readonly nowMs: () => number
  /** The one view of the state that all pages tell. */
  readonly state: ServiceState
  /** Ledgers as they were known at earlier minutes. */
  readonly earlier: EarlierLedgers
  readonly accounts: AccountStore
  readonly judge: Judge
  readonly log: Log
  /** Calls of one address that may be under way; without it as many as come. */
  readonly callsOfAddress?: number
  readonly background: Background
  /** Time by which calls are measured and plans end: real time, also in a replay. */
  readonly elapsedMs: () => number
  readonly metrics?: Metrics | null
  /** What an address may ask of the pages that need no key. */
  readonly pageLimit?: PageLimit | undefined
}

/** The whole API: which router stands under which path, behind which key. */
export function createApp(deps: AppDeps): Express {
  const { accounts, nowMs, log } = deps
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.set('query parser', false)

  if (deps.metrics) app.use(deps.metrics.count)
  app.use(beginRequest(deps.elapsedMs, log))
  app.use(boundUnread)
  app.use(writeSecurityHeaders)
  app.use(refuseMalformed)
  app.use(boundCalls(deps.callsOfAddress ?? Number.POSITIVE_INFINITY))
  app.use(
    answerOptions({
      '/api/positions': POSITION_METHODS,
      ...Object.fromEntries(CHECK_PATHS.map(path => [`/api/positions${path}`, CHECK_METHODS])),
    }),
  )

  app.use(answerPages({ ...deps, addressOf: clientOf }))
  // one counter: calls of both APIs are counted together
  const countCall = createCallCounter(accounts, nowMs)
  const withKey = requireProduct('orders', { accounts, countCall, nowMs: deps.elapsedMs })
  const pace = paceCalls(deps.elapsedMs)
  app.use('/orders/api', withKey, pace, ordersRouter(deps))
  const checks = checksRouter({
    ...deps,
    positionsOf: accountId => keptPositions(accounts, accountId),
    findPosition: (accountId, id) => keptPosition(accounts, accountId, id),
  })
  app.use('/api/positions', withKey, pace, positionsRouter(deps), checks, refusePath)

  app.use(refuseRoute)
  app.use(answerErrors(log))
  return app
}

const writeSecurityHeaders: RequestHandler = (_req, res, next) => {
  res.setHeaders(SECURITY_HEADERS as Map<string, string>)
  next()
}
