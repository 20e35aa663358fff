import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from './refusal.ts'

/**
 * Runs `work` while this process alone holds the lock file, and removes the file after it. The
 * lock of a process that no longer runs is taken over; a living one is refused with `busy`.
 */
export async function withLock<T>(path: string, busy: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true })
  if (!takeLock(path)) {
    removeDeadLock(path)
    if (!takeLock(path)) throw new Refusal(busy)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

/** Whether a living process of this machine holds the lock file. */
export function isLocked(path: string): boolean {
  const holder = readLock(path)
  return holder !== null && isAlive(holder)
}

function takeLock(path: string): boolean {
  const aside = `${path}.${process.pid}.new`
  writeFileSync(aside, ownName(process.pid))
  try {
    linkSync(aside, path) // a link appears with its content, a created file appears empty
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Renamed before it is removed: of two processes that find it, one gets it. */
function removeDeadLock(path: string): void {
  const aside = `${path}.${process.pid}.tmp`
  const holder = readLock(path)
  if (holder === null || isAlive(holder)) return
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  const renamed = readLock(aside)
  if (renamed === holder) rmSync(aside, { force: true })
  else renameSync(aside, path) // somebody else had taken it over in between
}

function readLock(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** A process number and, where the system tells it, when that process started: numbers recur. */
const ownName = (pid: number) => `${pid} ${statOf(pid)?.startedAt ?? ''}`

function isAlive(holder: string): boolean {
  const pid = Number(holder.split(' ')[0])
  return isRunning(pid) && ownName(pid) === holder
}

/** Whether a process of this machine has this number and has not ended. */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  // a killed process keeps its number until somebody asks how it ended
  return statOf(pid)?.state !== 'Z'
}

/** State and start of a process as Linux tells them; null on other systems. */
function statOf(pid: number): { state: string; startedAt: string } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return { state: fields[0]!, startedAt: fields[19]! }
  } catch {
    return null
  }
}
