#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Refusal } from './market/refusal.ts'
import { ask, FORMATS, type Format, formatRows } from './store/analyst.ts'

const HELP = `tapefold: large SPX options orders, rebuilt from the trade tape

usage: tapefold <command> [--data DIR] ...

  demo [--once] [--prints N]        simulate a session, build it, show it, serve it
  simulate [--day DAY] ...          write a simulated session and its truth
  import <format> <file...>         take a vendor's files onto the tape
  build <day...>                    fold, price, audit and publish sessions
  serve [--port N] [--host H]       the Orders API
  sql "<query>" [--format F]        query the published datasets (table, csv or json)
  verify <day...>                   check every file's hash and rebuild to the same hashes
  status                            what is on the tape and what is published
  account add|list|plan ...         accounts and their plans
  key add|list|revoke ...           API keys

The data folder is --data, else TAPEFOLD_DATA, else data/. "tapefold <command> --help" says more.
`

/** Commands that are pipelines: each runs in a process of its own. */
const PIPELINES: Readonly<Record<string, string>> = {
  simulate: 'simulate.ts',
  import: 'import.ts',
  build: 'nightly.ts',
  verify: 'verify.ts',
  status: 'status.ts',
}

/** Runs a command and returns the exit code: 0 done, 1 could not, 2 not understood. */
async function main(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv
  if (command === undefined || command === 'help' || command === '--help' || command === '-h') {
    process.stdout.write(HELP)
    return command === undefined ? 2 : 0
  }
  const { dataFolder, args } = takeDataFolder(rest)
  const pipeline = PIPELINES[command]
  if (pipeline) return runPipeline(pipeline, ['--data', dataFolder, ...args])
  if (command === 'sql') return runSql(dataFolder, args)
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

/** `--data` may stand anywhere; it is taken out of the command's own arguments. */
function takeDataFolder(args: readonly string[]): { dataFolder: string; args: string[] } {
  const at = args.findIndex(arg => arg === '--data' || arg.startsWith('--data='))
  const fallback = process.env.TAPEFOLD_DATA || 'data'
  if (at === -1) return { dataFolder: fallback, args: [...args] }
  const inline = args[at]!.startsWith('--data=')
  const dataFolder = inline ? args[at]!.slice('--data='.length) : args[at + 1]
  if (!dataFolder) throw new Refusal('--data is empty; give a folder, such as --data ./data.')
  return { dataFolder, args: [...args.slice(0, at), ...args.slice(at + (inline ? 1 : 2))] }
}

function runPipeline(file: string, args: readonly string[]): Promise<number> {
  const script = join(import.meta.dirname, '../pipelines', file)
  const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)))
  })
}

if (import.meta.main) {
  main(process.argv.slice(2)).then(
    code => {
      process.exitCode = code
    },
    error => {
      const isUsage = String(error?.code).startsWith('ERR_PARSE_ARGS')
      const isExpected = error instanceof Refusal || isUsage
      process.stderr.write(`tapefold: ${isExpected ? error.message : (error?.stack ?? error)}\n`)
      process.exitCode = isUsage ? 2 : 1
    },
  )
}
