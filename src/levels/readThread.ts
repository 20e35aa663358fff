/** Thread that reads files of levels: the engine would block every other call. */

import { parentPort } from 'node:worker_threads'
import { type Database, openDatabase } from '../core/engine/database.ts'
import { respondOn } from '../platform/pool/thread.ts'
import { type FilesWanted, type ReadColumns, readDataset } from './readDataset.ts'

if (parentPort !== null) {
  let opened: Promise<Database> | null = null
  let last: Promise<unknown> = Promise.resolve()
  respondOn<FilesWanted, ReadColumns>(parentPort, {
    // sequential: they fill tables of one engine
    respond: wanted => {
      opened ??= openDatabase({ threads: 1, memoryLimit: '1GB' })
      const db = opened
      const done = last.then(async () => readDataset(await db, wanted))
      last = done.catch(() => {})
      return done
    },
    close: async () => {
      await last
      ;(await opened)?.close()
    },
  })
}
