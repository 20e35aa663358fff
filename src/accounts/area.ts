/**
 * Interface of a product area: `src/server/areas.ts` lists the areas; the app, documentation and
 * backups iterate over that list and know none by name.
 */

import type { Request, RequestHandler } from 'express'
import type { Registry } from 'prom-client'
import type { ZodOpenApiObject, ZodOpenApiPathsObject } from 'zod-openapi'
import type { Catalog } from '../data/published/catalog.ts'
import type { BackgroundFault } from '../data/published/sight.ts'
import type { Page } from '../platform/http/page.ts'
import type { Log } from '../platform/http/request.ts'
import type { Notices } from '../platform/notices/notices.ts'
import type { WebhookTools } from '../platform/webhooks/tools.ts'
import type { AccountPart } from './accountPage.ts'
import type { ApiProduct } from './apiProduct.ts'
import type { Product } from './products.ts'
import type { AccountStore } from './types.ts'

/**
 * Dependencies the server passes to each area when it opens; `Asks` are the queries of other areas
 * that this one calls.
 */
export type AreaDeps<Scheduler, Accounts = AccountStore, Asks = unknown> = {
  readonly dataFolder: string
  /** Published data, as of the server's clock. */
  readonly catalog: Catalog
  /** Accounts, with what the area stores of them. */
  readonly accounts: Accounts
  /** Sends mail and Telegram messages. */
  readonly notices: Notices
  /** Checks webhook addresses and stores their secrets. */
  readonly webhooks: WebhookTools
  /** Schedules requests fairly between accounts. */
  readonly scheduler: Scheduler
  readonly log: Log
  readonly nowMs: () => number
  /** True where past sessions are served as if live: none is expected after the last one stored. */
  readonly isReplay: boolean
  /** Real time, also in a replay. */
  readonly elapsedMs: () => number
  /** True when engines are opened and responses prepared before the first request. */
  readonly isWarmed: boolean
  /** True when the minutes of an open session are expected. */
  readonly isLive: boolean
  /** True when files derived from a vendor's tape may be redistributed. */
  readonly sharesPrints: boolean
  /** How long after its close a session's ledger may be published. */
  readonly publishGraceMs: number
  /** How often the age of the data is judged for the log. */
  readonly alarmEveryMs: number
  /** How long one view of the status is cached; the default when undefined. */
  readonly judgedForMs: number | undefined
  /** Current faults of the server's background work. */
  readonly faults: () => readonly BackgroundFault[]
  /** Public address of this server, such as https://tapefold.example; null when not configured. */
  readonly publicUrl: string | null
  /** Issuer of OAuth tokens for this server; null: only keys are accepted. */
  readonly oauthIssuer: string | null
  /** API of a language model, the name of a model there, and its secret; null: none is set up. */
  readonly model: {
    readonly url: string
    readonly name: string
    readonly key: string | null
  } | null
  /** Queries that areas serve to others, by area; complete once each of them is open. */
  readonly asks: Asks
  /** All areas of this server, including this one; complete once each of them is open. */
  readonly others: () => readonly OtherArea[]
}

/** An area of this server as the account page sees it. */
export type OtherArea = {
  readonly area: Pick<Area<unknown>, 'name' | 'product'>
  readonly open: Pick<OpenArea, 'account'>
}

/** Background work; `name` follows "cannot" in the log and in the status. */
export type AreaWork = {
  readonly name: string
  readonly everyMs: number
  readonly run: () => unknown
}

/** An area of a running server; `Own` is its entry of `asks`. */
export type OpenArea<Own = never> = {
  /** Handlers by path prefix, in order, for calls with a key of the area's product. */
  readonly routes: Readonly<Record<string, readonly RequestHandler[]>>
  /** Handlers that run before the key check of `routes`, in order. */
  readonly guards?: readonly RequestHandler[]
  /** Value of `WWW-Authenticate` for `routes`; defaults to the product's. */
  readonly formatChallenge?: (req: Request) => string
  /** True when the handlers of `routes` count their calls themselves. */
  readonly isCountedInside?: boolean
  /** Handlers by path prefix that need no key, in order; they limit their clients themselves. */
  readonly publicRoutes?: Readonly<Record<string, readonly RequestHandler[]>>
  /**
   * Handlers of pages for people by path prefix, in order, such as pages with parameters and forms.
   * Their errors are pages too, the page limit applies to each address, and no other origin may
   * read them.
   */
  readonly siteRoutes?: Readonly<Record<string, readonly RequestHandler[]>>
  /** The area's part of the account page. */
  readonly account?: AccountPart
  /** Queries that other areas may call, by the name of this area. */
  readonly asks?: Own
  /** Pages without a key, by path. */
  readonly pages?: Readonly<Record<string, () => Page | Promise<Page>>>
  /** Small pages for supervisors and load balancers, without a limit of calls. */
  readonly probes?: Readonly<Record<string, () => Page | Promise<Page>>>
  readonly work?: readonly AreaWork[]
  /** Opens in advance what the first request would wait for. */
  readonly warm?: () => Promise<void>
  /** Registers the area's metrics for Prometheus. */
  readonly measure?: (registry: Registry) => void
  /** Ends the area's own work: the stores are about to be closed. */
  readonly stop?: () => void
  readonly close?: () => Promise<void>
}

export type Area<Scheduler, Accounts = AccountStore, Asks = unknown, Own = never> = {
  readonly name: string
  /** Product whose keys open its routes; null when it has none. */
  readonly product: Product | null
  /** Product as the key check reads it, from one of its areas. */
  readonly apiProduct?: ApiProduct
  /** Heading in the documentation. */
  readonly tag: { readonly name: string; readonly description: string }
  /** Its operations in the OpenAPI file. */
  readonly paths: ZodOpenApiPathsObject
  /** Webhooks it sends, in the OpenAPI file. */
  readonly webhooks?: NonNullable<ZodOpenApiObject['webhooks']>
  /** Methods of paths that accept others than GET and HEAD, for `Allow` and OPTIONS. */
  readonly methods: Readonly<Record<string, string>>
  /** Path that also has its own subdomain: `geo.` before the server's host. */
  readonly hosts?: Readonly<Record<string, string>>
  /** Paths that also accept a key as `?key=`, if the key was made for use in addresses. */
  readonly addressKeyPaths?: readonly string[]
  /** Its tables in the account database, each after those its rows refer to. */
  readonly tables: readonly string[]
  readonly open: (deps: AreaDeps<Scheduler, Accounts, Asks>) => OpenArea<Own>
}

/** Opens areas, in order, and collects their `asks`. */
export function openAreas<Scheduler, Accounts, Asks>(
  areas: readonly Area<Scheduler, Accounts, Asks, Partial<Asks>>[],
  given: Omit<AreaDeps<Scheduler, Accounts>, 'asks' | 'others'>,
) {
  const asks = {} as Asks & object
  const opened: { area: (typeof areas)[number]; open: OpenArea<Partial<Asks>> }[] = []
  for (const area of areas) {
    const open = area.open({ ...given, asks, others: () => opened })
    Object.assign(asks, open.asks)
    opened.push({ area, open })
  }
  return { areas: opened, asks }
}
