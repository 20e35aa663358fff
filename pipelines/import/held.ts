/** Shared parts of imports: one lock, a work folder, and the files of excluded rows. */

import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../src/core/disk/files.ts'
import { lockPath, withLock } from '../../src/core/disk/lock.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { counted } from '../../src/core/text/counts.ts'
import { type FileLines, toFileLines } from './source.ts'

/**
 * Runs `work` with a work folder, while no other import into the data folder runs. Waits for one that
 * does for `waitMs`, and then fails with Busy.
 */
export async function withImportLock<T>(
  dataFolder: string,
  work: (workFolder: string) => Promise<T>,
  waitMs = 0,
): Promise<T> {
  const isNew = !existsSync(dataFolder)
  const busy = `Another import into ${dataFolder} is running; wait until it has ended.`
  const locked = async () => {
    // under the lock, every such folder is one that a crash left
    for (const left of globSync('import-*/', { cwd: join(dataFolder, 'work') })) {
      rmSync(join(dataFolder, 'work', left), { recursive: true, force: true })
    }
    try {
      return await withWorkFolder(dataFolder, 'import', work)
    } catch (error) {
      if (isNew) removeUnused(dataFolder)
      throw error
    }
  }
  return withLock(lockPath(dataFolder, 'import'), busy, locked, waitMs)
}

/** Files that an import refuses for what is in them. */
export class RefusedFiles extends Refusal {
  /** A sentence by the path of each. */
  readonly reasons: ReadonlyMap<string, string>

  constructor(reasons: ReadonlyMap<string, string>) {
    const [first] = reasons.values()
    const more = reasons.size > 1 ? ` ${counted(reasons.size - 1, 'more file')} refused, too.` : ''
    super(`${first}${more}`)
    this.reasons = reasons
  }
}

/** A valid file that does not fit what was imported before. */
export class Unfit extends Refusal {}

/**
 * Checks each of the files to the last one. Fails with RefusedFiles where the content of any is
 * refused, with other errors at once.
 */
export async function checkEach<File extends string | FileLines>(
  files: readonly File[],
  check: (file: File, index: number) => Promise<void>,
): Promise<void> {
  const reasons = new Map<string, string>()
  for (const [index, file] of files.entries()) {
    try {
      await check(file, index)
    } catch (error) {
      // its subclasses are no fault of the content
      if (!(error instanceof Refusal) || error.constructor !== Refusal) throw error
      reasons.set(toFileLines(file).path, error.message)
    }
  }
  if (reasons.size > 0) throw new RefusedFiles(reasons)
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

/** Removes the data folder of a refused import if nothing but its lock is in it. */
function removeUnused(dataFolder: string): void {
  const names = readdirSync(dataFolder, { recursive: true, encoding: 'utf8' })
  if (names.sort().join() === 'work,work/locks,work/locks/import')
    rmSync(dataFolder, { recursive: true })
}
