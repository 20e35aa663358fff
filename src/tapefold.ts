/** The entrance of the command: listens to signals before it loads the product. */

import { endAtSignals, stopWithParent } from './stop.ts'

/** Written by the scripts of package.json in front of the arguments: the process that npm is. */
const PARENT = /^--parent=(\d+)$/

if (import.meta.main) {
  endAtSignals()
  const [first = '', ...others] = process.argv.slice(2)
  const parent = PARENT.exec(first)?.[1]
  if (parent !== undefined) stopWithParent(Number(parent))
  const { runCommandLine } = await import('./cli.ts')
  runCommandLine(parent === undefined ? process.argv.slice(2) : others)
}
