import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MADE_FOLDER } from './madeOnce.ts'

/** Where the system has files in memory: thousands of commits would wait for a disk others use. */
const MEMORY = '/dev/shm'

const PREFIX = 'tapefold-tests-'

/** Free space, and memory of the process with it, that a run of the deep tests may need, with as much again. */
const FREE_BYTES = 8e9

/** Gives a run of the tests one temporary folder, which is gone when they have ended. */
export default function setup(): () => void {
  const folder = makeFolder(MEMORY) ?? mkdtempSync(join(tmpdir(), PREFIX))
  chmodSync(folder, 0o755) // PostgreSQL does not run as root
  process.env.TMPDIR = folder
  process.env[MADE_FOLDER] = join(folder, 'made')
  return () => {
    // the servers that the workers shared
    for (const file of globSync(join(folder, 'tapefold-postgres-*/data/postmaster.pid'))) {
      stopProcess(Number(readFileSync(file, 'utf8').split('\n')[0]))
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A new folder in another one; null where that has no space, or programs may not run in it. */
function makeFolder(parent: string): string | null {
  try {
    const { bavail, bsize } = statfsSync(parent)
    if (bavail * bsize < FREE_BYTES || process.availableMemory() < 2 * FREE_BYTES) return null
    const folder = mkdtempSync(join(parent, PREFIX))
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    const { status } = spawnSync(program)
    rmSync(status === 0 ? program : folder, { recursive: true })
    return status === 0 ? folder : null
  } catch {
    return null
  }
}

/** Ends a server at once; it may have ended by itself. */
function stopProcess(id: number): void {
  try {
    process.kill(id, 'SIGQUIT')
  } catch {}
}
