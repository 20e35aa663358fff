import type { Product } from '../accounts/products.ts'
import type { Desk } from '../fair/desk.ts'
import { paceCalls } from '../fair/pace.ts'
import type { Area, AreaDeps, OpenArea, OtherArea } from '../http/area.ts'
import type { AllOffers } from '../http/askedOffers.ts'
import { ApiError } from '../http/error.ts'
import { maskSecrets } from '../http/mask.ts'
import { contextOf } from '../http/request.ts'
import { factsOf } from './legacy.ts'
import { serverOf, type ToolServer } from './protocol.ts'
import {
  answerMetadata,
  challengeOf,
  guardHosts,
  MCP_METHODS,
  metadataPath,
  openRoute,
} from './routes.ts'

type Mounted = {
  /** Of the area; no other has it. */
  readonly name: string
  readonly path: string
  /** Whose keys open it; its scope has the same name. */
  readonly product: Product
  readonly tools: ToolServer
  readonly commands?: Area<Desk>['commands']
}

/** A list of tools as an area: under a path, behind the keys of a product. */
export const toolArea = (mounted: Mounted): Area<Desk> => ({
  name: mounted.name,
  product: mounted.product,
  tag: { name: mounted.tools.title, description: 'Tools for assistants.' },
  paths: {},
  methods: { [mounted.path]: MCP_METHODS },
  tables: [],
  commands: mounted.commands ?? [],
  open: deps => openTools(deps, mounted),
})

function openTools(deps: AreaDeps<Desk>, { path, product, tools }: Mounted): OpenArea {
  const { others, nowMs, elapsedMs, publicUrl, oauthIssuer, log } = deps
  const resource = { path, scope: product, title: tools.title, publicUrl, oauthIssuer }
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
