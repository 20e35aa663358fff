/**
 * The thread in which trades are read and rendered: there can be hundreds of thousands, which would
 * hold up every other call.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { answerOn } from '../../fair/thread.ts'
import { renderTrades, type TradesQuestion } from './renderTrades.ts'

if (parentPort !== null) {
  answerOn<TradesQuestion, Uint8Array>(parentPort, {
    // bytes of their own: a part of a shared buffer cannot be handed over
    answer: async question => new Uint8Array(renderTrades(workerData as string, question)),
    movedOf: bytes => [bytes.buffer as ArrayBuffer],
    close: async () => {},
  })
}
