import { wallTimeEt } from '../core/market/calendar.ts'
import { findGaps, type Gap } from '../data/published/freshness.ts'
import type { KnownLedgers } from '../data/published/knownLedgers.ts'
import { readLiveFacts } from '../data/published/liveManifest.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { gzip, type LedgerForm, ledgerFile, renderForm } from './render.ts'
import type { WireLedger } from './schema.ts'
import { emptyLedger, type LedgerInput, wireLedger } from './wire.ts'

/** Forms in which an earlier ledger is available. */
export type AsofForm = Exclude<LedgerForm, 'brotli'>

export type AsofLedger = {
  readonly data: Uint8Array
  readonly etag: string
  /** Reason why there are no orders, if there are none. */
  readonly note: string | undefined
  readonly gaps: readonly Gap[]
}

/** Renders a session's ledger as known at a minute, in one form. */
export async function renderAsof(
  known: KnownLedgers,
  manifest: PublishedManifest,
  knownBeforeMs: number,
  form: AsofForm,
): Promise<AsofLedger> {
  const ledger = await readLedger(known, manifest, knownBeforeMs)
  const { data, etag } =
    form === 'gzip' ? ledgerFile(gzip(renderForm(ledger, 'json').data)) : renderForm(ledger, form)
  return { data, etag, note: ledger.note, gaps: ledger.tape?.gaps ?? [] }
}

async function readLedger(
  known: KnownLedgers,
  manifest: PublishedManifest,
  knownBeforeMs: number,
): Promise<WireLedger> {
  const { session_date: day, symbol, simulated, min_premium_usd } = manifest
  if (!manifest.datasets.revisions && !readLiveFacts(manifest)) {
    return emptyLedger(
      day,
      `${day} was published without its minute-by-minute history: build it again.`,
    )
  }
  const { orders, stats, asof, missing } = await known.read(manifest, knownBeforeMs)
  if (asof === null) {
    const { minute } = wallTimeEt(knownBeforeMs)
    return emptyLedger(day, `Nothing of ${day} had been printed by ${minute}.`)
  }
  return wireLedger({
    day,
    symbol,
    asof,
    is_simulated: simulated,
    min_premium_usd,
    // a minute missing from there on may still arrive
    ...(missing && { gaps: findGaps(missing, asof) }),
    orders: orders as unknown as LedgerInput['orders'],
    stats: stats as unknown as LedgerInput['stats'],
  })
}
