import { join } from 'node:path'
import { ApiError } from '../../platform/http/error.ts'
import { openThread } from '../../platform/pool/thread.ts'
import type { TradesQuestion } from './renderTrades.ts'

const SCRIPT = join(import.meta.dirname, 'tradesThread.ts')

/** Trades of runs, rendered in a thread that starts with the first request. */
export type Trades = {
  /** Fails with `damaged` when the file of a run does not match what was written. */
  readonly render: (question: TradesQuestion) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

/** Opens the trades of a data folder. */
export function openTrades(dataFolder: string): Trades {
  const thread = openThread<TradesQuestion, Uint8Array>({ script: SCRIPT, workerData: dataFolder })
  return {
    render: async question => {
      try {
        return await thread.query(question)
      } catch (cause) {
        const message = `the trades of ${question.runId} cannot be read; run the test again.`
        const damaged = new ApiError('damaged', { message, headers: { 'retry-after': '60' } })
        throw Object.assign(damaged, { cause })
      }
    },
    close: () => thread.close(),
  }
}
