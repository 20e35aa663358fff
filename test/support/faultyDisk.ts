import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DuckDBConnection } from '@duckdb/node-api'

/** Calls that change a disk, or bring it to rest; each has a path or an open file first. */
const CALLS = ['openSync', 'writeSync', 'fsyncSync', 'renameSync', 'linkSync', 'mkdirSync'] as const

/**
 * Effect of a call: it fails and later ones do not; the process is killed, or stands still until
 * it is resumed; or, as if it had been killed, this call and all later ones fail, so that no
 * cleaning up runs either.
 */
export type Fault = {
  readonly at: number
  readonly kind: 'EIO' | 'ENOSPC' | 'kill' | 'pause' | 'stop'
}

export type FaultyDisk = { readonly calls: () => number; readonly restore: () => void }

/**
 * Makes every n-th change below a folder fail, for this process and all code in it. A Parquet
 * file that the engine writes there is one call.
 */
export function installFaults(folder: string, fault: Fault | null = null): FaultyDisk {
  const originals = { ...fs }
  const engine = DuckDBConnection.prototype
  const { run } = engine
  const opened = new Set<number>()
  let calls = 0
  const isOurs = (target: unknown) =>
    typeof target === 'number' ? opened.has(target) : String(target).startsWith(folder)
  const strike = (name: string, path: unknown) => {
    calls += 1
    if (fault === null || calls < fault.at) return
    if (fault.kind === 'kill') process.kill(process.pid, 'SIGKILL')
    if (calls > fault.at && fault.kind !== 'stop') return
    if (fault.kind === 'pause') {
      process.kill(process.pid, 'SIGSTOP')
      return
    }
    const code = fault.kind === 'stop' ? 'EIO' : fault.kind
    throw Object.assign(new Error(`${code}: ${name} ${path}`), { code })
  }
  for (const name of CALLS) {
    const original = originals[name] as (...args: unknown[]) => unknown
    replace(name, (...args) => {
      if (!isOurs(args[0])) return original(...args)
      strike(name, args[0])
      const result = original(...args)
      if (name === 'openSync') opened.add(result as number)
      return result
    })
  }
  // a killed process removes nothing; an error in a removal is not tested here
  replace('rmSync', (path, options) => {
    if (fault?.kind === 'stop' && calls >= fault.at && isOurs(path)) return undefined
    return originals.rmSync(path as string, options as fs.RmOptions)
  })
  engine.run = async function (...args) {
    const path = (args[1] as { path?: unknown } | undefined)?.path
    if (/^\s*copy /.test(args[0]) && isOurs(path)) strike('COPY', path)
    return run.apply(this, args)
  }
  syncBuiltinESMExports()
  return {
    calls: () => calls,
    restore: () => {
      engine.run = run
      for (const name of [...CALLS, 'rmSync'] as const) replace(name, originals[name] as never)
      syncBuiltinESMExports()
    },
  }
}

function replace(name: (typeof CALLS)[number] | 'rmSync', by: (...args: unknown[]) => unknown) {
  Object.assign(fs, { [name]: by })
}
