/** Files that other processes read: written to a temporary file, flushed to disk, then renamed. */

import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ownProcess } from './process.ts'

/**
 * Writes a whole file or nothing: a reader sees the old bytes or the new ones, also after a power
 * cut. The temporary name ends in `.tmp`, so no `*.parquet` or `*.json` glob matches it.
 */
export function writeAtomically(path: string, bytes: Uint8Array | string): void {
  makeFolder(dirname(path))
  const temporary = temporaryPath(path)
  const file = openTemporary(temporary, path)
  try {
    try {
      const data = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
      for (let at = 0; at < data.length; ) at += writeSync(file, data, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw Object.assign(error as Error, { path })
  }
  fsyncFolder(dirname(path))
}

/**
 * Fails, as `writeAtomically` would, when a file cannot be written: a check before long work.
 * Creates the file's folder and changes nothing else.
 */
export function refuseUnwritable(path: string): void {
  makeFolder(dirname(path))
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw Object.assign(new Error(`${path} is a folder`), { code: 'EISDIR', path })
  }
  const temporary = temporaryPath(path)
  closeSync(openTemporary(temporary, path))
  rmSync(temporary)
}

const temporaryPath = (path: string): string => `${path}.${ownProcess()}.tmp`

/** Opens the temporary file; an error names the requested file. */
function openTemporary(temporary: string, path: string): number {
  try {
    return openSync(temporary, 'w')
  } catch (error) {
    throw Object.assign(error as Error, { path })
  }
}

/**
 * Moves a finished file to a name that does not exist yet, on the same disk. A Parquet path is
 * never written twice: DuckDB opens a path more than once in one query and would mix two versions.
 */
export function publishFile(from: string, to: string): void {
  if (existsSync(to)) throw new Error(`${to} exists: a published file is never replaced`)
  moveFlushed(from, to)
}

function moveFlushed(from: string, to: string): void {
  fsyncFile(from)
  makeFolder(dirname(to))
  renameSync(from, to)
  fsyncFolder(dirname(to))
}

/**
 * Moves a finished file into a folder, to a name that its content makes: `prefix`, 16 digits of
 * its hash and the extension. The same bytes may be there already; others of that name, which are
 * damaged, are left for `verify` to report. `placed` gets the path of a file that was not there.
 */
export async function storeByHash(
  from: string,
  {
    folder,
    prefix = '',
    extension,
    placed,
  }: { folder: string; prefix?: string; extension: string; placed?: string[] },
): Promise<{ readonly path: string; readonly bytes: number; readonly sha256: string }> {
  const hash = await sha256File(from)
  const bytes = statSync(from).size
  for (let copy = 1; ; copy++) {
    const suffix = copy === 1 ? '' : `-${copy}`
    const path = join(folder, `${prefix}${hash.slice(0, 16)}${suffix}.${extension}`)
    const found = await sha256File(path).catch(nullIfMissing)
    if (found !== null && found !== hash) continue
    if (found === null) {
      // before the move, which may fail with the file in its place
      placed?.push(path)
      // of two processes that move it at once, the later one replaces it by the same bytes
      moveFlushed(from, path)
    }
    return { path, bytes, sha256: hash }
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Flushes the bytes of a file, or the names of a folder, to disk: `COPY` and renames do not. */
export function fsyncFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Flushes the names of a folder to disk: a rename is only safe after this. */
const fsyncFolder = (path: string): void => fsyncFile(path)

/** Makes a folder and its parents, and flushes every new name to disk. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true })
  if (first === undefined) return
  for (let folder = path; folder !== dirname(first); folder = dirname(folder)) {
    fsyncFolder(dirname(folder))
  }
}

/** Bytes of a file that are read at a time. */
const READ_BYTES = 1 << 20

/**
 * SHA-256 of a file, as 64 hexadecimal digits. Read into one buffer: a stream's new one for each
 * part takes more time than the hash, as the heap is collected for them.
 */
export async function sha256File(path: string): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, size + 1))
    for (;;) {
      const { bytesRead } = await file.read(buffer)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}

type KnownFile = { readonly file: string; readonly sha256: string; readonly bytes?: number }

/** Lists the faults of files of a folder, a line each; empty when all match their hashes. */
export async function damagedFiles(folder: string, files: readonly KnownFile[]): Promise<string[]> {
  const findings: string[] = []
  for (const { file, sha256, bytes } of files) {
    const stats = statSync(join(folder, file), { throwIfNoEntry: false })
    if (!stats) findings.push(`${file} is missing`)
    else if (!stats.isFile()) findings.push(`${file} is not a file`)
    else if (bytes !== undefined && stats.size !== bytes) {
      findings.push(`${file} has ${stats.size} bytes, not ${bytes}`)
    } else if ((await sha256File(join(folder, file))) !== sha256) {
      findings.push(`${file} does not match its hash`)
    }
  }
  return findings
}

/** SHA-256 of bytes or text, as 64 hexadecimal digits. */
export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')

/** Writes the output of a command to a file, or to standard output where none is named. */
export function writeOutput(file: string | undefined, bytes: Uint8Array): void {
  if (file === undefined) process.stdout.write(bytes)
  else writeAtomically(file, bytes)
}
