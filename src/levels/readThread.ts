/** Thread that reads files of levels: the engine would block every other call. */

import { type Database, openDatabase } from '../core/engine/database.ts'
import { serveThread } from '../platform/pool/thread.ts'
import { type FilesWanted, type ReadColumns, readDataset } from './readDataset.ts'

export default serveThread<FilesWanted, ReadColumns>(() => {
  let db: Database | null = null
  return {
    respond: async wanted => {
      db ??= await openDatabase({ threads: 1, memoryLimit: '1GB' })
      return readDataset(db, wanted)
    },
    close: async () => db?.close(),
  }
})
