import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Makes a file's content survive a power loss. */
export function fsyncFile(path: string): void {
  const handle = openSync(path, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Makes the names in a folder survive a power loss. */
export function fsyncFolder(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Writes a new file and waits until it is on the disk. */
export function writeFileDurably(path: string, content: string | Uint8Array): void {
  const handle = openSync(path, 'w')
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Replaces a small file in one step: readers see the old content or the new, never a mixture. */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`)
  try {
    writeFileDurably(aside, content)
    renameSync(aside, path)
  } catch (error) {
    rmSync(aside, { force: true })
    throw error
  }
  fsyncFolder(dirname(path))
}

/** SHA-256 of a file, in hexadecimal. */
export function sha256File(path: string): string {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(1 << 20)
  const handle = openSync(path, 'r')
  try {
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk)) {
      hash.update(chunk.subarray(0, read))
    }
  } finally {
    closeSync(handle)
  }
  return hash.digest('hex')
}

/** SHA-256 of a text, in hexadecimal. */
export const sha256Text = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Runs an action while holding a lock file that names this process. A lock left by a process that
 * is gone is taken over; one held by a living process is refused with what it protects.
 */
export async function withLock<T>(path: string, what: string, action: () => Promise<T>) {
  mkdirSync(dirname(path), { recursive: true })
  if (existsSync(path) && !isAlive(Number(readFileSync(path, 'utf8'))))
    rmSync(path, { force: true })
  let handle: number
  try {
    handle = openSync(path, 'wx')
  } catch {
    throw new Error(`${what} is under way in another process: wait for it to end, then try again.`)
  }
  writeSync(handle, String(process.pid))
  closeSync(handle)
  try {
    return (await action()) as T
  } finally {
    rmSync(path, { force: true })
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
