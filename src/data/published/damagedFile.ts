import { statSync } from 'node:fs'
import type { SessionDate } from '../../core/market/calendar.ts'

type Fault = {
  readonly path: string
  /** `readStamp` of the path before it was read; null when the next read may succeed. */
  readonly stamp: string | null
  /** Description of the fault, naming the file as its manifest does. */
  readonly message: string
}

/** Error for a file of a session that differs from its manifest. */
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

/** Returns a stamp that changes when the file is replaced, or when the error of reading it does. */
export function readStamp(path: string): string {
  try {
    const { mtimeNs, ino, size } = statSync(path, { bigint: true })
    return `${mtimeNs} ${ino} ${size}`
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}
