/**
 * Thread that reads and renders sessions of older code: converting a hundred thousand rows to
 * objects takes long enough to block every other call.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { respondOn } from '../platform/pool/thread.ts'
import type { OlderQuestion, OlderSessionResult } from './older.ts'
import { readRunning, readTape, renderPublished, summarizePublished } from './published.ts'

if (parentPort !== null) {
  const dataFolder = workerData as string
  // sequential: each has an engine of its own
  let last: Promise<unknown> = Promise.resolve()
  respondOn<OlderQuestion, OlderSessionResult>(parentPort, {
    respond: question => {
      const next = last.then(() => renderOlder(dataFolder, question))
      last = next.catch(() => {})
      return next
    },
    close: async () => {
      await last
    },
  })
}

async function renderOlder(
  dataFolder: string,
  question: OlderQuestion,
): Promise<OlderSessionResult> {
  switch (question.kind) {
    case 'forms':
      return { forms: await renderPublished(dataFolder, question.manifest) }
    case 'summaries':
      return { summaries: await summarizePublished(dataFolder, question.manifests) }
    case 'tape':
      return { tape: await readTape(dataFolder, question.manifest) }
    case 'running':
      return { running: await readRunning(dataFolder, question.manifest, question.until) }
    default:
      return question satisfies never
  }
}
