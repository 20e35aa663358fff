import { join } from 'node:path'
import { openCache } from '../fair/cache.ts'
import type { Requester, RequestScheduler } from '../fair/desk.ts'
import { openThread } from '../fair/thread.ts'
import type { AsofLedger } from './asof.ts'
import type { AsofQuestion } from './asofThread.ts'

/** Rendered answers kept: a client that asks again, or many that follow one replay, cost once. */
const CACHE_MAX_BYTES = 64 * 1024 * 1024
const SCRIPT = join(import.meta.dirname, 'asofThread.ts')

/** Ledgers of sessions as they were known at earlier minutes, made in a thread of their own. */
export type EarlierLedgers = {
  /**
   * A session's ledger as everything known before an instant tells it, in the turns of who asks.
   * Fails with DamagedFile when a file of the session is not what its manifest says, and as a
   * desk's lane does.
   */
  readonly read: (wanted: AsofQuestion, requester: Requester) => Promise<AsofLedger>
  readonly close: () => Promise<void>
}

/** Opens the reader of a data folder; its thread starts with the first question. */
export function openEarlierLedgers(
  dataFolder: string,
  scheduler: RequestScheduler,
): EarlierLedgers {
  const cache = openCache<AsofLedger>(CACHE_MAX_BYTES)
  const thread = openThread<AsofQuestion, AsofLedger>({ script: SCRIPT, workerData: dataFolder })
  const queue = scheduler.openQueue<AsofQuestion, AsofLedger>({
    budget: 1,
    serve: async ([wanted]) => {
      const ledger = await thread.query(wanted!)
      cache.put(questionKey(wanted!), ledger, ledger.data.byteLength)
      return [ledger]
    },
  })
  return {
    read: async (wanted, requester) => {
      const key = questionKey(wanted)
      return cache.get(key) ?? queue.submit({ key, cost: 1, input: wanted }, requester)
    },
    close: async () => {
      await queue.close()
      await thread.close()
    },
  }
}

const questionKey = ({ manifest, knownBeforeMs, form }: AsofQuestion): string =>
  [manifest.session_date, manifest.revision, knownBeforeMs, form].join(' ')
