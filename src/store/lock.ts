import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '../market/refusal.ts'

/**
 * Runs an action while holding a lock file that names this process. A lock left by a process that
 * is gone is taken over; one held by a living process is refused with what it protects.
 */
export async function withLock<T>(path: string, what: string, action: () => Promise<T>) {
  mkdirSync(dirname(path), { recursive: true })
  if (existsSync(path) && !isAlive(Number(readFileSync(path, 'utf8'))))
    rmSync(path, { force: true })
  let handle: number
  try {
    handle = openSync(path, 'wx')
  } catch {
    throw new Refusal(
      `${what} is under way in another process: wait for it to end, then try again.`,
    )
  }
  writeSync(handle, String(process.pid))
  closeSync(handle)
  try {
    return (await action()) as T
  } finally {
    rmSync(path, { force: true })
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
