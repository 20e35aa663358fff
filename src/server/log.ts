import { pino } from 'pino'
import type { Log } from '../platform/http/request.ts'
import type { Background } from './background.ts'

/** Limit of lines buffered while the disk does not accept them; later ones are dropped. */
const WAITING_MAX_BYTES = 1_048_576

export type OwnLog = {
  readonly log: Log
  /** Reports a log that cannot be written as a background fault. */
  readonly watchedBy: (background: Background) => void
}

/** Opens the log of a process on its standard output; the process survives write errors. */
export function openLog(level: string): OwnLog {
  const stream = pino.destination({ dest: 1, sync: true, maxLength: WAITING_MAX_BYTES })
  let background: Background | null = null
  const work = 'write its log'
  stream.on('error', error => background?.failed(work, error))
  stream.on('write', () => background?.succeeded(work))
  return {
    log: pino({ level }, stream),
    watchedBy: watching => {
      background = watching
    },
  }
}
