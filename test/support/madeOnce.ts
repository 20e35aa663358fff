// Data folders that many files start from in the same form: made once in a run of the tests.

import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from '../../src/core/disk/lock.ts'

/** Set by the global setup to a folder of the run: what another run has made is never used. */
export const MADE_FOLDER = 'TAPEFOLD_TESTS_MADE'

/** Longest wait for another file that makes the same; a hung maker fails by the limit of its own. */
const WAIT_MS = 3_600_000

/**
 * Fills a new folder with what `make` makes in it, which is made at the first call of a run and
 * copied from then on: a test may change or damage what it is given. Outside of a run, in a script,
 * it is made each time. `make` is named by all it depends on.
 */
export async function copyMade(
  name: string,
  folder: string,
  make: (folder: string) => Promise<unknown>,
): Promise<void> {
  const parent = process.env[MADE_FOLDER]
  if (parent === undefined) {
    await make(folder)
    return
  }
  const made = join(parent, name)
  await withLock(
    `${made}.lock`,
    `${name} is made elsewhere`,
    async () => {
      if (existsSync(made)) return
      const part = `${made}.part`
      rmSync(part, { recursive: true, force: true }) // of a maker that failed
      await make(part)
      renameSync(part, made)
    },
    WAIT_MS,
  )
  cpSync(made, folder, { recursive: true, preserveTimestamps: true })
}
