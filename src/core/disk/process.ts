/** Owning process of a work folder or a temporary file, and whether it still runs. */

import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** This process as a part of file names: its machine and its number there. */
export const ownProcess = (): string => `${machineTag()}-${process.pid}`

let ownTag: string | undefined

/**
 * Eight digits for the namespace of process numbers: the host, since its last start, and on it the
 * container. Two machines that share a data folder have different ones.
 */
export function machineTag(): string {
  const machine = [hostname(), bootId(), processSpace()].join('\n')
  ownTag ??= createHash('sha256').update(machine).digest('hex').slice(0, 8)
  return ownTag
}

/** True when a process of this machine has this number and has not ended. */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  // a killed process remains a zombie until its parent reads its exit status
  return !/\) Z[^)]*$/.test(readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8')))
}

const bootId = () => readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))
const processSpace = () => readOrEmpty(() => readlinkSync('/proc/self/ns/pid'))

function readOrEmpty(read: () => string): string {
  try {
    return read()
  } catch {
    return '' // not Linux
  }
}
