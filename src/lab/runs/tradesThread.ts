/**
 * The thread in which trades are read and rendered: there can be hundreds of thousands, which would
 * hold up every other call.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { respondOn } from '../../fair/thread.ts'
import { renderTrades, type TradesQuestion } from './renderTrades.ts'

if (parentPort !== null) {
  respondOn<TradesQuestion, Uint8Array>(parentPort, {
    // bytes of their own: a part of a shared buffer cannot be handed over
    respond: async question => new Uint8Array(renderTrades(workerData as string, question)),
    listTransfers: bytes => [bytes.buffer as ArrayBuffer],
    close: async () => {},
  })
}
