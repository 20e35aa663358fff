/**
 * Thread that reads and renders trades: there can be hundreds of thousands, which would block every
 * other request.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { respondOn } from '../../platform/pool/thread.ts'
import { renderTrades, type TradesQuestion } from './renderTrades.ts'

if (parentPort !== null) {
  respondOn<TradesQuestion, Uint8Array>(parentPort, {
    // copied: a view of a shared buffer cannot be transferred
    respond: async question => new Uint8Array(renderTrades(workerData as string, question)),
    listTransfers: bytes => [bytes.buffer as ArrayBuffer],
    close: async () => {},
  })
}
