/**
 * Thread that reads and renders sessions of older code: converting a hundred thousand rows to
 * objects takes long enough to block every other call.
 */

import { serveThread } from '../platform/pool/thread.ts'
import type { OlderQuestion, OlderSessionResult } from './older.ts'
import { readRunning, readTape, renderPublished, summarizePublished } from './published.ts'

export default serveThread<OlderQuestion, OlderSessionResult>(dataFolder => ({
  respond: question => renderOlder(dataFolder as string, question),
}))

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
