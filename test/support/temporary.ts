import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives a run of the tests one temporary folder, which is gone when they have ended. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-tests-'))
  chmodSync(folder, 0o755) // PostgreSQL does not run as root
  process.env.TMPDIR = folder
  return () => {
    // the servers that the workers shared
    for (const file of globSync(join(folder, 'tapefold-postgres-*/data/postmaster.pid'))) {
      stopProcess(Number(readFileSync(file, 'utf8').split('\n')[0]))
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Ends a server at once; it may have ended by itself. */
function stopProcess(id: number): void {
  try {
    process.kill(id, 'SIGQUIT')
  } catch {}
}
