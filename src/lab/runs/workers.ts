import { randomBase62 } from '../../accounts/apiKey.ts'
import { isRunning, machineTag, ownProcess } from '../../core/disk/process.ts'

/** Worker names, by which runs identify who computes them: a process and one of its servers. */

const alive = new Set<string>()

/** Registers a server of this process under a new name, until it stops. */
export function newWorker(): string {
  const worker = `${ownProcess()}-${randomBase62(6)}`
  alive.add(worker)
  return worker
}

export const endWorker = (worker: string): void => {
  alive.delete(worker)
}

/** True when a worker is known to have ended; on other machines only leases show that. */
export function isDead(worker: string): boolean {
  const [machine, pid] = worker.split('-')
  if (machine !== machineTag()) return false
  return Number(pid) === process.pid ? !alive.has(worker) : !isRunning(Number(pid))
}
