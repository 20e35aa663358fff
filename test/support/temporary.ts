import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives a run of the tests one temporary folder, which is gone when they have ended. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-tests-'))
  chmodSync(folder, 0o755) // PostgreSQL does not run as root
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
