/**
 * The thread in which earlier ledgers are read and rendered: rows become objects and objects become
 * bytes, which takes long enough to hold up every other call.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { respondOn } from '../fair/thread.ts'
import { openKnownLedgers } from '../published/known.ts'
import type { PublishedManifest } from '../published/manifest.ts'
import { type AsofForm, type AsofLedger, renderAsof } from './asof.ts'

/** Which ledger is wanted, and in which form. */
export type AsofQuestion = {
  readonly manifest: PublishedManifest
  readonly knownBeforeMs: number
  readonly form: AsofForm
}

if (parentPort !== null) {
  const known = openKnownLedgers(workerData as string)
  respondOn<AsofQuestion, AsofLedger>(parentPort, {
    respond: async ({ manifest, knownBeforeMs, form }) => {
      const ledger = await renderAsof(known, manifest, knownBeforeMs, form)
      // bytes of their own: a part of a shared buffer cannot be handed over
      return { ...ledger, data: new Uint8Array(ledger.data) }
    },
    listTransfers: ({ data }) => [data.buffer as ArrayBuffer],
    close: known.close,
  })
}
