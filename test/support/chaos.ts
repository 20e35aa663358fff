// Shared parts of all tests of kills and faults: how many are attempted, what is left, what is
// counted.

import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
} from 'node:fs'
import { join } from 'node:path'
import { machineTag, ownProcess } from '../../src/core/disk/process.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
import { findTree, newFolder } from './import.ts'
import { randomNumbers } from './random.ts'

/** True when all kills and faults are attempted, not a sample of them (`npm run chaos`). */
export const isChaos = process.env.CHAOS === 'all'

/** Actions on a process; `npm run chaos` adds them up. */
export type Harm =
  | 'random kills'
  | 'kills at a call'
  | 'errors at a call'
  | 'stand-stills at a call'
  | 'full disks'
  | 'workers killed in a backfill'
  | 'workers killed in a queue'
  | 'tasks killed under Slurm'
  | 'crashes of the database'
  | 'reads beside a writer'

/** Counts attempts, or results equal to those without any fault. */
export function report(what: 'tried' | 'right', harm: Harm, count = 1): void {
  const file = process.env.CHAOS_TALLY
  if (file) appendFileSync(file, `${JSON.stringify({ what, harm, count })}\n`)
}

/** A harm whose outcome is judged: counted as right when `judge` does not throw. */
export async function counted<T>(harm: Harm, judge: () => Promise<T>): Promise<T> {
  report('tried', harm)
  const result = await judge()
  report('right', harm)
  return result
}

/** Calls to fail at: all of them, or the last and a seeded sample, half of it in the last third. */
export function findSample(callCount: number, seed: number, count: number): number[] {
  if (isChaos) return Array.from({ length: callCount }, (_, index) => index + 1)
  const random = randomNumbers(seed)
  const numbers = Array.from({ length: count }, (_, index) => {
    const from = index % 2 === 0 ? 0 : Math.floor((callCount * 2) / 3)
    return from + 1 + Math.floor(random() * (callCount - from))
  })
  return [...new Set([...numbers, callCount])].sort((a, b) => a - b)
}

/** A copy of a data folder. */
export function findCopy(template: string): string {
  const folder = newFolder()
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true }
  cpSync(template, folder, options)
  return folder
}

/**
 * Every file with its hash; the views without the folder they lie in, the manifests of sessions
 * without the instant of their publication.
 */
export function findState(folder: string): Record<string, string> {
  const state = findTree(folder) ?? {}
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  for (const file of Object.keys(state)) {
    if (file === 'published/views.sql') state[file] = read(file).replaceAll(folder, '')
    if (file.startsWith('published/manifests/')) {
      state[file] = read(file).replace(/"published_at": "[^"]*"/, '')
    }
  }
  return state
}

/**
 * The manifest of a session without the instants of its publications, which its restatements name
 * too; null without one.
 */
export function findContent(folder: string, date: string) {
  const manifest = readManifest(folder, date)
  if (!manifest) return null
  const { restatements, ...datasets } = manifest.datasets
  return { ...manifest, published_at: undefined, datasets, restatements: restatements?.rows }
}

/** Lists leftovers of commands in the work folder: all but its locks. */
export const listWork = (folder: string): string[] =>
  existsSync(join(folder, 'work'))
    ? readdirSync(join(folder, 'work')).filter(name => name !== 'locks')
    : []

/** Makes what this process left look like what a process left that has ended. */
export function bury(folder: string): void {
  const dead = spawnSync('true').pid
  const indexes = '{work,published,published/*,live/*,tape/*,rejects,quarantine}/*'
  for (const path of globSync(indexes, { cwd: folder })) {
    const renamed = path.replaceAll(ownProcess(), `${machineTag()}-${dead}`)
    if (renamed !== path) renameSync(join(folder, path), join(folder, renamed))
  }
}
