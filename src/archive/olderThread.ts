/**
 * The thread in which sessions of older code are read and rendered: a hundred thousand rows become
 * objects, which takes long enough to hold up every call.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { answerOn } from '../fair/thread.ts'
import type { OlderAnswer, OlderQuestion } from './older.ts'
import { renderPublished, summarizePublished } from './published.ts'

if (parentPort !== null) {
  const dataFolder = workerData as string
  // one after the other: each has an engine of its own
  let last: Promise<unknown> = Promise.resolve()
  answerOn<OlderQuestion, OlderAnswer>(parentPort, {
    answer: question => {
      const next = last.then(async () =>
        question.kind === 'forms'
          ? { forms: await renderPublished(dataFolder, question.manifest) }
          : { summaries: await summarizePublished(dataFolder, question.manifests) },
      )
      last = next.catch(() => {})
      return next
    },
    close: async () => {
      await last
    },
  })
}
