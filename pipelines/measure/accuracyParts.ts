import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { loadParquet } from '../../src/data/tape/tables.ts'

/** Does some work in a new folder, which is removed after it. */
export async function withNewFolder<T>(
  name: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), `tapefold-${name}-`))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Tables that each session leaves in a folder, as files TABLE.GROUP.SESSION.parquet. */
type Parts = {
  readonly tables: readonly string[]
  /** The sessions of one group; `*` of all. */
  readonly group: string
}

/** Path of the file that a session leaves of a table. */
export const partFile = (
  folder: string,
  part: { readonly table: string; readonly group: string; readonly session: number | string },
): string => join(folder, `${part.table}.${part.group}.${part.session}.parquet`)

/** Measures sessions together by what each left: one percentile of all of them, not a mean of theirs. */
export async function withParts<T>(
  folder: string,
  { tables, group }: Parts,
  measure: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await openDatabase({ threads: 2, temporaryFolder: join(folder, 'spill') })
  try {
    await db.run('create schema measure')
    for (const table of tables) {
      const files = globSync(partFile(folder, { table, group, session: '*' })).sort()
      await loadParquet(db, `measure.${table}`, ...files)
    }
    return await measure(db)
  } finally {
    db.close()
  }
}
