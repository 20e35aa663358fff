/**
 * Thread that reads and renders earlier ledgers: converting rows to objects and objects to bytes
 * takes long enough to block every other call.
 */

import { openKnownLedgers } from '../data/published/knownLedgers.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { serveThread } from '../platform/pool/thread.ts'
import { type AsofForm, type AsofLedger, renderAsof } from './asof.ts'

/** The requested ledger and its form. */
export type AsofQuestion = {
  readonly manifest: PublishedManifest
  readonly knownBeforeMs: number
  readonly form: AsofForm
}

export default serveThread<AsofQuestion, AsofLedger>(dataFolder => {
  const known = openKnownLedgers(dataFolder as string)
  return {
    respond: async ({ manifest, knownBeforeMs, form }) => {
      const ledger = await renderAsof(known, manifest, knownBeforeMs, form)
      // a copy of its own: a part of a shared buffer cannot be transferred
      return { ...ledger, data: new Uint8Array(ledger.data) }
    },
    listTransfers: ({ data }) => [data.buffer as ArrayBuffer],
    close: known.close,
  }
})
