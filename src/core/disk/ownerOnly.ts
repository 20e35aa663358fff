import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

/** Permissions of a private file: only its owner may read and write it. */
const OWNER_ONLY = 0o600
const OTHERS = 0o077

/** Makes an empty file that only its owner may read, or tightens the one that is there. */
export function makeOwnerOnly(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    tightenToOwner(path)
  }
}

/** Takes a file from all but its owner. One that is not there, or another's, is left as it is. */
export function tightenToOwner(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile() || (stats.mode & OTHERS) === 0) return
  try {
    chmodSync(path, OWNER_ONLY)
  } catch (error) {
    if (!['EPERM', 'EROFS', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw error
    }
  }
}
