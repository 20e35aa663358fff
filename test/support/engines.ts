// The engines of the account database, for suites that hold for either.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasPostgres, sharePostgres } from './postgres.ts'
import { runs } from './runs.ts'

// in memory where the system has it: hundreds of commits would wait for a disk others use
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export type Engine = {
  /** Where a new account database can be made: a path, or an address. */
  readonly newPlace: () => Promise<string>
  readonly stop: () => Promise<void>
}

async function startFiles(): Promise<Engine> {
  const folder = mkdtempSync(join(FOLDER, 'tapefold-accounts-'))
  let count = 0
  return {
    newPlace: async () => join(folder, String(++count), 'accounts.sqlite'),
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function startDatabases(): Promise<Engine> {
  const { newDatabase } = await sharePostgres()
  return { newPlace: newDatabase, stop: async () => {} }
}

/** Name, whether the machine has it, and how it is started: for locks and migrations. */
export const BOTH_ENGINES = [
  ['SQLite', true, startFiles],
  ['PostgreSQL', hasPostgres, startDatabases],
] as const

/** The engines of rules that do not depend on them: SQLite, and both in `npm run test:deep`. */
export const ENGINES = runs(2, 1) === 2 ? BOTH_ENGINES : BOTH_ENGINES.slice(0, 1)
