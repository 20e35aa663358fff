/**
 * The thread in which earlier ledgers are read and rendered: rows become objects and objects become
 * bytes, which takes long enough to hold up every other call. Answers one question after the other.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { DamagedFile } from '../store/damagedFile.ts'
import { openKnownLedgers } from '../store/known.ts'
import type { PublishedManifest } from '../store/manifest.ts'
import { type AsofForm, type AsofLedger, renderAsof } from './asof.ts'

/** A question to the thread; null asks it to end. */
export type AsofQuestion = {
  readonly manifest: PublishedManifest
  readonly knownBeforeMs: number
  readonly form: AsofForm
} | null

/** Errors cross threads without what their class adds: a damaged file is told by its parts. */
export type AsofReply =
  | { readonly ledger: AsofLedger }
  | { readonly damage: Pick<DamagedFile, 'date' | 'path' | 'stamp' | 'message'> }
  | { readonly error: Error }

if (parentPort !== null) answerOn(parentPort, workerData as string)

function answerOn(port: NonNullable<typeof parentPort>, dataFolder: string): void {
  const known = openKnownLedgers(dataFolder)
  port.on('message', async (question: AsofQuestion) => {
    if (question === null) {
      // a thread that is ended during a query takes the process with it
      await known.close()
      port.close()
      return
    }
    const { manifest, knownBeforeMs, form } = question
    try {
      const { data, ...told } = await renderAsof(known, manifest, knownBeforeMs, form)
      // bytes of their own: a part of a shared buffer cannot be handed over
      const bytes = new Uint8Array(data)
      port.postMessage({ ledger: { ...told, data: bytes } } satisfies AsofReply, [bytes.buffer])
    } catch (cause) {
      port.postMessage(replyOf(cause))
    }
  })
}

function replyOf(cause: unknown): AsofReply {
  if (cause instanceof DamagedFile) {
    const { date, path, stamp, message } = cause
    return { damage: { date, path, stamp, message } }
  }
  return { error: cause instanceof Error ? cause : new Error(String(cause)) }
}
