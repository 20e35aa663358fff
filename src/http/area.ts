/**
 * What a product area is to the rest of the house: `src/areas.ts` lists them, and the app, the
 * documentation, the command line and backups go through that list and know none by its name.
 */

import type { Request, RequestHandler } from 'express'
import type { Registry } from 'prom-client'
import type { ZodOpenApiObject, ZodOpenApiPathsObject } from 'zod-openapi'
import type { AccountTables } from '../accounts/schema.ts'
import type { AccountStore } from '../accounts/types.ts'
import type { AccountPart } from '../html/account.ts'
import type { Notices } from '../notices/notices.ts'
import type { Catalog } from '../published/catalog.ts'
import type { BackgroundFault } from '../published/sight.ts'
import type { WebhookTools } from '../webhooks/tools.ts'
import type { AllOffers } from './askedOffers.ts'
import type { ApiProduct } from './auth.ts'
import type { Page } from './page.ts'
import type { Log } from './request.ts'

/** What the server gives each area when it opens. */
export type AreaDeps<Scheduler> = {
  readonly dataFolder: string
  /** What is published, as of the server's clock. */
  readonly catalog: Catalog
  readonly accounts: AccountStore
  /** What can be sent to people by mail and Telegram. */
  readonly notices: Notices
  /** Judges addresses of webhooks, and keeps their secrets. */
  readonly webhooks: WebhookTools
  /** Takes turns between the accounts that ask at once. */
  readonly scheduler: Scheduler
  readonly log: Log
  readonly nowMs: () => number
  /** True where past sessions are served as if live: none is expected after the last one stored. */
  readonly isReplay: boolean
  /** Real time, also in a replay. */
  readonly elapsedMs: () => number
  /** Whether engines are opened, and answers made, ahead of any question. */
  readonly isWarmed: boolean
  /** Whether the minutes of an open session are expected. */
  readonly isLive: boolean
  /** Whether files of what a vendor's tape says may be given to others. */
  readonly sharesPrints: boolean
  /** How long after its close a session's ledger may be published. */
  readonly publishGraceMs: number
  /** How often the age of the data is judged for the log. */
  readonly alarmEveryMs: number
  /** How long one view of the state is told; the usual time when it is undefined. */
  readonly judgedForMs: number | undefined
  /** What the server cannot do beside its calls by now. */
  readonly faults: () => readonly BackgroundFault[]
  /** Where people reach this server, such as https://tapefold.example; null: nobody says. */
  readonly publicUrl: string | null
  /** Who issues OAuth tokens for this server; null: nobody, keys alone open it. */
  readonly oauthIssuer: string | null
  /** All areas of this server, this one among them; complete once each of them is open. */
  readonly others: () => readonly OtherArea[]
}

/** What an area of this server is for the others: what it offers, by contract. */
export type OtherArea = {
  readonly area: Pick<Area<unknown>, 'name' | 'product'>
  readonly open: Pick<OpenArea, 'account' | 'offers'>
}

/** Work that no request waits for; `name` stands behind "cannot" in the log and in the status. */
export type AreaWork = {
  readonly name: string
  readonly everyMs: number
  readonly run: () => unknown
}

/** An area of a server that runs. */
export type OpenArea = {
  /** What answers under a path, behind a key of the area's product, in order. */
  readonly routes: Readonly<Record<string, readonly RequestHandler[]>>
  /** What judges a call under `routes` before its key, in order. */
  readonly guards?: readonly RequestHandler[]
  /** What `WWW-Authenticate` says of `routes`; left out, as the product does. */
  readonly formatChallenge?: (req: Request) => string
  /** Whether the handlers of `routes` count by themselves what is a call. */
  readonly isCountedInside?: boolean
  /** What answers under a path without a key, in order; it bounds its callers by itself. */
  readonly publicRoutes?: Readonly<Record<string, readonly RequestHandler[]>>
  /**
   * What answers people under a path, in order, such as pages with parameters and forms. Their
   * errors are pages too, each address has the bound of pages, and no other origin may read them.
   */
  readonly siteRoutes?: Readonly<Record<string, readonly RequestHandler[]>>
  /** What the account page shows of it. */
  readonly account?: AccountPart
  /** What other areas may ask of it. */
  readonly offers?: Partial<AllOffers>
  /** Pages that need no key, by path. */
  readonly pages?: Readonly<Record<string, () => Page | Promise<Page>>>
  readonly work?: readonly AreaWork[]
  /** Opens what the first question would wait for. */
  readonly warm?: () => Promise<void>
  /** Adds what Prometheus is told of the area. */
  readonly measure?: (registry: Registry) => void
  /** No more work of its own: the stores are about to be closed. */
  readonly stop?: () => void
  readonly close?: () => Promise<void>
}

/** A command of the command line, which runs a file of `pipelines/` in a process of its own. */
export type AreaCommand = {
  readonly name: string
  /** As `tapefold help` shows it, and what it does in a few words. */
  readonly usage: string
  readonly does: string
  /** Below `pipelines/`. */
  readonly file: string
}

export type Area<Scheduler> = {
  readonly name: string
  /** Whose keys open its routes; null where it has none. */
  readonly product: ApiProduct | null
  /** How the documentation heads it. */
  readonly tag: { readonly name: string; readonly description: string }
  /** Its operations in the OpenAPI file. */
  readonly paths: ZodOpenApiPathsObject
  /** What it sends to others, in the OpenAPI file. */
  readonly webhooks?: NonNullable<ZodOpenApiObject['webhooks']>
  /** Methods of the paths that do not take GET and HEAD alone: `Allow` and OPTIONS say them. */
  readonly methods: Readonly<Record<string, string>>
  /** A path that has a host of its own, by its first name: `geo.` and the host of the server. */
  readonly hosts?: Readonly<Record<string, string>>
  /** Paths that also take a key as `?key=`: one of those made for addresses. */
  readonly addressKeyPaths?: readonly string[]
  /** Tables of the account database that are its own, each after those its rows refer to. */
  readonly tables: readonly (keyof AccountTables)[]
  readonly commands: readonly AreaCommand[]
  readonly open: (deps: AreaDeps<Scheduler>) => OpenArea
}
