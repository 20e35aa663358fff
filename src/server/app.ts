import express, { type Express, type RequestHandler } from 'express'
import type { ApiProduct } from '../accounts/apiProduct.ts'
import type { OpenArea } from '../accounts/area.ts'
import { requireProduct, speakAs } from '../accounts/auth.ts'
import { createCallCounter } from '../accounts/limits/dayLimit.ts'
import { createUseCounter } from '../accounts/limits/minuteLimit.ts'
import type { Product } from '../accounts/products.ts'
import { assetPages } from '../platform/html/assets.ts'
import { errorPages } from '../platform/html/errorPage.ts'
import { boundCalls, clientAddress } from '../platform/http/addresses.ts'
import { transportSecurity } from '../platform/http/headers.ts'
import { adoptMessages } from '../platform/http/messages.ts'
import { mountHosts } from '../platform/http/ownHosts.ts'
import { boundPages, type PageLimit, servePages } from '../platform/http/pages.ts'
import {
  beginRequest,
  closeToOthers,
  type Log,
  refuseMalformed,
  refuseRoute,
  respondToErrors,
  respondToOptions,
} from '../platform/http/request.ts'
import { boundUnread } from '../platform/http/unread.ts'
import type { ServerStore } from './accountStore.ts'
import { listProducts, type ServedArea } from './areas.ts'
import { docsPages } from './docs.ts'
import type { Metrics } from './metrics.ts'
import { inOrder, openMounts } from './mounts.ts'

/** An area and its running part. */
export type AreaInUse = { readonly area: ServedArea; readonly open: OpenArea<unknown> }

export type AppDeps = {
  readonly areas: readonly AreaInUse[]
  readonly accounts: ServerStore
  readonly log: Log
  /** Time shown to clients, and the ET day whose calls are counted: in a replay, the replay's. */
  readonly nowMs: () => number
  /** Real time, also in a replay: limits of a minute, an hour or a month, and the ends of plans. */
  readonly elapsedMs: () => number
  /** Maximum calls in progress per address; unlimited when left out. */
  readonly callsOfAddress?: number
  readonly metrics?: Metrics | null
  /** Public address of this server; null: not configured. */
  readonly publicUrl?: string | null
  /** True when browsers must use TLS for subdomains of this server too. */
  readonly coversSubdomains?: boolean
  /** Limit per address for pages without a key. */
  readonly pageLimit?: PageLimit | undefined
}

/** Builds the API: pages and routes of all areas, each behind the key check of its product. */
export function createApp(deps: AppDeps): Express {
  const { areas, log } = deps
  const findProduct = productFinder(areas)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.set('query parser', false)
  adoptMessages(app, transportSecurity(deps.coversSubdomains ?? false))

  const hosts = Object.assign({}, ...areas.map(({ area }) => area.hosts))
  const speaking = openMounts()
  for (const { area, open } of areas) {
    const product = findProduct(area.product)
    if (product === null) continue
    const paths = Object.keys({ ...open.publicRoutes, ...open.routes })
    for (const path of paths) speaking.use(path, speakAs(product))
  }
  const sitePaths = listPaths(areas, 'siteRoutes')
  const pages = Object.assign({}, assetPages(), docsPages, ...areas.map(({ open }) => open.pages))
  const probes = Object.assign({}, ...areas.map(({ open }) => open.probes))
  const bound = boundPages({ ...deps, readAddress: clientAddress })
  app.use(
    inOrder([
      ...(deps.metrics ? [deps.metrics.count] : []),
      beginRequest(deps.elapsedMs, log),
      boundUnread,
      mountHosts(deps.publicUrl ?? null, hosts),
      speaking.handle,
      closeToOthers(sitePaths),
      refuseMalformed,
      boundCalls(deps.callsOfAddress ?? Number.POSITIVE_INFINITY),
      respondToOptions(Object.assign({}, ...areas.map(({ area }) => area.methods))),
      servePages(probes, (_req, _res, next) => next()),
      servePages(pages, bound),
      mountAreas({ ...deps, findProduct }, bound),
      refuseRoute,
    ]),
  )
  // paths of the OpenAPI file respond as it states, for every client
  const described = ['/openapi.json', ...areas.flatMap(({ area }) => Object.keys(area.paths))]
  const apiPaths = ['/api', ...listPaths(areas, 'routes'), ...listPaths(areas, 'publicRoutes')]
  app.use(respondToErrors(log, errorPages({ sitePaths, apiPaths: [...apiPaths, ...described] })))
  return app
}

const listPaths = (
  areas: readonly AreaInUse[],
  kind: 'routes' | 'publicRoutes' | 'siteRoutes',
): string[] => areas.flatMap(({ open }) => Object.keys(open[kind] ?? {}))

type ProductFinder = (name: Product | null) => ApiProduct | null

/** Finds a product among those that the areas bring. */
function productFinder(areas: readonly AreaInUse[]): ProductFinder {
  const products = listProducts(areas.map(({ area }) => area))
  return name => {
    if (name === null) return null
    const product = products.find(one => one.name === name)
    if (!product) throw new Error(`no area brings the product ${name}`)
    return product
  }
}

type Mounting = AppDeps & { readonly findProduct: ProductFinder }

/** Returns the handler of the routes of all areas. */
function mountAreas(deps: Mounting, bound: RequestHandler): RequestHandler {
  const mounts = openMounts()
  const { areas, accounts, nowMs, elapsedMs, findProduct } = deps
  // one counter: calls of all areas of a product are counted together
  const countCall = createCallCounter(accounts, nowMs)
  const countUse = createUseCounter(accounts, elapsedMs)
  const auth = { accounts, countCall, countUse, nowMs: elapsedMs, shownMs: nowMs }
  for (const { area, open } of areas) {
    for (const [path, handlers] of Object.entries(open.publicRoutes ?? {})) {
      mounts.use(path, ...handlers)
    }
    for (const [path, handlers] of Object.entries(open.siteRoutes ?? {})) {
      mounts.use(path, bound, ...handlers)
    }
    const product = findProduct(area.product)
    if (product === null) continue
    const { guards = [], formatChallenge, isCountedInside } = open
    const withKey = requireProduct(product, auth, {
      ...area,
      formatChallenge,
      isCountedInside,
    })
    for (const [path, handlers] of Object.entries(open.routes)) {
      mounts.use(path, ...guards, withKey, ...handlers)
    }
  }
  return mounts.handle
}
