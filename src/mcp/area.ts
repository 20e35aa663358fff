import type { Desk } from '../fair/desk.ts'
import { paceCalls } from '../fair/pace.ts'
import type { Area, AreaDeps, OpenArea, OtherArea } from '../http/area.ts'
import type { AllOffers } from '../http/askedOffers.ts'
import { ApiError } from '../http/error.ts'
import { maskSecrets } from '../http/mask.ts'
import { contextOf } from '../http/request.ts'
import { ORDERS_SERVER } from './ordersServer.ts'
import { serverOf, type ToolServer } from './protocol.ts'
import {
  answerMetadata,
  challengeOf,
  factsOf,
  guardHosts,
  MCP_METHODS,
  metadataPath,
  openRoute,
} from './routes.ts'

const ORDERS_PATH = '/orders/mcp'

/** Tools for assistants over ledgers, levels and positions. */
export const ORDERS_MCP_AREA: Area<Desk> = {
  name: 'mcp',
  product: 'orders',
  tag: { name: 'MCP', description: 'Tools for assistants.' },
  paths: {},
  methods: { [ORDERS_PATH]: MCP_METHODS },
  tables: [],
  commands: [
    {
      name: 'mcp',
      usage: 'mcp orders [--account ACCOUNT]',
      does: 'serve tools to an assistant on this machine',
      file: 'command/mcp.ts',
    },
  ],
  open: deps => openMcp(deps, { path: ORDERS_PATH, scope: 'orders', tools: ORDERS_SERVER }),
}

type Mounted = { readonly path: string; readonly scope: string; readonly tools: ToolServer }

/** A list of tools under a path, behind keys of a scope. */
function openMcp(deps: AreaDeps<Desk>, { path, scope, tools }: Mounted): OpenArea {
  const { others, nowMs, elapsedMs, publicUrl, oauthIssuer, log } = deps
  const resource = { path, scope, title: tools.title, publicUrl, oauthIssuer }
  const route = openRoute(
    serverOf(tools, ({ authInfo, requestInfo }) => {
      const { res, refusal } = factsOf(authInfo)
      const { accountId, requestId } = contextOf(res)
      const signal = requestInfo?.signal
      const onFault = (error: unknown) =>
        log.error({ requestId, err: maskSecrets(String((error as Error).stack ?? error)) }, 'tool')
      const asker = { account: accountId!, ...(signal && { signal }) }
      return { offer: offersOf(others), asker, nowMs, refusal, onFault }
    }),
  )
  return {
    guards: [guardHosts(publicUrl)],
    challengeOf: challengeOf(resource),
    isCountedInside: true,
    routes: { [path]: [paceCalls(elapsedMs), route.handle] },
    publicRoutes: { [metadataPath(path)]: [answerMetadata(resource)] },
    close: route.close,
  }
}

/** What the areas of a server offer, each question by its name. */
export const offersOf =
  (others: () => readonly OtherArea[]) =>
  <Name extends keyof AllOffers>(name: Name): AllOffers[Name] => {
    const offer = others().find(({ open }) => open.offers?.[name])?.open.offers?.[name]
    if (offer) return offer as AllOffers[Name]
    throw new ApiError('unavailable', { message: 'this server does not answer that question.' })
  }
