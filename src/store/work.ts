import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning } from './lock.ts'

/** Folders in which a killed process may have left a file it was still writing. */
const WRITTEN_FOLDERS = [
  ...['work', 'published', 'published/manifests', 'tape/manifests', 'rejects', 'quarantine'],
] as const

/**
 * Runs `use` with a private folder under `work/` and removes the folder after it. What processes
 * left there that were killed is removed first.
 */
export async function withWorkFolder<T>(
  dataFolder: string,
  purpose: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  removeLeftovers(dataFolder)
  const folder = join(dataFolder, 'work', `${purpose}-${process.pid}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Removes what belongs to no living process; a name ends in the number of its process. */
function removeLeftovers(dataFolder: string): void {
  for (const place of WRITTEN_FOLDERS) {
    const folder = join(dataFolder, place)
    for (const name of namesIn(folder)) {
      const pid = ownerOf(name, place)
      if (pid !== null && pid !== process.pid && !isRunning(pid)) {
        rmSync(join(folder, name), { recursive: true, force: true })
      }
    }
  }
}

/** The process in a name such as `import-71`, `simulated-71.partial-x7Q` or `views.sql.71.tmp`. */
function ownerOf(name: string, place: (typeof WRITTEN_FOLDERS)[number]): number | null {
  const aside = /\.(\d+)\.(?:tmp|new)$/.exec(name)?.[1]
  if (aside !== undefined) return Number(aside)
  if (place !== 'work') return null
  const folder = /^[a-z]+(?:-\d{4}-\d{2}-\d{2})?-(\d+)(?:\.partial-\w+)?$/.exec(name)?.[1]
  return folder === undefined ? null : Number(folder)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
