import { outliveReaders, reportFailure, UsageError } from '../core/command.ts'
import { runPipeline } from '../core/pipeline.ts'
import { useProxies } from '../core/proxy.ts'
import { DEMO_FOLDER } from '../data/published/nothingPublished.ts'
import { readConfig } from '../platform/config.ts'
import { COMMANDS } from './commands.ts'

const HELP_LINES = COMMANDS.flatMap(({ help }) => help)
  .map(([usage, does]) => `  ${usage.padEnd(33)} ${does}`)
  .join('\n')

const HELP = `tapefold: large SPX options orders, rebuilt from the trade tape

usage: tapefold <command> [--data DIR] ...

${HELP_LINES}

The data folder is --data, else TAPEFOLD_DATA, else data/ (for the demo: data/demo).
With DATABASE_URL, such as postgresql://user@host/db, machines share accounts and jobs.
"tapefold <command> --help" explains a command.
`

/** Runs a command and returns the exit code: 0 done, 1 failed, 2 not understood. */
export async function main(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv
  if (command === undefined) {
    process.stderr.write(HELP)
    return 2
  }
  if (command === 'help' && rest[0] !== undefined) return main([rest[0], '--help'])
  if (['help', '--help', '-h'].includes(command)) {
    process.stdout.write(HELP)
    return 0
  }
  const known = COMMANDS.find(({ name }) => name === command)
  if (known === undefined) {
    process.stderr.write(`tapefold: there is no command ${command}; "tapefold help" lists them.\n`)
    return 2
  }
  const config = readConfig(process.env)
  // the demo avoids a folder with real sessions unless one is given
  const isDemoFolder = command === 'demo' && process.env.TAPEFOLD_DATA === undefined
  const fallback = isDemoFolder ? DEMO_FOLDER : config.dataFolder
  const { dataFolder, args } = takeDataFolder(rest, fallback)
  if ('load' in known) {
    const run = await known.load()
    return run({ ...config, dataFolder }, args)
  }
  const folder = known.isWithoutFolder ? [] : ['--data', dataFolder]
  return runPipeline(known.pipeline, [...folder, ...args])
}

/** Takes `--data` out of the arguments of a command, wherever it is. */
function takeDataFolder(
  args: readonly string[],
  fallback: string,
): { dataFolder: string; args: string[] } {
  const at = args.findIndex(arg => arg === '--data' || arg.startsWith('--data='))
  if (at === -1) return { dataFolder: fallback, args: [...args] }
  const inline = args[at]!.startsWith('--data=')
  const dataFolder = inline ? args[at]!.slice('--data='.length) : args[at + 1]
  if (!dataFolder || (!inline && dataFolder.startsWith('-'))) {
    throw new UsageError('--data needs a folder, such as --data ./data.')
  }
  return { dataFolder, args: [...args.slice(0, at), ...args.slice(at + (inline ? 1 : 2))] }
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
