import { randomBase62 } from '../../accounts/apiKey.ts'
import { isRunning, machineTag, ownProcess } from '../../disk/process.ts'

/** Names by which runs know who computes them: a process, and which of its servers. */

const alive = new Set<string>()

/** A name for a server of this process, until it is ended. */
export function newWorker(): string {
  const worker = `${ownProcess()}-${randomBase62(6)}`
  alive.add(worker)
  return worker
}

export const endWorker = (worker: string): void => {
  alive.delete(worker)
}

/** Whether a worker is known to have ended; of other machines nothing is known but their leases. */
export function isDead(worker: string): boolean {
  const [machine, pid] = worker.split('-')
  if (machine !== machineTag()) return false
  return Number(pid) === process.pid ? !alive.has(worker) : !isRunning(Number(pid))
}
