import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Calls that read a disk; each has a path first. */
const CALLS = [
  'readdirSync',
  'opendirSync',
  'readFileSync',
  'statSync',
  'openSync',
  'createReadStream',
] as const

/**
 * Makes every read below a folder fail with the code that `codeNow` returns, while it returns
 * one, for this process and all code in it.
 */
export function installFaultyReads(folder: string, codeNow: () => string | null): void {
  const originals = { ...fs }
  const { readFile } = fs.promises
  const strike = (name: string, path: unknown) => {
    const code = codeNow()
    if (code === null || !String(path).startsWith(folder)) return
    throw Object.assign(new Error(`${code}: no, ${name} '${path}'`), { code })
  }
  for (const name of CALLS) {
    const original = originals[name] as (...args: unknown[]) => unknown
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        strike(name, args[0])
        return original(...args)
      },
    })
  }
  const failing = async (...args: Parameters<typeof readFile>) => {
    strike('readFile', args[0])
    return readFile(...args)
  }
  Object.assign(fs.promises, { readFile: failing })
  syncBuiltinESMExports()
}
