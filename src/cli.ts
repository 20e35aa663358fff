import { ACCOUNT_USAGE, CREDITS_USAGE, KEY_USAGE } from './accounts/arguments.ts'
import { backUpAccounts, restoreAccounts } from './accounts/backup.ts'
import { runAccountCommand, runKeyCommand } from './accounts/commands.ts'
import { runCreditsCommand } from './accounts/creditCommands.ts'
import { AREAS } from './areas.ts'
import { monotonicMs, systemClock } from './clock.ts'
import {
  isHelpWanted,
  outliveReaders,
  readArguments,
  reportFailure,
  UsageError,
} from './command.ts'
import { type Config, readConfig, siteUrl } from './config.ts'
import { runDemo } from './demo.ts'
import { Refusal } from './disk/refusal.ts'
import { accountFilePath, openAccounts } from './main.ts'
import { NO_NOTICES, openNotices } from './notices/notices.ts'
import { FORMATS, type Format, formatRows, runQuery } from './published/analyst.ts'
import { PUBLISHED_DATASETS } from './published/dictionary.ts'
import { DEMO_FOLDER, nothingPublished } from './published/nothingPublished.ts'
import { runPipeline } from './runPipeline.ts'
import { runServe } from './serve.ts'

const AREA_COMMANDS = AREAS.flatMap(({ commands }) => commands)
const AREA_LINES = AREA_COMMANDS.map(({ usage, does }) => `  ${usage.padEnd(33)} ${does}`).join(
  '\n',
)

const HELP = `tapefold: large SPX options orders, rebuilt from the trade tape

usage: tapefold <command> [--data DIR] ...

  demo [--once] [--prints N]        simulate a session, build it, show it, serve it
  simulate [--day DAY] ...          write a simulated session and its truth
  history [--sessions N] ...        simulate market minutes of many sessions
  import <format> <file...>         import a vendor's files
  build <day...>                    rebuild, price, check and publish sessions
  minute [DAY] [--until HH:MM]      publish a running session, minute by minute
  feed [DAY] --spool DIR            import files as they arrive, publish each minute
  backfill FROM TO [--workers N]    build all sessions of a range that are not up to date
  schedule [--once]                 build finished sessions, verify every night
  serve [--port N] [--host H]       serve the Orders API and its documentation, find and send alerts
  watch [--once] [--clock WHEN]     find and send alerts alone, as minutes are published
${AREA_LINES}
  webhook save|test|listen ...      where alerts are sent; receive and verify them here
  sql "<query>" [--format F]        query the published datasets (table, csv or json)
  verify <day...> [--quick]         check every file's hash, then rebuild and compare
  repair <day...>                   move damaged files away and rebuild them
  collect [--dry-run] [--grace T]   delete old files that are no longer used
  accuracy [--out FOLDER]           measure how often orders, sides, levels are right
  bench [<section...>]              measure speed, memory and growth
  account add|list|plan|product ... manage accounts, their products and plans
  account link|signout ACCOUNT      make a sign-in code for the account page, or sign out all
  account contact ...               mail addresses and Telegram chats that are told of alerts
  account backup|restore FILE       save or restore accounts, keys and positions
  key add|list|revoke ...           manage API keys, each for one product
  credits add ACCOUNT N --ref REF   add bought LAB credits, once for each payment
  credits audit                     sum up all lines of credits

The data folder is --data, else TAPEFOLD_DATA, else data/ (for the demo: data/demo).
With DATABASE_URL, such as postgresql://user@host/db, machines share accounts and jobs.
"tapefold <command> --help" explains a command.
`

const SQL_USAGE = `usage: tapefold sql "<query>" [--format table|csv|json] [--data DIR]

Answers one DuckDB query over the published datasets: orders, legs, revisions, revision_legs,
order_prints, prints, levels, profiles, strikes, basis, forwards, inventory, inventory_shares,
closing_positions, stats, tape_report, market_minutes, large_orders, option_minutes, smiles,
settlements.
`

