import {
  closeSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, machineTag, ownProcess, readStartTime } from './process.ts'
import { Busy, Refusal } from './refusal.ts'

/** Interval at which a holder rewrites its lock. */
const HEARTBEAT_MS = 5_000
/** Age of a lock at which its holder counts as ended, if its process cannot be inspected. */
const LEASE_MS = 45_000
const POLL_MS = 50

export type Lock = {
  /** Fails when another process took the lock over, which ends the right to change anything. */
  readonly assertHeld: () => void
}

/**
 * Runs `work` while this process alone holds the lock file, and removes the file after it. The
 * lock of a process that has ended is taken over: at once when it ran on this machine, and 45
 * seconds after its last sign of life when it ran elsewhere. A living one is waited for, and then
 * refused with `busy`.
 */
export async function withLock<T>(
  path: string,
  busy: string,
  work: (lock: Lock) => Promise<T>,
  waitMs = 0,
): Promise<T> {
  mkdirSync(dirname(path), { recursive: true })
  const file = await takeLock(path, busy, waitMs)
  const isHeld = () => readInode(path) === fstatSync(file, { bigint: true }).ino
  const heartbeat = setInterval(() => showLife(file), HEARTBEAT_MS)
  heartbeat.unref()
  try {
    return await work({
      assertHeld: () => {
        if (!isHeld()) throw new Refusal(`${path} was taken over by another process; run it again.`)
      },
    })
  } finally {
    clearInterval(heartbeat)
    if (isHeld()) rmSync(path, { force: true })
    closeSync(file)
  }
}

/** Writes, not touches: the time is then that of the disk, whatever this machine's clock says. */
function showLife(file: number): void {
  try {
    writeSync(file, ownName(), 0)
  } catch {
    // missed, on a full disk: if another process takes the lock over, assertHeld detects it
  }
}

/** True when a living process holds the lock file. */
export function isLocked(path: string): boolean {
  const holder = readLock(path)
  return holder !== null && isAlive(holder, path)
}

/** Removes a lock file whose process has ended; returns true when it did. */
export function removeDeadLock(path: string): boolean {
  const temporary = `${path}.${ownProcess()}.tmp`
  const holder = readLock(path)
  if (holder === null || isAlive(holder, path)) return false
  try {
    renameSync(path, temporary) // before it is removed: of two processes that find it, one gets it
  } catch {
    return false
  }
  const moved = readLock(temporary)
  const isSame = moved?.inode === holder.inode && moved.writtenAtMs === holder.writtenAtMs
  if (!isSame) linkBack(temporary, path) // somebody else had taken it over in between
  rmSync(temporary, { force: true })
  return isSame
}

async function takeLock(path: string, busy: string, waitMs: number): Promise<number> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const file = attemptLock(path) ?? (removeDeadLock(path) ? attemptLock(path) : null)
    if (file !== null) return file
    if (waitedMs >= waitMs) throw new Busy(busy)
    await sleep(POLL_MS)
  }
}

/** Returns the open lock file, or null when another process holds it. */
function attemptLock(path: string): number | null {
  const temporary = `${path}.${ownProcess()}.new`
  const file = openSync(temporary, 'w')
  let isTaken = false
  try {
    writeSync(file, ownName())
    linkSync(temporary, path) // a link appears with its content, a created file appears empty
    isTaken = true
    return file
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null
    throw error
  } finally {
    if (!isTaken) closeSync(file)
    rmSync(temporary, { force: true })
  }
}

function linkBack(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
  } catch {
    // a third process has it; the holder of this one finds out before it changes anything
  }
}

type Holder = { readonly text: string; readonly inode: bigint; readonly writtenAtMs: number }

function readLock(path: string): Holder | null {
  try {
    const { ino, mtimeMs } = statSync(path, { bigint: true })
    return { text: readFileSync(path, 'utf8'), inode: ino, writtenAtMs: Number(mtimeMs) }
  } catch {
    return null
  }
}

const readInode = (path: string) => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

/** Number, start and machine of this process. */
const ownName = () => `${process.pid} ${readStartTime(process.pid)} ${machineTag()}`

function isAlive({ text, writtenAtMs }: Holder, path: string): boolean {
  const [pid, startedAt, machine = machineTag()] = text.split(' ')
  if (machine === machineTag()) {
    if (!isRunning(Number(pid))) return false
    const start = readStartTime(Number(pid))
    if (start !== '') return start === startedAt
  }
  return diskTimeMs(path) - writtenAtMs < LEASE_MS
}

/** Now by the clock of the disk, which machines that share it have in common. */
function diskTimeMs(path: string): number {
  const temporary = `${path}.${ownProcess()}.tmp`
  const file = openSync(temporary, 'w')
  try {
    writeSync(file, '.')
    return fstatSync(file).mtimeMs
  } finally {
    closeSync(file)
    rmSync(temporary, { force: true })
  }
}
