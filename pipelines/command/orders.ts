import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { dateArgument } from '../../src/core/days.ts'
import { type Catalog, openCatalog } from '../../src/data/published/catalog.ts'
import { openKnownLedgers } from '../../src/data/published/knownLedgers.ts'
import { findDayLedger, findLatestLedger, type WantedLedger } from '../../src/orders/ask.ts'
import { type AsofForm, renderAsof } from '../../src/orders/asof.ts'
import { ledgerTable } from '../../src/orders/ledgerTable.ts'
import { renderForm } from '../../src/orders/render.ts'
import { emptyLedger } from '../../src/orders/wire.ts'
import { asRefusal, runCommand, warnNothingPublished, writeOutput } from './command.ts'

const FORMATS = ['json', 'csv', 'parquet', 'arrow', 'table'] as const
/** Default number of orders in a table. */
const TOP = 15

const USAGE = `usage: tapefold orders [DAY] [--asof HH:MM] [--format F] [--top N] ... [--data DIR]

Prints the ledger of a day, or of the newest session: its largest orders as a table on a terminal,
else as the Orders API answers it.

  --asof HH:MM  only what was known before this ET minute
  --format F    table, json, csv, parquet or arrow (table on a terminal, else json)
  --top N       how many orders the table has (${TOP})
  --out FILE    writes there instead of to standard output
`

/** Runs `tapefold orders`. Fails with one sentence. */
export async function runOrders(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    usage: USAGE,
    allowPositionals: true,
    options: {
      data: { type: 'string', default: 'data' },
      asof: { type: 'string' },
      format: { type: 'string' },
      out: { type: 'string' },
      top: { type: 'string' },
    },
  })
  const isSeen = values.out === undefined && process.stdout.isTTY
  const named = values.format ?? (isSeen ? 'table' : 'json')
  const format = FORMATS.find(known => known === named)
  if (!format) throw new UsageError(`--format is ${named}; give ${FORMATS.join(', ')}.`)
  if (values.top !== undefined && format !== 'table') {
    throw new UsageError('--top is for the table: add --format table.')
  }
  const top = parseTop(values.top)
  if (positionals.length > 1) throw new UsageError('orders takes one day, such as 2026-10-15.')
  if (positionals.length === 0 && values.asof !== undefined) {
    throw new UsageError('--asof needs its day, such as orders 2026-10-15 --asof 10:37.')
  }
  for (const day of positionals) dateArgument(day)
  warnNothingPublished(values.data)
  const { nowMs } = systemClock
  const catalog = openCatalog({ dataFolder: values.data, nowMs, log: { error: () => {} } })
  try {
    const asofs = values.asof === undefined ? [] : [values.asof]
    const queryDeps = { catalog, nowMs }
    const wanted =
      positionals.length === 0
        ? findLatestLedger(queryDeps)
        : findDayLedger(queryDeps, positionals, asofs)
    const form = format === 'table' ? 'json' : format
    const bytes = await ledgerBytes({ dataFolder: values.data, catalog, wanted, format: form })
    const ledger = () => JSON.parse(Buffer.from(bytes).toString())
    if (format === 'table') writeOutput(values.out, Buffer.from(ledgerTable(ledger(), top)))
    else writeOutput(values.out, bytes)
    // a prompt starts on a new line; a file has exactly the bytes of the API
    if (format === 'json' && values.out === undefined) process.stdout.write('\n')
  } catch (error) {
    throw asRefusal(error)
  }
}

function parseTop(text = String(TOP)): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new UsageError(`--top is ${text}; give how many orders to show, such as ${TOP}.`)
}

type LedgerQuestion = {
  readonly dataFolder: string
  readonly catalog: Catalog
  readonly wanted: WantedLedger
  readonly format: Exclude<AsofForm, 'gzip'>
}

async function ledgerBytes(question: LedgerQuestion): Promise<Uint8Array> {
  const { dataFolder, catalog, wanted, format } = question
  const { day, found, note, asofMs } = wanted
  if (!found) return renderForm(emptyLedger(day, note!), format).data
  if (asofMs === null) return (await catalog.readLedger(found.manifest, format)).bytes
  const known = openKnownLedgers(dataFolder)
  try {
    return (await renderAsof(known, found.manifest, asofMs, format)).data
  } finally {
    await known.close()
  }
}

if (import.meta.main) runCommand(() => runOrders(process.argv.slice(2)))
