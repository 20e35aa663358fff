// Commands as processes of their own that are killed, or meet a fault, and are started again.

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { readCpuSeconds } from '../../pipelines/measure/bench/meter.ts'
import { COMMAND_PROCESS } from '../../src/core/pipeline.ts'
import type { Fault } from './faultyDisk.ts'

const PRELOAD = join(import.meta.dirname, 'faultyProcess.ts')
const LOOK_MS = 3

export type Ended = {
  readonly code: number | null
  readonly signal: string | null
  readonly out: string
  readonly error: string
  /** Of the whole process; as far as it was seen. */
  readonly cpuSeconds: number
  /** Calls to the disk, where they were counted and the process could tell. */
  readonly calls: number
}

export type Trouble = {
  /**
   * Kills the process once it has used this much CPU: a busy machine reaches the same step
   * later.
   */
  readonly killAtCpuSeconds?: number
  /** A fault at a call to the data folder; null counts the calls. */
  readonly fault?: Fault | null
  /** Variables besides those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** Called with the process once it is started. */
  readonly onStart?: (child: ChildProcess) => void
}

/** Runs a command in its own process until it ends. */
export function runScript(
  command: string,
  args: readonly string[],
  dataFolder: string,
  { killAtCpuSeconds = Number.POSITIVE_INFINITY, fault, env, onStart }: Trouble = {},
): Promise<Ended> {
  const preload = fault === undefined ? [] : ['--import', PRELOAD]
  const reported = fault ? `${fault.kind}|${fault.at}` : '|0'
  const child = spawn(
    process.execPath,
    [...preload, COMMAND_PROCESS, command, '--data', dataFolder, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env, TZ: 'UTC', FAULT: `${dataFolder}|${reported}` },
    },
  )
  onStart?.(child)
  const texts = ['', '', '']
  const streams = [child.stdout, child.stderr, child.stdio[3] as NodeJS.ReadableStream]
  for (const [index, stream] of streams.entries()) {
    stream!.setEncoding('utf8').on('data', chunk => {
      texts[index] += chunk
    })
  }
  let cpuSeconds = 0
  const watch = setInterval(() => {
    try {
      cpuSeconds = readCpuSeconds(child.pid!)
    } catch {
      return // it has ended
    }
    if (cpuSeconds >= killAtCpuSeconds) child.kill('SIGKILL')
  }, LOOK_MS)
  return new Promise(resolve =>
    child.on('close', (code, signal) => {
      clearInterval(watch)
      const [out, error, calls] = texts as [string, string, string]
      resolve({ code, signal, out, error, cpuSeconds, calls: Number(calls) })
    }),
  )
}
