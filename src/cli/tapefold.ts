/** Entry point of the command: handles signals before it loads the product. */

import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { endAtSignals, stopWithParent } from '../core/stop.ts'

/** Compiled code of earlier runs; a folder that cannot be written is not used. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/** Passed by the scripts of package.json before the arguments: the process id of npm. */
const PARENT = /^--parent=(\d+)$/

if (import.meta.main) {
  endAtSignals()
  // by the environment, so that the processes it starts use it too
  process.env.NODE_COMPILE_CACHE ??= COMPILED
  enableCompileCache(process.env.NODE_COMPILE_CACHE)
  const [first = '', ...others] = process.argv.slice(2)
  const parent = PARENT.exec(first)?.[1]
  if (parent !== undefined) stopWithParent(Number(parent))
  const { runCommandLine } = await import('./cli.ts')
  runCommandLine(parent === undefined ? process.argv.slice(2) : others)
}
