import { readFileSync } from 'node:fs'
import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { dateArgument } from '../../src/core/days.ts'
import { jsonFault, parseJson } from '../../src/core/disk/json.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { openCatalog, withReplayed } from '../../src/data/published/catalog.ts'
import { checksAt, type JudgingDeps, readAsOfMinute } from '../../src/positions/ask.ts'
import { REPLAY_DEFAULT, REPLAY_MAX } from '../../src/positions/checkRoutes.ts'
import { completePosition } from '../../src/positions/completePosition.ts'
import { readEntries } from '../../src/positions/lookback.ts'
import { renderEntries, TABLE_FORMATS } from '../../src/positions/lookbackTable.ts'
import { openJudge } from '../../src/positions/marketValues.ts'
import { parseChange } from '../../src/positions/parseChange.ts'
import type { Position } from '../../src/positions/schema.ts'
import { readStoredPositions } from '../../src/positions/stored.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import {
  accountsAddress,
  asRefusal,
  runCommand,
  warnNothingPublished,
  writeOutput,
} from './command.ts'

const USAGE = `usage: tapefold positions check|entries [FILE] [--account ACCOUNT] ... [--data DIR]

Judges positions as the API does: those of a JSON file, or those an account keeps. The file holds a
list of positions, or one alone:
{"kind": "strangle", "legs": {"sp": 5950, "sc": 6050}, "entry": "10:30"}

  check    at one minute: the label, every condition with its value, and how far the flip
           and the walls are from the index and from each short strike
  entries  at the entry minute of the last sessions, with what happened after

  --account ACCOUNT  the positions that this account keeps, instead of FILE
  --id ID            only this one of them
  --day DAY --t T    check: the day and ET minute (default: today, its latest minute)
  --replay N         entries: how many sessions, 0 to ${REPLAY_MAX} (${REPLAY_DEFAULT})
  --format F         entries: json, csv, parquet or arrow, one row a session (json)
  --out FILE         writes there instead of to standard output
`

type Values = {
  readonly [name in 'account' | 'id' | 'day' | 't' | 'replay' | 'out']?: string | undefined
} & { readonly data: string; readonly format: string }

/** Runs `positions check` or `positions entries`. Fails with one sentence. */
export async function runPositions(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    usage: USAGE,
    allowPositionals: true,
    options: {
      data: { type: 'string', default: 'data' },
      account: { type: 'string' },
      id: { type: 'string' },
      day: { type: 'string' },
      t: { type: 'string' },
      replay: { type: 'string' },
      format: { type: 'string', default: 'json' },
      out: { type: 'string' },
    },
  })
  const [verb, file] = positionals
  if ((verb !== 'check' && verb !== 'entries') || positionals.length > 2) {
    throw new UsageError('positions takes check or entries, and one file: positions check p.json.')
  }
  if (values.day !== undefined) dateArgument(values.day, '--day')
  const positions = await readPositions(file, values)
  warnNothingPublished(values.data)
  const judge = openJudge(values.data)
  const log = { error: () => {} }
  const { nowMs } = systemClock
  const catalog = withReplayed(openCatalog({ dataFolder: values.data, nowMs, log }))
  const deps = { catalog, judge, nowMs }
  try {
    const bytes = await (verb === 'check' ? checkBytes : entryBytes)(deps, positions, values)
    writeOutput(values.out, bytes)
  } catch (error) {
    throw asRefusal(error)
  } finally {
    await judge.close()
  }
}

async function checkBytes(
  deps: JudgingDeps,
  positions: readonly Position[],
  { day, t, format, replay }: Values,
): Promise<Uint8Array> {
  if (format !== 'json' || replay !== undefined) {
    throw new UsageError(
      'positions check answers one minute as JSON; leave out --format and --replay.',
    )
  }
  const given = (value: string | undefined) => (value === undefined ? [] : [value])
  const asOf = readAsOfMinute(deps, given(day), given(t))
  return jsonBytes(await checksAt(deps, asOf, positions))
}

async function entryBytes(
  deps: JudgingDeps,
  positions: readonly Position[],
  { replay = String(REPLAY_DEFAULT), format, day, t }: Values,
): Promise<Uint8Array> {
  if (day !== undefined || t !== undefined) {
    throw new UsageError(
      'positions entries judges the entry minute of each session; leave out --day and --t.',
    )
  }
  if (!/^\d{1,4}$/.test(replay) || Number(replay) > REPLAY_MAX) {
    throw new UsageError(`--replay is ${replay}; give 0 to ${REPLAY_MAX}, such as 60.`)
  }
  const table = TABLE_FORMATS.find(known => known === format)
  if (!table && format !== 'json') {
    throw new UsageError(`--format is ${format}; give json, ${TABLE_FORMATS.join(', ')}.`)
  }
  if (table && positions.length !== 1) {
    throw new Refusal(`a table holds one entry log, not ${positions.length}; name one with --id.`)
  }
  const logs = []
  for (const position of positions) logs.push(await readEntries(position, Number(replay), deps))
  if (table) return renderEntries(logs[0]!, table)
  return jsonBytes(logs.length === 1 ? logs[0]! : logs)
}

const jsonBytes = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

async function readPositions(file: string | undefined, values: Values): Promise<Position[]> {
  const { account, id, data } = values
  if ((file === undefined) === (account === undefined)) {
    throw new UsageError('positions takes either a file or --account.')
  }
  const found = file === undefined ? await loadStoredPositions(account!, data) : positionsIn(file)
  const wanted = id === undefined ? found : found.filter(position => position.id === id)
  if (wanted.length > 0) return wanted
  const what = id === undefined ? 'no position' : `no position ${id}`
  throw new Refusal(`there is ${what} in ${file ?? `account ${account}`}.`)
}

async function loadStoredPositions(account: string, dataFolder: string): Promise<Position[]> {
  const accounts = await openAccountStore(accountsAddress(dataFolder))
  try {
    return await readStoredPositions(accounts, account)
  } finally {
    await accounts.close()
  }
}

/** The positions of a file, by the rules of the API; they are called p_1, p_2, … */
function positionsIn(file: string): Position[] {
  let parsed: unknown
  try {
    parsed = parseJson(readFileSync(file, 'utf8').replace(/^\ufeff/, ''))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Refusal(
      code === undefined ? `${file} is ${jsonFault(error)}.` : `${file} cannot be read (${code}).`,
    )
  }
  const list = Array.isArray(parsed) ? parsed : [parsed]
  return list.map((position, index) => {
    try {
      const { position: input } = parseChange(JSON.stringify({ op: 'add', position }))
      return completePosition(`p_${index + 1}`, input)
    } catch (error) {
      throw asRefusal(error, `${file}: `)
    }
  })
}

if (import.meta.main) runCommand(() => runPositions(process.argv.slice(2)))
