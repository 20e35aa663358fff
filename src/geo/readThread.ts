/** Thread that reads and aggregates records: a busy week has a hundred thousand. */

import { join } from 'node:path'
import { damagedFiles } from '../core/disk/files.ts'
import { type Database, openDatabase } from '../core/engine/database.ts'
import { RECORD_COLUMNS } from '../data/geo/records.ts'
import { DamagedFile, readStamp } from '../data/published/damagedFile.ts'
import { loadFiles } from '../data/tape/tables.ts'
import { serveThread } from '../platform/pool/thread.ts'
import type { ItemRow } from './item.ts'
import type { WeekQuestion, WeekRows } from './weekItems.ts'

export default serveThread<WeekQuestion, WeekRows>(() => {
  let db: Database | null = null
  let loaded: string | null = null
  return {
    respond: async question => {
      db ??= await openRecords()
      if (loaded !== question.version) {
        loaded = null
        await load(db, question)
        loaded = question.version
      }
      const instants = await db.query('geo/instants')
      const rows = await db.query('geo/items', { at_ms: question.atMs })
      return {
        instants: instants.map(row => Number(row.at_ms)),
        rows: rows as unknown as readonly ItemRow[],
      }
    },
    close: async () => db?.close(),
  }
})

async function openRecords(): Promise<Database> {
  const db = await openDatabase({ threads: 1, memoryLimit: '1GB' })
  await db.run('create schema geo')
  return db
}

/** Loads the files of a week into `geo.records`, each verified against its manifest. */
async function load(db: Database, { monday, folder, files }: WeekQuestion): Promise<void> {
  for (const entry of files) {
    const path = join(folder, entry.file)
    const stamp = readStamp(path)
    const [message] = await damagedFiles(folder, [entry])
    if (message !== undefined) throw new DamagedFile(monday, { path, stamp, message })
  }
  const paths = files.map(({ file }) => join(folder, file))
  await loadFiles(db, 'geo.records', RECORD_COLUMNS, paths)
}
