// Servers as people and machines start them: a command line, and every process that it makes.

import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The entrance of the product. */
export const ENTRANCE = join(import.meta.dirname, '../../bin/tapefold')

/** Looks until something holds; a machine that is busy takes longer, and one that hangs fails. */
const LOOKS_MAX = 2_400
const LOOK_MS = 50

/** Resolves once something holds. Fails, with what was waited for, after so many looks. */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    if (await holds()) return
    await sleep(LOOK_MS)
  }
  throw new Error(`waited in vain: ${what}`)
}

export type Started = {
  readonly child: ChildProcess
  readonly pid: number
  /** Returns the output of it and its children so far, of both streams. */
  readonly text: () => string
  /** Returns the part of it on standard error. */
  readonly errorText: () => string
  /** Resolves with how it ended: its exit code, or the name of the signal. */
  readonly ended: Promise<number | string>
}

type StartOptions = {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly uid?: number | undefined
}

/** Starts a command in a process group of its own, as a terminal does. */
export function start(
  command: string,
  args: readonly string[],
  { cwd, env = process.env, uid }: StartOptions = {},
): Started {
  const user = uid === undefined ? {} : { uid, gid: uid }
  const child = spawn(command, args, {
    cwd,
    env: { ...env, TZ: 'UTC' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  let text = ''
  let errorText = ''
  child.stdout!.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  child.stderr!.setEncoding('utf8').on('data', chunk => {
    text += chunk
    errorText += chunk
  })
  const ended = new Promise<number | string>((resolve, reject) => {
    child.on('error', reject)
    // both outputs are closed: no process that was started has them any more
    child.on('close', (code, signal) => resolve(signal ?? code!))
  })
  return { child, pid: child.pid!, text: () => text, errorText: () => errorText, ended }
}

/** The processes whose command line has a text, such as the data folder of one test. */
export function processesWith(text: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter(pid => pid !== process.pid && findCommand(pid).includes(text))
}

/** The process that builds a session, by the name of its work folder; null while none does. */
export function findBuilder(dataFolder: string, date: string): number | null {
  const [folder] = globSync(`work/build-${date}-*`, { cwd: dataFolder })
  return folder === undefined ? null : Number(folder.split('-').at(-1))
}

/** The command line of a process; '' for one that has ended, also where nobody waited for it. */
function findCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** True when something takes connections at a port of this machine. */
export function isServed(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** The port of the server that printed its address. */
export const servedPort = (text: string): number =>
  Number(/serves http:\/\/[^:]+:(\d+)/.exec(text)?.[1])

/** Returns the log lines at error level, but those on the age of the data, and lines of a stack. */
export function errorLines(text: string): string[] {
  return text.split('\n').filter(line => {
    if (!line.startsWith('{')) return /^\s+at |Error/.test(line)
    const { level, msg } = JSON.parse(line)
    return level >= 50 && msg !== 'data alarm'
  })
}

/** Kills what a test started and left. */
export function killAll(text: string): void {
  for (const pid of processesWith(text)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has ended
    }
  }
}
