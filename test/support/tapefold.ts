// The command `tapefold` as a person runs it: in a process, from another folder than the product's.

import { execFile, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './import.ts'

export const CLI = join(import.meta.dirname, '../../src/cli/cli.ts')
const LINES = join(import.meta.dirname, 'tapefoldLines.ts')

export type Ended = { readonly code: number; readonly out: string; readonly error: string }

type Env = Readonly<Record<string, string>>

const environment = (env: Env) => {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE, TZ: 'UTC', ...env }
}

/** Runs one command line. */
export function tapefold(args: readonly string[], env: Env = {}): Promise<Ended> {
  const cwd = newFolder()
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [CLI, ...args], { cwd, env: environment(env) }, (...ended) => {
      const [failure, out, error] = ended
      const left = leftIn(cwd)
      if (left.length > 0) reject(new Error(`${args.join(' ')} left ${left.join(', ')}`))
      else resolve({ code: failure ? Number(failure.code) : 0, out, error })
    })
  })
}

/**
 * Runs command lines one after another in one process, each in a folder of its own: what takes
 * longest of most is to load what they have in common.
 */
export async function tapefoldLines(
  lines: readonly (readonly string[])[],
  env: Env = {},
): Promise<Ended[]> {
  const folder = newFolder()
  const reported = lines.map(args => ({ args, cwd: newFolder() }))
  const file = join(folder, 'lines')
  writeFileSync(file, JSON.stringify(reported))
  const files = ['out', 'error'].map(name => join(folder, name))
  const [out, error] = files.map(name => openSync(name, 'a')) as [number, number]
  const child = spawn(process.execPath, [LINES, file], {
    stdio: ['ignore', out, error],
    env: environment(env),
  })
  const code = await new Promise(ended => child.on('close', ended))
  for (const written of [out, error]) closeSync(written)
  const texts = files.map(name => readFileSync(name))
  if (code !== 0) throw new Error(`the lines ended with ${code}: ${texts[1]}`)
  const left = reported.flatMap(({ args, cwd }) => leftIn(cwd).map(name => `${args}: ${name}`))
  if (left.length > 0) throw new Error(`left behind: ${left.join('; ')}`)
  const ends: { code: number; sizes: number[] }[] = JSON.parse(readFileSync(file, 'utf8'))
  return ends.map(({ code, sizes }, index) => {
    const before = ends[index - 1]?.sizes ?? [0, 0]
    const [out, error] = texts.map((text, at) => String(text.subarray(before[at], sizes[at])))
    return { code, out: out!, error: error! }
  })
}

/** Result of each line of a table; all are run in one process, when the first is needed. */
export function tapefoldOnce(
  table: readonly (readonly [args: readonly string[], ...unknown[]])[],
): (args: readonly string[]) => Promise<Ended> {
  const lines = table.map(([args]) => args)
  let ended: Promise<Ended[]> | undefined
  return async args => {
    ended ??= tapefoldLines(lines)
    return (await ended)[lines.indexOf(args)]!
  }
}

/** Files that a command left where it was run, next to the data folder. */
const leftIn = (cwd: string) => readdirSync(cwd).filter(name => name !== 'data')
