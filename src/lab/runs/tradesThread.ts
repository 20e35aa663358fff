/**
 * Thread that reads and renders trades: there can be hundreds of thousands, which would block every
 * other request.
 */

import { serveThread } from '../../platform/pool/thread.ts'
import { renderTrades, type TradesQuestion } from './renderTrades.ts'

export default serveThread<TradesQuestion, Uint8Array>(dataFolder => ({
  // copied: a view of a shared buffer cannot be transferred
  respond: question => new Uint8Array(renderTrades(dataFolder as string, question)),
  listTransfers: bytes => [bytes.buffer as ArrayBuffer],
}))
