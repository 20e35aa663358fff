import { systemClock } from '../../src/clock.ts'
import { readArguments, UsageError } from '../../src/command.ts'
import { askDay, askLatest, type WantedLedger } from '../../src/orders/ask.ts'
import { type AsofForm, renderAsof } from '../../src/orders/asof.ts'
import { renderForm } from '../../src/orders/render.ts'
import { emptyLedger } from '../../src/orders/wire.ts'
import { type Catalog, openCatalog } from '../../src/published/catalog.ts'
import { openKnownLedgers } from '../../src/published/known.ts'
import { asRefusal, runCommand, writeAnswer } from './command.ts'

const FORMATS = ['json', 'csv', 'parquet', 'arrow'] as const

const USAGE = `usage: tapefold orders [DAY] [--asof HH:MM] [--format F] [--out FILE] [--data DIR]

Prints the ledger of a day, or of the newest session, as the Orders API answers it.

  --asof HH:MM  only what was known before this ET minute
  --format F    json, csv, parquet or arrow (json)
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
      format: { type: 'string', default: 'json' },
      out: { type: 'string' },
    },
  })
  const format = FORMATS.find(known => known === values.format)
  if (!format) throw new UsageError(`--format is ${values.format}; give ${FORMATS.join(', ')}.`)
  if (positionals.length > 1) throw new UsageError('orders takes one day, such as 2026-10-15.')
  if (positionals.length === 0 && values.asof !== undefined) {
    throw new UsageError('--asof needs its day, such as orders 2026-10-15 --asof 10:37.')
  }
  const { nowMs } = systemClock
  const catalog = openCatalog({ dataFolder: values.data, nowMs, log: { error: () => {} } })
  try {
    const asofs = values.asof === undefined ? [] : [values.asof]
    const asked = { catalog, nowMs }
    const wanted = positionals.length === 0 ? askLatest(asked) : askDay(asked, positionals, asofs)
    const bytes = await ledgerBytes({ dataFolder: values.data, catalog, wanted, format })
    writeAnswer(values.out, bytes)
  } catch (error) {
    throw asRefusal(error)
  }
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
