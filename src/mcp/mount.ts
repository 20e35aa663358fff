import type { Product } from '../accounts/products.ts'
import type { Area, AreaDeps, OpenArea, OtherArea } from '../platform/http/area.ts'
import { ApiError } from '../platform/http/error.ts'
import { maskSecrets } from '../platform/http/mask.ts'
import type { AllOffers } from '../platform/http/programOffers.ts'
import { requestContext } from '../platform/http/request.ts'
import type { RequestScheduler } from '../platform/pool/requestScheduler.ts'
import { throttleCalls } from '../platform/pool/throttle.ts'
import { readFacts } from './legacy.ts'
import { createServer, type ToolServer } from './protocol.ts'
import {
  challengeFormatter,
  guardHosts,
  MCP_METHODS,
  metadataPath,
  openRoute,
  sendMetadata,
} from './routes.ts'

type Mounted = {
  /** Name of the area; unique. */
  readonly name: string
  readonly path: string
  /** Product whose keys open it; its scope has the same name. */
  readonly product: Product
  readonly tools: ToolServer
}

/** Mounts a list of tools as an area: under a path, for keys of a product. */
export const toolArea = (mounted: Mounted): Area<RequestScheduler> => ({
  name: mounted.name,
  product: mounted.product,
  tag: { name: mounted.tools.title, description: 'Tools for assistants.' },
  paths: {},
  methods: { [mounted.path]: MCP_METHODS },
  tables: [],
  open: deps => openTools(deps, mounted),
})

function openTools(deps: AreaDeps<RequestScheduler>, { path, product, tools }: Mounted): OpenArea {
  const { others, nowMs, elapsedMs, publicUrl, oauthIssuer, log } = deps
  const resource = { path, scope: product, title: tools.title, publicUrl, oauthIssuer }
  const route = openRoute(
    createServer(tools, ({ authInfo, requestInfo }) => {
      const { res, refusal } = readFacts(authInfo)
      const { accountId, requestId } = requestContext(res)
      const signal = requestInfo?.signal
      const onFault = (error: unknown) =>
        log.error({ requestId, err: maskSecrets(String((error as Error).stack ?? error)) }, 'tool')
      const requester = { account: accountId!, ...(signal && { signal }) }
      return { offer: offerFinder(others), requester, nowMs, refusal, onFault }
    }),
  )
  return {
    guards: [guardHosts(publicUrl)],
    formatChallenge: challengeFormatter(resource),
    isCountedInside: true,
    routes: { [path]: [throttleCalls(elapsedMs), route.handle] },
    publicRoutes: { [metadataPath(path)]: [sendMetadata(resource)] },
    close: route.close,
  }
}

/** Finds an offer of a server's areas by name. */
export const offerFinder =
  (others: () => readonly OtherArea[]) =>
  <Name extends keyof AllOffers>(name: Name): AllOffers[Name] => {
    const offer = others().find(({ open }) => open.offers?.[name])?.open.offers?.[name]
    if (offer) return offer as AllOffers[Name]
    throw new ApiError('unavailable', { message: 'this server does not answer that question.' })
  }
