import { systemClock } from '../core/clock.ts'
import { UsageError } from '../core/command.ts'
import type { Input } from '../core/commandRow.ts'
import { dateArgument } from '../core/days.ts'
import { writeOutput } from '../core/disk/files.ts'
import { type Catalog, openCatalog } from '../data/published/catalog.ts'
import { openKnownLedgers } from '../data/published/knownLedgers.ts'
import { warnNothingPublished } from '../data/published/nothingPublished.ts'
import { findDayLedger, findLatestLedger, type WantedLedger } from './ask.ts'
import { type AsofForm, renderAsof } from './asof.ts'
import { type ORDERS, TOP } from './commandRow.ts'
import { ledgerTable } from './ledgerTable.ts'
import { renderForm } from './render.ts'
import { emptyLedger } from './wire.ts'

const FORMATS = ['json', 'csv', 'parquet', 'arrow', 'table'] as const
/** Runs `tapefold orders`. */
export async function ordersCommand(input: Input<typeof ORDERS>): Promise<void> {
  const { data, asof, out, top } = input
  const [day] = input.words
  const isSeen = out === undefined && process.stdout.isTTY
  const named = input.format ?? (isSeen ? 'table' : 'json')
  const format = FORMATS.find(known => known === named)
  if (!format) throw new UsageError(`--format is ${named}; give ${FORMATS.join(', ')}.`)
  if (top !== undefined && format !== 'table') {
    throw new UsageError('--top is for the table: add --format table.')
  }
  if (day === undefined && asof !== undefined) {
    throw new UsageError('--asof needs its day, such as orders 2026-10-15 --asof 10:37.')
  }
  if (day !== undefined) dateArgument(day)
  warnNothingPublished(data)
  const { nowMs } = systemClock
  const catalog = openCatalog({ dataFolder: data, nowMs, log: { error: () => {} } })
  const asofs = asof === undefined ? [] : [asof]
  const queryDeps = { catalog, nowMs }
  const wanted =
    day === undefined ? findLatestLedger(queryDeps) : findDayLedger(queryDeps, [day], asofs)
  const form = format === 'table' ? 'json' : format
  const bytes = await ledgerBytes({ dataFolder: data, catalog, wanted, format: form })
  const ledger = () => JSON.parse(Buffer.from(bytes).toString())
  if (format === 'table') writeOutput(out, Buffer.from(ledgerTable(ledger(), top ?? TOP)))
  else writeOutput(out, bytes)
  // a prompt starts on a new line; a file has exactly the bytes of the API
  if (format === 'json' && out === undefined) process.stdout.write('\n')
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
