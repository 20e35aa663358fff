#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { CommandError, runAccountCommand, runKeyCommand } from './accounts/commands.ts'
import { openAccountStore } from './accounts/store.ts'
import { systemClock } from './clock.ts'
import { type Config, readConfig } from './config.ts'
import { accountFileOf, startServer, stopSignal } from './main.ts'
import { ask, FORMATS, type Format, formatRows } from './store/analyst.ts'
import { Refusal } from './store/refusal.ts'

const HELP = `tapefold: large SPX options orders, rebuilt from the trade tape

usage: tapefold <command> [--data DIR] ...

  demo [--once] [--prints N]        simulate a session, build it, show it, serve it
  simulate [--day DAY] ...          write a simulated session and its truth
  import <format> <file...>         take a vendor's files onto the tape
  build <day...>                    fold, price, audit and publish sessions
  serve [--port N] [--host H]       the Orders API and its documentation
  sql "<query>" [--format F]        query the published datasets (table, csv or json)
  verify <day...> [--quick]         check every file's hash and rebuild to the same hashes
  status                            what is on the tape and what is published
  accuracy [--levels]               how right the fold (or the levels) are, on simulated tapes
  account add|list|plan ...         accounts and their plans
  key add|list|revoke ...           API keys

The data folder is --data, else TAPEFOLD_DATA, else data/.
`

/** Commands that are pipelines: each runs in a process of its own. */
const PIPELINES: Readonly<Record<string, string>> = {
  simulate: 'simulate.ts',
  import: 'import.ts',
  build: 'nightly.ts',
  verify: 'verify.ts',
  status: 'status.ts',
  accuracy: 'accuracy.ts',
}

/** Runs a command and returns the exit code: 0 done, 1 could not, 2 not understood. */
async function main(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv
  if (command === undefined || command === 'help' || command === '--help' || command === '-h') {
    process.stdout.write(HELP)
    return command === undefined ? 2 : 0
  }
  const config = readConfig(process.env)
  const { dataFolder, args } = takeDataFolder(rest, command === 'demo' ? null : config.dataFolder)
  const pipeline = PIPELINES[command]
  if (pipeline) return runPipeline(pipeline, ['--data', dataFolder, ...args])
  if (command === 'sql') return runSql(dataFolder, args)
  if (command === 'serve') return runServe({ ...config, dataFolder }, args)
  if (command === 'demo') return runDemo({ ...config, dataFolder }, args)
  if (command === 'account' || command === 'key') return runAccounts(command, dataFolder, args)
  process.stderr.write(`tapefold: there is no command ${command}; "tapefold help" lists them.\n`)
  return 2
}

async function runSql(dataFolder: string, args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { format: { type: 'string', default: 'table' } },
  })
  const format = FORMATS.find(known => known === values.format)
  if (!format) {
    throw new Refusal(`--format is ${values.format}; it can be ${FORMATS.join(', ')}.`)
  }
  const [query] = positionals
  if (query === undefined || positionals.length > 1) {
    throw new Refusal('sql takes one query in quotes, such as "select count(*) from orders".')
  }
  process.stdout.write(await answer(dataFolder, query, format))
  return 0
}

async function answer(dataFolder: string, query: string, format: Format): Promise<string> {
  try {
    return formatRows(await ask(dataFolder, query), format)
  } catch (error) {
    const [first] = (error as Error).message.split('\n')
    throw new Refusal(`the query failed: ${first}`)
  }
}

async function runServe(config: Config, args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { port: { type: 'string' }, host: { type: 'string' } },
  })
  const port = values.port === undefined ? config.port : Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Refusal(`--port is ${values.port}; give a port from 0 to 65535, such as 8080.`)
  }
  const { url, close } = await listen({ ...config, port, host: values.host ?? config.host })
  process.stdout.write(`Tapefold serves ${url}, with its documentation at ${url}/docs\n`)
  await stopSignal()
  await close()
  return 0
}

