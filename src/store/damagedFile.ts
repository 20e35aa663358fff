import { type BigIntStats, statSync } from 'node:fs'
import type { SessionDate } from '../market/calendar.ts'
import type { PublishedManifest } from './manifest.ts'

type Fault = {
  readonly path: string
  /** `stampOf` the path before the file was read. */
  readonly stamp: string
  /** What is wrong, naming the file as its manifest does. */
  readonly message: string
}

/** A file of a session that is not what its manifest says. */
export class DamagedFile extends Error {
  override name = 'DamagedFile'
  readonly date: SessionDate
  readonly revision: string
  readonly path: string
  readonly stamp: string

  constructor(
    { session_date: date, revision }: Pick<PublishedManifest, 'session_date' | 'revision'>,
    { path, stamp, message }: Fault,
  ) {
    super(message)
    this.date = date
    this.revision = revision
    this.path = path
    this.stamp = stamp
  }
}

/** Changes whenever a file is replaced; '' when there is none. */
export function stampOf(path: string): string {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.mtimeNs} ${stats.ino} ${stats.size}` : ''
}
