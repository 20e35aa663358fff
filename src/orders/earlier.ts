import { join } from 'node:path'
import { openCache } from '../platform/pool/cache.ts'
import type { Requester, RequestScheduler } from '../platform/pool/requestScheduler.ts'
import { openThread } from '../platform/pool/thread.ts'
import type { AsofLedger } from './asof.ts'
import type { AsofQuestion } from './asofThread.ts'

/** Size of the response cache: repeated requests, or many that follow one replay, cost once. */
const CACHE_MAX_BYTES = 64 * 1024 * 1024
const SCRIPT = join(import.meta.dirname, 'asofThread.ts')

/** Ledgers of sessions as known at earlier minutes, rendered in a thread of their own. */
export type EarlierLedgers = {
  /**
   * Returns a session's ledger from everything known before an instant. Scheduled fairly by
   * requester. Fails with DamagedFile when a file of the session differs from its manifest, and as
   * the request scheduler does.
   */
  readonly read: (wanted: AsofQuestion, requester: Requester) => Promise<AsofLedger>
  readonly close: () => Promise<void>
}

/** Opens the reader of a data folder; its thread starts with the first request. */
export function openEarlierLedgers(
  dataFolder: string,
  scheduler: RequestScheduler,
): EarlierLedgers {
  const cache = openCache<AsofLedger>(CACHE_MAX_BYTES)
  const thread = openThread<AsofQuestion, AsofLedger>({ script: SCRIPT, workerData: dataFolder })
  type Input = { readonly wanted: AsofQuestion; readonly account: string }
  const queue = scheduler.openQueue<Input, AsofLedger>({
    budget: 1,
    serve: async ([input]) => {
      const { wanted, account } = input!
      const ledger = await thread.query(wanted)
      cache.put(questionKey(wanted), ledger, ledger.data.byteLength, account)
      return [ledger]
    },
  })
  return {
    read: async (wanted, requester) => {
      const key = questionKey(wanted)
      const input = { wanted, account: requester.account }
      return cache.get(key) ?? queue.submit({ key, cost: 1, input }, requester)
    },
    close: async () => {
      await queue.close()
      await thread.close()
    },
  }
}

const questionKey = ({ manifest, knownBeforeMs, form }: AsofQuestion): string =>
  [manifest.session_date, manifest.revision, knownBeforeMs, form].join(' ')
