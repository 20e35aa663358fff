import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fsyncFile } from './files.ts'
import { ownProcess } from './process.ts'

/**
 * Creates a file that only its owner may read, unless it exists: of two processes at once one
 * creates it, and both find the same bytes, also after a power cut. `content` is called only to
 * create it.
 */
export function createOnce(path: string, content: () => string): void {
  if (existsSync(path)) return
  // files that a killed process leaves in `work` are removed by the next one
  const work = join(dirname(path), 'work')
  mkdirSync(work, { recursive: true })
  const temporary = join(work, `${basename(path)}.${ownProcess()}.tmp`)
  rmSync(temporary, { force: true })
  const file = openSync(temporary, 'wx', 0o600)
  try {
    const bytes = Buffer.from(content())
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(temporary, path)
  } catch (error) {
    // another process was faster
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  fsyncFile(dirname(path))
}
