import { existsSync, globSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silent } from '../../pipelines/command/progress.ts'
import { IMPORT } from '../../pipelines/command/rows.ts'
import { importInput } from '../../pipelines/import/import.ts'
import { UsageError, userSentence } from '../../src/core/command.ts'
import { readInput } from '../../src/core/commandRow.ts'
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
  const say = (text: string) => void out.push(text)
  const end = { code: 0, error: '' }
  try {
    await importInput(readInput(IMPORT, ['--data', data, ...args]), { ...silent, say })
  } catch (thrown) {
    const { exitCode = thrown instanceof UsageError ? 2 : 1 } = thrown as { exitCode?: number }
    Object.assign(end, { code: exitCode, error: userSentence(thrown)! })
  }
  return { ...end, out: out.join('\n') }
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
