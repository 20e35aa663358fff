import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { openCache } from '../fair/cache.ts'
import type { Asker, Desk } from '../fair/desk.ts'
import { DamagedFile } from '../store/damagedFile.ts'
import type { AsofLedger } from './asof.ts'
import type { AsofQuestion, AsofReply } from './asofThread.ts'

/** Rendered answers kept: a client that asks again, or many that follow one replay, cost once. */
const CACHE_MAX_BYTES = 64 * 1024 * 1024
const THREAD = join(import.meta.dirname, 'asofThread.ts')

type Wanted = NonNullable<AsofQuestion>

/** Ledgers of sessions as they were known at earlier minutes, made in a thread of their own. */
export type EarlierLedgers = {
  /**
   * A session's ledger as everything known before an instant tells it, in the turns of who asks.
   * Fails with DamagedFile when a file of the session is not what its manifest says, and as a
   * desk's lane does.
   */
  readonly read: (wanted: Wanted, asker: Asker) => Promise<AsofLedger>
  readonly close: () => Promise<void>
}

/** Opens the reader of a data folder; its thread starts with the first question. */
export function openEarlierLedgers(dataFolder: string, desk: Desk): EarlierLedgers {
  const cache = openCache<AsofLedger>(CACHE_MAX_BYTES)
  const thread = openThread(dataFolder)
  const lane = desk.lane<Wanted, AsofLedger>({
    budget: 1,
    serve: async ([wanted]) => {
      const ledger = await thread.ask(wanted!)
      cache.put(keyOf(wanted!), ledger, ledger.data.byteLength)
      return [ledger]
    },
  })
  return {
    read: async (wanted, asker) => {
      const key = keyOf(wanted)
      return cache.get(key) ?? lane.ask({ key, cost: 1, input: wanted }, asker)
    },
    close: async () => {
      await lane.close()
      await thread.close()
    },
  }
}

const keyOf = ({ manifest, knownBeforeMs, form }: Wanted): string =>
  [manifest.session_date, manifest.revision, knownBeforeMs, form].join(' ')

/** The thread, which answers one question at a time; one that ended by itself is started again. */
function openThread(dataFolder: string) {
  let worker: Worker | null = null
  let asked: PromiseWithResolvers<AsofReply> | null = null

  const start = (): Worker => {
    const started = new Worker(THREAD, { workerData: dataFolder, name: 'earlier ledgers' })
    started.on('message', (reply: AsofReply) => asked?.resolve(reply))
    started.on('messageerror', error => asked?.reject(error))
    started.on('error', error => asked?.reject(error))
    started.on('exit', code => {
      if (worker === started) worker = null
      asked?.reject(new Error(`the thread of earlier ledgers ended with ${code}`))
    })
    return started
  }
  return {
    ask: async (wanted: Wanted): Promise<AsofLedger> => {
      worker ??= start()
      asked = Promise.withResolvers()
      worker.postMessage(wanted satisfies AsofQuestion)
      const reply = await asked.promise
      if ('ledger' in reply) return reply.ledger
      if ('error' in reply) throw reply.error
      throw new DamagedFile(reply.damage.date, reply.damage)
    },
    close: async () => {
      const open = worker
      if (open === null) return
      const ended = new Promise(end => open.once('exit', end))
      open.postMessage(null satisfies AsofQuestion)
      await ended
    },
  }
}