/** Commands that are pipelines: each runs in a child process. */
const PIPELINES: Readonly<Record<string, string>> = {
  import: 'import/import.ts',
  build: 'build/day.ts',
  minute: 'live/minute.ts',
  feed: 'live/feed.ts',
  backfill: 'upkeep/backfill.ts',
  schedule: 'upkeep/schedule.ts',
  verify: 'upkeep/verify.ts',
  repair: 'upkeep/repair.ts',
  collect: 'upkeep/collect.ts',
  webhook: 'command/webhook.ts',
  watch: 'watch/watch.ts',
  simulate: 'simulate/simulate.ts',
  history: 'simulate/minuteSessions.ts',
  accuracy: 'measure/accuracy.ts',
  bench: 'measure/bench.ts',
  ...Object.fromEntries(AREA_COMMANDS.map(({ name, file }) => [name, file])),
}

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
  const config = readConfig(process.env)
  // the demo avoids a folder with real sessions unless one is given
  const isDemoFolder = command === 'demo' && process.env.TAPEFOLD_DATA === undefined
  const fallback = isDemoFolder ? DEMO_FOLDER : config.dataFolder
  const { dataFolder, args } = takeDataFolder(rest, fallback)
  const pipeline = Object.hasOwn(PIPELINES, command) ? PIPELINES[command] : undefined
  // a simulated session belongs to no data folder until it is imported
  if (command === 'simulate') return runPipeline(PIPELINES.simulate!, args)
  if (pipeline) return runPipeline(pipeline, ['--data', dataFolder, ...args])
  if (command === 'sql') return runSql(dataFolder, args)
  if (command === 'serve') return runServe({ ...config, dataFolder }, args)
  // nor does the demo's account belong among real ones
  if (command === 'demo') {
    const alone = { databaseUrl: null, metricsPort: null, notices: NO_NOTICES }
    return runDemo({ ...config, dataFolder, ...alone }, args)
  }
  if (Object.hasOwn(ACCOUNT_COMMANDS, command)) {
    return runAccounts(command as keyof typeof ACCOUNT_COMMANDS, { ...config, dataFolder }, args)
  }
  process.stderr.write(`tapefold: there is no command ${command}; "tapefold help" lists them.\n`)
  return 2
}

async function runSql(dataFolder: string, args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    usage: SQL_USAGE,
    allowPositionals: true,
    options: { format: { type: 'string', default: 'table' } },
  })
  const format = FORMATS.find(known => known === values.format)
  if (!format) {
    throw new UsageError(`--format is ${values.format}; it can be ${FORMATS.join(', ')}.`)
  }
  const [query] = positionals
  if (query === undefined || positionals.length > 1) {
    throw new UsageError('sql takes one query in quotes, such as "select count(*) from orders".')
  }
  const text = await queryText(dataFolder, query, format)
  const namesDataset = PUBLISHED_DATASETS.some(({ name }) =>
    new RegExp(`\\b${name}\\b`).test(query),
  )
  const nothing = namesDataset ? nothingPublished(dataFolder) : null
  if (nothing !== null) process.stderr.write(`tapefold: ${nothing}\n`)
  process.stdout.write(text)
  return 0
}

async function queryText(dataFolder: string, query: string, format: Format): Promise<string> {
  try {
    return formatRows(await runQuery(dataFolder, query), format)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const [first] = (error as Error).message.split('\n')
    throw new Refusal(`the query failed: ${first?.replace(/^Failed to extract statements: /, '')}`)
  }
}

const ACCOUNT_COMMANDS = {
  account: { usage: ACCOUNT_USAGE, run: runAccountCommand },
  key: { usage: KEY_USAGE, run: runKeyCommand },
  credits: { usage: CREDITS_USAGE, run: runCreditsCommand },
} as const

async function runAccounts(
  command: keyof typeof ACCOUNT_COMMANDS,
  config: Config,
  args: readonly string[],
): Promise<number> {
  if (isHelpWanted(args)) {
    process.stdout.write(`usage: tapefold ${ACCOUNT_COMMANDS[command].usage}\n`)
    return 0
  }
  const [verb, ...rest] = args
  if (command === 'account' && (verb === 'backup' || verb === 'restore')) {
    await runCopy(verb, config, rest)
    return 0
  }
  const accounts = await openAccounts(config)
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const notices = openNotices(config.notices, monotonicMs)
  const deps = { accounts, notices, nowMs: systemClock.nowMs, print, siteUrl: siteUrl(config) }
  try {
    await ACCOUNT_COMMANDS[command].run(args, deps)
  } finally {
    notices.close()
    await accounts.close()
  }
  return 0
}

async function runCopy(
  verb: 'backup' | 'restore',
  { dataFolder, databaseUrl }: Config,
  args: readonly string[],
): Promise<void> {
  const { values, positionals } = readArguments(args, {
    usage: `usage: tapefold ${ACCOUNT_USAGE}\n`,
    allowPositionals: true,
    options: { force: { type: 'boolean', default: false } },
  })
  const [backup] = positionals
  if (backup === undefined || positionals.length > 1) {
    throw new UsageError(`account ${verb} takes one file, such as accounts.backup.`)
  }
  const accountsLocation = databaseUrl ?? accountFilePath(dataFolder)
  const copy = { location: accountsLocation, backup, isForced: values.force }
  if (verb === 'backup') {
    process.stdout.write(`${backup} has ${await backUpAccounts(copy)}\n`)
    return
  }
  const content = await restoreAccounts(copy)
  const name = databaseUrl === null ? accountsLocation : 'the PostgreSQL of DATABASE_URL'
  const warning =
    'Keys that were revoked, and browsers that were signed out, after the backup was made are ' +
    'valid again.'
  process.stdout.write(`${name} has ${content}\n${warning}\n`)
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
  main(argv)
    .catch(reportFailure)
    .then(code => {
      process.exitCode = code
    })
}

if (import.meta.main) runCommandLine(process.argv.slice(2))
