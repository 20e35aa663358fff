import { isHelpWanted, outliveReaders, reportFailure } from '../core/command.ts'
import { commandHelp, groupHelp, listLines, listText } from '../core/commandHelp.ts'
import { readInput } from '../core/commandRow.ts'
import { runPipeline } from '../core/pipeline.ts'
import { useProxies } from '../core/proxy.ts'
import { COMMANDS, type Entry, entryName, findRow } from './commands.ts'

const HELP = () => `tapefold: large SPX options orders, rebuilt from the trade tape

usage: tapefold <command> [--data DIR] ...

${listText(COMMANDS.flatMap(listLines))}

The data folder is --data, else TAPEFOLD_DATA, else data/ (for the demo: data/demo).
With DATABASE_URL, such as postgresql://user@host/db, machines share accounts and jobs.
"tapefold <command> --help" explains a command.
`

/** Runs a command and returns the exit code: 0 done, 1 failed, 2 not understood. */
export async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined) {
    process.stderr.write(HELP())
    return 2
  }
  if (name === 'help' && rest[0] !== undefined) return main([...rest, '--help'])
  if (['help', '--help', '-h'].includes(name)) {
    process.stdout.write(HELP())
    return 0
  }
  const entry = COMMANDS.find(each => entryName(each) === name)
  if (entry === undefined) {
    process.stderr.write(`tapefold: there is no command ${name}; "tapefold help" lists them.\n`)
    return 2
  }
  if (isHelpWanted(rest)) {
    process.stdout.write(await findHelp(entry, argv))
    return 0
  }
  const { row, args } = findRow(argv)
  // refused before anything is loaded
  readInput(row, args)
  const { readConfig } = await import('../platform/config.ts')
  const { DEMO_FOLDER } = await import('../data/published/nothingPublished.ts')
  const { dataFolder } = readConfig(process.env)
  // the demo avoids a folder with real sessions unless one is given
  const isDemoFolder = name === 'demo' && process.env.TAPEFOLD_DATA === undefined
  const line = [name, '--data', isDemoFolder ? DEMO_FOLDER : dataFolder, ...rest]
  if (!row.isHere) return runPipeline(line)
  const { perform } = await import('./perform.ts')
  return perform(line)
}

/** Help of the command that a line names, or of all whose names begin so. */
function findHelp(entry: Entry, argv: readonly string[]) {
  if (!('commands' in entry)) return commandHelp(entry)
  try {
    return commandHelp(findRow(argv).row)
  } catch {
    return groupHelp(entry)
  }
}

/** Runs a command line as this process, with the command's exit code. */
export function runCommandLine(argv: readonly string[]): void {
  outliveReaders()
  useProxies(process.env)
  main(argv)
    .catch(reportFailure)
    .then(code => {
      process.exitCode = code
    })
}

if (import.meta.main) runCommandLine(process.argv.slice(2))
