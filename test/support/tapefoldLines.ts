// Runs the command lines of a file, one after another, and replaces them with how each ended:
// its exit code, and how far standard output and error, which are files, had come by then.

import { fstatSync, readFileSync, writeFileSync } from 'node:fs'
import { main } from '../../src/cli/cli.ts'
import { reportFailure } from '../../src/core/command.ts'

const file = process.argv[2]!
const lines: { args: string[]; cwd: string }[] = JSON.parse(readFileSync(file, 'utf8'))
const ends: { code: number; sizes: number[] }[] = []
for (const { args, cwd } of lines) {
  process.chdir(cwd)
  const code = await main(args).catch(reportFailure)
  // a command that has ended listens to nothing
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
  ends.push({ code, sizes: [1, 2].map(descriptor => fstatSync(descriptor).size) })
}
writeFileSync(file, JSON.stringify(ends))
process.exit()
