// Starts test/support/serveFaulty.ts and sends it commands.

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Order, Reported } from './serveFaulty.ts'

const SCRIPT = join(import.meta.dirname, 'serveFaulty.ts')

export type FaultyServer = {
  readonly url: string
  /** Settles when it is done. */
  readonly order: (order: Order) => Promise<void>
  /** Errors that it logged so far. */
  readonly errors: readonly string[]
  readonly isAlive: () => boolean
  readonly stop: () => Promise<void>
}

export type FaultyOptions = {
  readonly dataFolder: string
  readonly startMs: number
  /** With which its reads fail from the start. */
  readonly code?: string
  /** How many files it may have open. */
  readonly descriptors?: number
}

/** A server that serves by now. */
export async function startFaultyServer(options: FaultyOptions): Promise<FaultyServer> {
  const { dataFolder, startMs, code = '', descriptors } = options
  const args = [SCRIPT, dataFolder, String(startMs), code]
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors}; `
  const child: ChildProcess = spawn(
    'sh',
    ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...args],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const errors: string[] = []
  const waiting: (() => void)[] = []
  let isAlive = true
  const ended = new Promise<void>(resolve => {
    child.on('exit', () => {
      isAlive = false
      resolve()
    })
  })
  const url = await new Promise<string>((resolve, reject) => {
    ended.then(() => reject(new Error('the server ended')))
    child.on('message', (reported: Reported) => {
      if (reported === 'done') waiting.shift()!()
      else if ('line' in reported) errors.push(reported.line)
      else resolve(reported.url)
    })
  })
  return {
    url,
    errors,
    isAlive: () => isAlive,
    order: order =>
      new Promise(done => {
        waiting.push(done)
        child.send(order)
      }),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
