import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning, machineTag, ownProcess } from './process.ts'

/** Folders in which a killed process may have left a file it was still writing. */
const WRITTEN_FOLDERS = [
  'work',
  'published',
  'published/manifests',
  'published/superseded',
  'published/editions',
  'live/manifests',
  'tape/manifests',
  'store/published',
  'store/live',
  'store/tape',
  'geo/manifests',
  'rejects',
  'quarantine',
  'lab/runs',
] as const

/**
 * Age at which a file of another machine's process counts as a leftover: nothing runs for longer.
 */
const FOREIGN_MAX_AGE_MS = 24 * 3_600_000

/**
 * Runs `use` with a private folder under `work/` and removes the folder after it. Leftovers of
 * killed processes are removed first.
 */
export async function withWorkFolder<T>(
  dataFolder: string,
  purpose: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  removeLeftovers(dataFolder)
  const folder = join(dataFolder, 'work', `${purpose}-${ownProcess()}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs `use` with a folder in which work folders can be made: the data folder or, where this user
 * may only read it, a temporary folder of the system, which is removed after it.
 */
export async function withWritableFolder<T>(
  dataFolder: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const work = join(dataFolder, 'work')
  if (mayWrite(existsSync(work) ? work : dataFolder)) return use(dataFolder)
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-work-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

let spillCount = 0

/**
 * Returns a path in the system's temporary folder for the spill files of a database, which creates
 * and removes it: a different one for each database, since their files have the same names.
 */
export const spillFolder = (): string =>
  join(tmpdir(), `tapefold-spill-${ownProcess()}-${++spillCount}`)

/** Removes leftovers of processes that have ended; returns their names within the data folder. */
export function removeLeftovers(dataFolder: string): string[] {
  const removed: string[] = []
  for (const location of WRITTEN_FOLDERS) {
    const folder = join(dataFolder, location)
    for (const name of namesIn(folder)) {
      const path = join(folder, name)
      const owner = findOwner(name, location)
      if (owner === null ? !isOldLock(name, location) : isInUse(owner, path)) continue
      rmSync(path, { recursive: true, force: true })
      removed.push(`${location}/${name}`)
    }
  }
  return removed
}

/** Locks of versions up to 0.3: a process of those publishes nothing more once its lock is gone. */
const isOldLock = (name: string, location: string): boolean =>
  location === 'work' && name.endsWith('.lock')

type Owner = { readonly machine: string | undefined; readonly pid: number }

/** A process number is meaningful on its own machine alone. */
function isInUse({ machine = machineTag(), pid }: Owner, path: string): boolean {
  if (machine === machineTag()) return pid === process.pid || isRunning(pid)
  const writtenAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return writtenAtMs === undefined || diskAgeMs(path, writtenAtMs) < FOREIGN_MAX_AGE_MS
}

/** Age of a file, by the clock of its disk. */
function diskAgeMs(path: string, writtenAtMs: number): number {
  const probe = `${path}.age-${ownProcess()}`
  mkdirSync(probe)
  try {
    return statSync(probe).mtimeMs - writtenAtMs
  } finally {
    rmSync(probe, { recursive: true, force: true })
  }
}

/**
 * The process in a name such as `import-0a1b2c3d-71`, `simulated-0a1b2c3d-71.partial-x7Q` or
 * `views.sql.0a1b2c3d-71.tmp`; earlier versions did not name its machine.
 */
function findOwner(name: string, location: (typeof WRITTEN_FOLDERS)[number]): Owner | null {
  const temporary = /\.(?:([0-9a-f]{8})-)?(\d+)\.tmp$/.exec(name)
  if (temporary) return { machine: temporary[1], pid: Number(temporary[2]) }
  if (location !== 'work') return null
  const folder = /^[a-z]+(?:-\d{4}-\d{2}-\d{2})?-(?:([0-9a-f]{8})-)?(\d+)(?:\.partial-\w+)?$/.exec(
    name,
  )
  return folder && { machine: folder[1], pid: Number(folder[2]) }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