async function runDemo(config: Config, args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      once: { type: 'boolean', default: false },
      prints: { type: 'string' },
      port: { type: 'string' },
    },
  })
  const prints = values.prints === undefined ? [] : ['--prints', values.prints]
  const code = await runPipeline('demo.ts', ['--data', config.dataFolder, ...prints])
  if (code !== 0 || values.once) return code

  const apiKey = await addDemoKey(config.dataFolder)
  const port = values.port === undefined ? config.port : Number(values.port)
  const { url, close } = await listen({ ...config, port, logSeverity: 'warn' })
  process.stdout.write(
    `The API is up, with its documentation at ${url}/docs. Ask it for the ledger:\n\n` +
      `  curl -H 'Authorization: Bearer ${apiKey}' ${url}/orders/api/latest\n\n` +
      'Stop it with Ctrl-C.\n',
  )
  await stopSignal()
  await close()
  return 0
}

async function listen(config: Config) {
  try {
    return await startServer({
      ...config,
      clock: systemClock,
      log: pino({ level: config.logSeverity }),
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Refusal(`port ${config.port} is taken; give another, such as --port 8081.`)
  }
}

/** An account of the demo and a key that works; the key is shown once, as every key. */
async function addDemoKey(dataFolder: string): Promise<string> {
  const accounts = await openAccountStore(accountFileOf(dataFolder))
  try {
    const createdAtMs = systemClock.nowMs()
    const { id } = await accounts.addAccount({ name: 'demo', plan: 'orders', createdAtMs })
    const key = { accountId: id, scope: 'orders', name: 'demo', createdAtMs } as const
    return (await accounts.addKey(key))!.apiKey
  } finally {
    await accounts.close()
  }
}

async function runAccounts(
  command: 'account' | 'key',
  dataFolder: string,
  args: readonly string[],
): Promise<number> {
  mkdirSync(dataFolder, { recursive: true })
  const accounts = await openAccountStore(accountFileOf(dataFolder))
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const deps = { accounts, nowMs: systemClock.nowMs, print }
  try {
    await (command === 'account' ? runAccountCommand(args, deps) : runKeyCommand(args, deps))
  } finally {
    await accounts.close()
  }
  return 0
}

/** `--data` may stand anywhere; it is taken out of the command's own arguments. */
function takeDataFolder(
  args: readonly string[],
  fallback: string | null,
): { dataFolder: string; args: string[] } {
  const at = args.findIndex(arg => arg === '--data' || arg.startsWith('--data='))
  // the demo keeps away from a folder with real sessions unless it is told to use it
  if (at === -1) return { dataFolder: fallback ?? join('data', 'demo'), args: [...args] }
  const inline = args[at]!.startsWith('--data=')
  const dataFolder = inline ? args[at]!.slice('--data='.length) : args[at + 1]
  if (!dataFolder) throw new Refusal('--data is empty; give a folder, such as --data ./data.')
  return { dataFolder, args: [...args.slice(0, at), ...args.slice(at + (inline ? 1 : 2))] }
}

function runPipeline(file: string, args: readonly string[]): Promise<number> {
  const script = join(import.meta.dirname, '../pipelines', file)
  const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)))
  })
}

/** An error for the person who typed is one sentence; any other keeps its stack. */
function tell(error: unknown): number {
  const { message, stack, code } = error as NodeJS.ErrnoException
  const isUsage = String(code).startsWith('ERR_PARSE_ARGS')
  const isExpected = isUsage || error instanceof Refusal || error instanceof CommandError
  process.stderr.write(`tapefold: ${isExpected ? message : (stack ?? error)}\n`)
  if (error instanceof CommandError) return error.exitCode
  return isUsage ? 2 : 1
}

if (import.meta.main) {
  main(process.argv.slice(2))
    .catch(tell)
    .then(code => {
      process.exitCode = code
    })
}
