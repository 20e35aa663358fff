import { statSync } from 'node:fs'
import type { SessionDate } from '../market/calendar.ts'

type Fault = {
  readonly path: string
  /** `stampOf` the path before it was read; null when it may be read well the next time. */
  readonly stamp: string | null
  /** What is wrong, naming the file as its manifest does. */
  readonly message: string
}

/** A file of a session that is not what its manifest says. */
export class DamagedFile extends Error {
  override name = 'DamagedFile'
  readonly date: SessionDate
  readonly path: string
  readonly stamp: string | null

  constructor(date: SessionDate, { path, stamp, message }: Fault) {
    super(message)
    this.date = date
    this.path = path
    this.stamp = stamp
  }
}

/** Changes whenever a file is replaced, and when what keeps the system from looking at it does. */
export function readStamp(path: string): string {
  try {
    const { mtimeNs, ino, size } = statSync(path, { bigint: true })
    return `${mtimeNs} ${ino} ${size}`
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}
