import { existsSync, globSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../pipelines/import/import.ts'
import { sha256 } from '../../src/core/disk/files.ts'
import type { Row } from '../../src/core/engine/database.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import type { TapeManifest } from '../../src/data/tape/manifest.ts'
import { loadTape } from '../../src/data/tape/tables.ts'

/** A folder that is new for one test. */
export const newFolder = () => mkdtempSync(join(tmpdir(), 'tapefold-import-'))

export type Outcome = { readonly code: number; readonly out: string; readonly error: string }

/** Runs the command `tapefold import` in this process. */
export async function importFiles(data: string, ...args: string[]): Promise<Outcome> {
  const out: string[] = []
  const error: string[] = []
  const code = await run(
    ['--data', data, ...args],
    text => out.push(text),
    text => error.push(text),
  )
  return { code, out: out.join('\n'), error: error.join('\n') }
}

/** Writes a file into a new folder and returns its path. */
export function newFile(name: string, content: string | Uint8Array): string {
  const path = join(newFolder(), name)
  writeFileSync(path, content)
  return path
}

/**
 * Every file below a folder with the hash of its bytes; null when the folder is absent. Locks, which
 * are empty and stay, are left out: reading one would release it.
 */
export function findTree(folder: string): Record<string, string> | null {
  if (!existsSync(folder)) return null
  const files = globSync('**/*', { cwd: folder }).filter(
    file => !file.startsWith('work/locks/') && statSync(join(folder, file)).isFile(),
  )
  return Object.fromEntries(
    files.sort().map(file => [file, sha256(readFileSync(join(folder, file)))]),
  )
}

/** Rows of a query on the tape of one session. */
export async function tapeRows(data: string, sessionDate: string, sql: string): Promise<Row[]> {
  const db = await openDatabase({ threads: 2 })
  try {
    await loadTape(db, data, sessionDate)
    return await db.rows(sql)
  } finally {
    db.close()
  }
}

/** The manifest of a session, as it stands on the disk. */
export const findManifest = (data: string, key: string): TapeManifest =>
  JSON.parse(readFileSync(join(data, 'tape/manifests', `${key}.json`), 'utf8'))
