/** A file that a body of gigabytes is written to while its next bytes come. */

import { close, fdatasync, ftruncateSync, openSync, writev } from 'node:fs'
import { promisify } from 'node:util'

const writePieces = promisify(writev)
const flush = promisify(fdatasync)
const closeFile = promisify(close)

/** Bytes that wait in memory while those before them are written. */
const WAITING_BYTES_MAX = 2 ** 20
/** Bytes that are flushed to the disk while the next ones come: a large file then ends soon. */
const FLUSH_BYTES = 64 * 2 ** 20

export type BodyFile = {
  /** Takes the next bytes, which must not change later. Fails where those before cannot be written. */
  readonly add: (chunk: Uint8Array) => Promise<void> | undefined
  /** Writes what was added, and closes the file; it is not flushed whole. Fails as `add` does. */
  readonly close: () => Promise<void>
}

/** Opens a file to be written from an offset in bytes; what lies behind it is removed. */
export function openBodyFile(path: string, offset: number): BodyFile {
  const file = openSync(path, offset > 0 ? 'r+' : 'w')
  ftruncateSync(file, offset)
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let at = offset
  let flushedAt = offset
  let writing: Promise<void> | null = null
  let flushing: Promise<void> | null = null
  const writeWaiting = async () => {
    while (waiting.length > 0) {
      const [pieces, position] = [waiting, at - waitingBytes]
      waiting = []
      waitingBytes = 0
      await writeAll(file, pieces, position)
    }
    writing = null
  }
  const startFlush = () => {
    flushedAt = at
    // a failure shows when the whole file is flushed
    flushing = flush(file)
      .catch(() => {})
      .finally(() => {
        flushing = null
      })
  }
  return {
    add: chunk => {
      waiting.push(chunk)
      waitingBytes += chunk.length
      at += chunk.length
      if (flushing === null && at - flushedAt >= FLUSH_BYTES) startFlush()
      if (writing === null) {
        writing = writeWaiting()
        // it fails where it is awaited
        writing.catch(() => {})
      }
      return waitingBytes >= WAITING_BYTES_MAX ? writing : undefined
    },
    close: async () => {
      try {
        await writing
      } finally {
        await flushing
        await closeFile(file)
      }
    },
  }
}

/** Writes pieces in their order, from a position in bytes. */
async function writeAll(
  file: number,
  pieces: readonly Uint8Array[],
  position: number,
): Promise<void> {
  const { bytesWritten } = await writePieces(file, pieces, position)
  let end = 0
  for (const piece of pieces) {
    end += piece.length
    if (end <= bytesWritten) continue
    // a full disk takes a part, and refuses the rest
    const rest = piece.subarray(Math.max(0, piece.length - (end - bytesWritten)))
    await writeAll(file, [rest], position + end - rest.length)
  }
}
