/** Shared parts of imports: one lock, a work folder, and the files of excluded rows. */

import { existsSync, globSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../src/core/disk/files.ts'
import { type Lock, withLock } from '../../src/core/disk/lock.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'

/** Lock and work folder of an import; only one import runs at a time. */
export type HeldImport = { readonly lock: Lock; readonly workFolder: string }

export async function withImportLock<T>(
  dataFolder: string,
  work: (held: HeldImport) => Promise<T>,
): Promise<T> {
  const made = [dataFolder, join(dataFolder, 'work')].filter(folder => !existsSync(folder))
  const path = join(dataFolder, 'work/import.lock')
  const busy = `Another import into ${dataFolder} is running; wait until it has ended.`
  try {
    return await withLock(path, busy, lock => {
      // under the lock, every such folder is one that a crash left
      for (const left of globSync('import-*/', { cwd: join(dataFolder, 'work') })) {
        rmSync(join(dataFolder, 'work', left), { recursive: true, force: true })
      }
      return withWorkFolder(dataFolder, 'import', workFolder => work({ lock, workFolder }))
    })
  } finally {
    for (const folder of made.reverse()) removeIfEmpty(folder)
  }
}

/** An equal file is not written again: a second import changes nothing. */
export function writeTexts(dataFolder: string, folder: string, texts: ReadonlyMap<string, string>) {
  return [...texts].map(([name, text]) => {
    const file = `${folder}/${name}.csv`
    const path = join(dataFolder, file)
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeAtomically(path, text)
    return file
  })
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // it holds something, or was never made
  }
}
