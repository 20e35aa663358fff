import { type DestinationStream, pino } from 'pino'
import type { Log } from '../platform/http/request.ts'
import type { Background } from './background.ts'

/** Limit of lines buffered while the disk does not accept them; later ones are dropped. */
const WAITING_MAX_BYTES = 1_048_576

export type OwnLog = {
  readonly log: Log
  /** Reports a log that cannot be written as a background fault. */
  readonly watchedBy: (background: Background) => void
}

/** Bytes that are written at once, and the longest time that a line waits for others. */
const BATCH_BYTES = 8_192
const BATCH_MS = 50

/**
 * Opens the log of a process on its standard output; the process survives write errors. Lines are
 * written in batches, because a write costs as much as a short call. A warning or an error is
 * written at once, with all lines before it.
 */
export function openLog(level: string): OwnLog {
  const stream = pino.destination({
    dest: 1,
    sync: true,
    maxLength: WAITING_MAX_BYTES,
    contentMode: 'buffer',
  })
  let background: Background | null = null
  const work = 'write its log'
  stream.on('error', error => background?.failed(work, error))
  stream.on('write', () => background?.succeeded(work))
  return {
    log: pino({ level }, batchLines(stream)),
    watchedBy: watching => {
      background = watching
    },
  }
}

type LineStream = ReturnType<typeof pino.destination>

/** Writes what waits after `BATCH_MS`, at a warning, and at the end of the process. */
function batchLines(stream: LineStream): DestinationStream {
  let timer: NodeJS.Timeout | null = null
  let waiting: string[] = []
  let size = 0
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    // the stream takes the buffers of its mode, which its type does not say
    if (size > 0) stream.write(Buffer.from(waiting.join('')) as unknown as string)
    waiting = []
    size = 0
  }
  process.on('exit', flush)
  const warning = pino.levels.values.warn!
  const lines = {
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write: (line: string) => {
      waiting.push(line)
      size += line.length
      if (lines.lastLevel >= warning || size >= BATCH_BYTES) flush()
      else timer ??= setTimeout(flush, BATCH_MS).unref()
    },
  }
  return lines
}
