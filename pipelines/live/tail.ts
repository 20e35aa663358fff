/** Reads text files that are still being written: only their whole, new lines. */

import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Busy } from '../../src/core/disk/refusal.ts'

/** Part of a file that was read: up to the end of a line. */
export type Reached = {
  readonly bytes: number
  readonly lines: number
  /** Of all those bytes: it changes when the file is rewritten. */
  readonly sha256: string
  /** The first line with its end. */
  readonly header: Buffer
}

export type Copy = {
  /** End of the copy; null where the first line is too long for a header. */
  readonly reached: Reached | null
  /** True when it begins with the first line and goes on where the last one ended. */
  readonly isRest: boolean
  /** Lines of the file that are left out between the first line of the copy and its second. */
  readonly leftOut: number
  /** Lines it has of its own, the header of the rest apart. */
  readonly lines: number
  /** True when the file ends in a line that is not complete yet. */
  readonly hasOpenLine: boolean
}

const CHUNK_BYTES = 1 << 20
const LF = 10

/**
 * Copies the whole lines of a file to `target`: after its first line those that are new since
 * `before`, or all of them where the part read before has changed. A line that has no
 * end may be half of one: a price of 12.5 that will be 12.55. Fails with Busy where the file
 * becomes shorter meanwhile.
 */
export async function copyLines(
  path: string,
  target: string,
  before: Reached | null,
): Promise<Copy> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const end = await endOfLines(file, size)
    const read = before && before.bytes <= end ? await hashBytes(file, before.bytes) : null
    const old = before && read?.copy().digest('hex') === before.sha256 ? before : null
    const hash = old ? read! : createHash('sha256')
    let [bytes, lines] = [old?.bytes ?? 0, 0]
    await pipeline(async function* () {
      if (old) yield old.header
      for await (const chunk of readBytes(file, old?.bytes ?? 0, end)) {
        hash.update(chunk)
        bytes += chunk.length
        for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) lines += 1
        yield chunk
      }
    }, createWriteStream(target))
    if (bytes < end) throw new Busy(`${path} is being rewritten.`)
    const header = old?.header ?? (await firstLine(file, bytes))
    const reached = { bytes, lines: (old?.lines ?? 0) + lines, sha256: hash.digest('hex') }
    return {
      reached: header && { ...reached, header },
      isRest: old !== null,
      leftOut: old ? old.lines - 1 : 0,
      lines,
      hasOpenLine: end < size,
    }
  } finally {
    await file.close()
  }
}

/** Finds the end of the last whole line in the first `size` bytes; 0 where there is none. */
async function endOfLines(file: FileHandle, size: number): Promise<number> {
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - CHUNK_BYTES)
    let [at, found] = [from, 0]
    for await (const chunk of readBytes(file, from, end)) {
      const last = chunk.lastIndexOf(LF)
      if (last >= 0) found = at + last + 1
      at += chunk.length
    }
    if (found > 0) return found
    end = from
  }
  return 0
}

async function firstLine(file: FileHandle, size: number): Promise<Buffer | null> {
  for await (const chunk of readBytes(file, 0, Math.min(size, CHUNK_BYTES))) {
    const at = chunk.indexOf(LF)
    return at < 0 ? null : Buffer.from(chunk.subarray(0, at + 1))
  }
  return null
}

async function hashBytes(file: FileHandle, size: number): Promise<Hash> {
  const hash = createHash('sha256')
  for await (const chunk of readBytes(file, 0, size)) hash.update(chunk)
  return hash
}

/** Bytes in pieces; fewer where the file has become shorter meanwhile. */
async function* readBytes(file: FileHandle, from: number, end: number) {
  for (let at = from; at < end; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
