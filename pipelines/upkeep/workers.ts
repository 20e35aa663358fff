import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../../src/core/disk/refusal.ts'
import type { JobQueue } from '../../src/platform/jobs/queue.ts'

export type WorkersOptions = {
  readonly queue: JobQueue
  /** Name of the jobs in the queue. */
  readonly jobs: string
  readonly dataFolder: string
  /** Further flags of each worker. */
  readonly flags: readonly string[]
  readonly count: number
}

/** A slot is given up after this many killed workers: something kills them all. */
const MAX_KILLS = 20

/**
 * Runs worker processes until no job is open. A killed one is replaced, and its job is released at
 * once; one that ends with an error is reported, and the others go on.
 */
export async function startWorkers(options: WorkersOptions): Promise<void> {
  const faults: string[] = []
  const one = async () => {
    for (let kills = 0; kills < MAX_KILLS; kills++) {
      const fault = await runWorker(options)
      if (fault === null) return
      if (fault !== KILLED) return void faults.push(fault)
    }
    faults.push(`${MAX_KILLS} of them were killed, one after the other.`)
  }
  await Promise.all(Array.from({ length: options.count }, one))
  if (faults.length === options.count) throw new Refusal(`all workers ended: ${faults[0]}`)
}

const KILLED: unique symbol = Symbol('killed')

/** Returns null when no work was left, KILLED, or the worker's error. */
async function runWorker(options: WorkersOptions): Promise<string | null | typeof KILLED> {
  const { queue, jobs, dataFolder, flags } = options
  const name = `${hostname()} ${randomUUID()}`
  const script = join(import.meta.dirname, 'worker.ts')
  const args = [script, '--data', dataFolder, '--jobs', jobs, '--name', name, ...flags]
  // the channel ends the worker with this process
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let errorOutput = ''
  child.stderr!.setEncoding('utf8').on('data', text => {
    errorOutput += text
  })
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>(
    (resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => resolve({ code, signal }))
    },
  )
  if (code === 0) return null
  await queue.release(name)
  return signal ? KILLED : errorOutput.trim().replace(/^tapefold: /, '') || `it ended with ${code}.`
}
