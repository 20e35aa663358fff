/** Size and age of the inbox: the files that were fetched, and those that were refused. */

import { globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lockPath, withLock } from '../../core/disk/lock.ts'
import { readResponse, writeResponse } from './responses.ts'

/** Age from which imported and refused files are removed: 30 days. */
export const INBOX_AGE_MS = 30 * 24 * 3_600_000

export type InboxFile = {
  /** Relative to the data folder. */
  readonly file: string
  readonly bytes: number
  /** UTC milliseconds. */
  readonly writtenAtMs: number
}

/** Lists the files of a source, or those that were `refused` with their reasons, oldest first. */
export function listInbox(dataFolder: string, source: string): InboxFile[] {
  const pattern = `inbox/${source}/${source === 'refused' ? '*' : '*/*'}`
  return globSync(pattern, { cwd: dataFolder })
    .map(file => ({ file, stats: statSync(join(dataFolder, file)) }))
    .filter(({ stats }) => stats.isFile())
    .map(({ file, stats }) => ({ file, bytes: stats.size, writtenAtMs: stats.mtimeMs }))
    .sort((one, other) => one.writtenAtMs - other.writtenAtMs)
}

/** Names of the folders of an inbox: the sources that were fetched, and `refused`. */
export const inboxFolders = (dataFolder: string): string[] =>
  globSync('*/', { cwd: join(dataFolder, 'inbox') })
    .map(name => name.replace('/', ''))
    .sort()

type Aged = {
  readonly dataFolder: string
  readonly nowMs: number
  readonly ageMs: number
  /** Removes nothing, only returns what it would remove. */
  readonly isDryRun: boolean
  /** True when the tape of a day has rows of the file with this hash. */
  readonly isOnTape: (day: string, hash: string) => boolean
}

/**
 * Removes the old files of a folder of the inbox, of a source only those that were imported: their
 * records stay, so that none is fetched again. Fails with a Busy while the source is being fetched.
 */
export async function collectInbox(folder: string, aged: Aged): Promise<InboxFile[]> {
  const { dataFolder, nowMs, ageMs, isDryRun, isOnTape } = aged
  const busy = `a fetch of ${folder} is running, so its inbox is left alone`
  const old = listInbox(dataFolder, folder).filter(each => nowMs - each.writtenAtMs >= ageMs)
  const collect = async () =>
    old.filter(({ file }) => {
      const [, source = '', day = '', name] = file.split('/')
      if (name !== undefined) {
        const record = readResponse(dataFolder, { source, day, file: name })
        // the feed of a running session imports without a word in the record
        if (record === null) return false
        if (record.imported_at === null && !isOnTape(day, record.sha256)) return false
        if (!isDryRun)
          writeResponse(dataFolder, { ...record, collected_at: new Date(nowMs).toISOString() })
      }
      if (!isDryRun) rmSync(join(dataFolder, file), { force: true })
      return true
    })
  if (old.length === 0 || isDryRun) return collect()
  return withLock(lockPath(dataFolder, `fetch-${folder}`), busy, collect)
}
