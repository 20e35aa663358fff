import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import type { Product } from '../accounts/products.ts'
import type { AccountStore } from '../accounts/types.ts'
import { maskSecrets } from '../platform/http/mask.ts'
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
import type { ToolAsks } from './tool.ts'

type Mounted = {
  /** Name of the area; unique. */
  readonly name: string
  readonly path: string
  /** Product whose keys open it; its scope has the same name. */
  readonly product: Product
  readonly tools: ToolServer
}

/** Mounts a list of tools as an area: under a path, for keys of a product. */
export const toolArea = (mounted: Mounted): Area<RequestScheduler, AccountStore, ToolAsks> => ({
  name: mounted.name,
  product: mounted.product,
  tag: { name: mounted.tools.title, description: 'Tools for assistants.' },
  paths: {},
  methods: { [mounted.path]: MCP_METHODS },
  tables: [],
  open: deps => openTools(deps, mounted),
})

function openTools(
  deps: AreaDeps<RequestScheduler, AccountStore, ToolAsks>,
  { path, product, tools }: Mounted,
): OpenArea {
  const { asks, nowMs, elapsedMs, publicUrl, oauthIssuer, log } = deps
  const resource = { path, scope: product, title: tools.title, publicUrl, oauthIssuer }
  const route = openRoute(
    createServer(tools, ({ authInfo, requestInfo }) => {
      const { res, refusal } = readFacts(authInfo)
      const { accountId, requestId } = requestContext(res)
      const signal = requestInfo?.signal
      const onFault = (error: unknown) =>
        log.error({ requestId, err: maskSecrets(String((error as Error).stack ?? error)) }, 'tool')
      const requester = { account: accountId!, ...(signal && { signal }) }
      return { asks, requester, nowMs, refusal, onFault }
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
