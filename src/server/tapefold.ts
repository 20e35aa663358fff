/** Entry point of the command: handles signals before it loads the product. */

import { endAtSignals, stopWithParent } from '../core/stop.ts'

/** Passed by the scripts of package.json before the arguments: the process id of npm. */
const PARENT = /^--parent=(\d+)$/

if (import.meta.main) {
  endAtSignals()
  const [first = '', ...others] = process.argv.slice(2)
  const parent = PARENT.exec(first)?.[1]
  if (parent !== undefined) stopWithParent(Number(parent))
  const { runCommandLine } = await import('./cli.ts')
  runCommandLine(parent === undefined ? process.argv.slice(2) : others)
}
