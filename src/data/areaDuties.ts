import type { Database, Row } from '../core/engine/database.ts'
import type { SessionDate } from '../core/market/calendar.ts'
import type { Gap } from './published/freshness.ts'
import type { PublishedManifest, SessionSummary } from './published/manifest.ts'
import type { PublishedForm } from './published/publish.ts'

/** A ledger that was just built, as forms are made of it. */
export type LedgerFacts = {
  readonly day: SessionDate
  readonly symbol: string
  readonly asof: string
  readonly is_simulated: boolean
  readonly tape: { readonly grade: string; readonly reasons: string[] }
  readonly set_apart_count: number
  readonly gaps: readonly Gap[]
  readonly min_premium_usd: number
  readonly stats: Row
  readonly orders: readonly Row[]
}

export type Forms = Readonly<Record<string, PublishedForm>>

/** Work that product areas do for those who import, build and clean up, and who know no area. */
export type AreaDuties = {
  /** Renders a ledger in every form that is published. */
  readonly renderLedger: (facts: LedgerFacts) => Promise<Forms>
  /** Reads what the archive has of a session that was built, before its database is closed. */
  readonly readSession: (
    db: Database,
    date: SessionDate,
  ) => Promise<{
    readonly summary: SessionSummary | undefined
    readonly render: (facts: LedgerFacts, revision: string) => Promise<Forms>
  }>
  /** True when the archive has a form of a published session that can be rendered from its files. */
  readonly isRenderable: (manifest: PublishedManifest) => boolean
  /** True when a published session lacks a form of the archive. */
  readonly lacksForms: (manifest: PublishedManifest) => boolean
  /** Renders a published session for the archive. Fails with a Refusal. */
  readonly renderPublished: (
    dataFolder: string,
    manifest: PublishedManifest,
  ) => Promise<{ readonly forms: Forms; readonly summary?: SessionSummary }>
  /** Makes the columns that LAB replays of a published session. */
  readonly makeColumns: (dataFolder: string, date: SessionDate) => Promise<void>
  /** Deletes events that accounts were sent too long ago; returns their number. */
  readonly deleteExpired: (dataFolder: string, nowMs: number) => Promise<number>
}

let load: () => Promise<AreaDuties> = () => Promise.reject(new Error('no area has registered'))

/** Registers the work of all areas, where a process starts; it is loaded when it is needed. */
export const registerAreaDuties = (loadWork: () => Promise<AreaDuties>): void => {
  load = loadWork
}

export const areaDuties = (): Promise<AreaDuties> => load()
