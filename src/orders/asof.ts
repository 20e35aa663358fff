import { wallTimeEt } from '../market/calendar.ts'
import { type Gap, gapsOf } from '../store/freshness.ts'
import type { KnownLedgers } from '../store/known.ts'
import { liveFactsOf } from '../store/liveState.ts'
import type { PublishedManifest } from '../store/manifest.ts'
import { gzipAside, type LedgerForm, ledgerFile, renderForm } from './render.ts'
import type { WireLedger } from './schema.ts'
import { emptyLedger, type LedgerInput, wireLedger } from './wire.ts'

/** Rendered answers kept: a client that asks again, or many that follow one replay, cost once. */
const CACHE_MAX_BYTES = 64 * 1024 * 1024

/** Forms in which an earlier ledger is answered. */
export type AsofForm = Exclude<LedgerForm, 'brotli'>

export type AsofLedger = {
  readonly data: Uint8Array
  readonly etag: string
  /** Why there are no orders, where there are none. */
  readonly note: string | undefined
  readonly gaps: readonly Gap[]
}

/** Answers a session's ledger as it was known at a minute. */
export type ReadAsof = (
  manifest: PublishedManifest,
  knownBeforeMs: number,
  form: AsofForm,
) => Promise<AsofLedger>

/** Makes the reader of earlier ledgers; equal questions about one revision are answered once. */
export function asofReader(known: KnownLedgers): ReadAsof {
  const cache = new Map<string, Promise<AsofLedger>>()
  const sizes = new Map<string, number>()
  return (manifest, knownBeforeMs, form) => {
    const key = `${manifest.session_date} ${manifest.revision} ${knownBeforeMs} ${form}`
    const found = cache.get(key) ?? render(known, manifest, knownBeforeMs, form)
    cache.delete(key)
    cache.set(key, found)
    found.then(
      ({ data }) => {
        sizes.set(key, data.byteLength)
        let total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
        for (const oldest of cache.keys()) {
          if (total <= CACHE_MAX_BYTES || oldest === key) break
          total -= sizes.get(oldest) ?? 0
          cache.delete(oldest)
          sizes.delete(oldest)
        }
      },
      () => cache.delete(key),
    )
    return found
  }
}

async function render(
  known: KnownLedgers,
  manifest: PublishedManifest,
  knownBeforeMs: number,
  form: AsofForm,
): Promise<AsofLedger> {
  const ledger = await readLedger(known, manifest, knownBeforeMs)
  const { data, etag } =
    form === 'gzip'
      ? ledgerFile(await gzipAside(renderForm(ledger, 'json').data))
      : renderForm(ledger, form)
  return { data, etag, note: ledger.note, gaps: ledger.tape?.gaps ?? [] }
}

async function readLedger(
  known: KnownLedgers,
  manifest: PublishedManifest,
  knownBeforeMs: number,
): Promise<WireLedger> {
  const { session_date: day, symbol, simulated, min_premium_usd } = manifest
  if (!manifest.datasets.revisions && !liveFactsOf(manifest)) {
    return emptyLedger(
      day,
      `What was known of ${day} minute by minute was not kept: build it again.`,
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
    // what is missing from there on may still come
    ...(missing && { gaps: gapsOf(missing, asof) }),
    orders: orders as unknown as LedgerInput['orders'],
    stats: stats as unknown as LedgerInput['stats'],
  })
}
