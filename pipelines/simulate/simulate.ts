import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Input } from '../../src/core/commandRow.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { copyToParquet } from '../../src/core/engine/bulk.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { neighbourSession } from '../../src/core/market/calendar.ts'
import { checkOptions, parseOptions, type SimulateOptions } from './options.ts'
import { fillMarketTables } from './raw.ts'
import { fillPrintTables } from './rawPrints.ts'
import type { SIMULATE } from './rows.ts'
import { simulateSession } from './session.ts'

/** The canonical tape, which an import reads. */
export const TAPE_FILES = ['prints', 'quotes', 'spots', 'open_interest', 'rates'] as const
/** The truth: only a measurement reads it. */
export const TRUTH_FILES = [
  'dealer_positions',
  'truth_parents',
  'truth_prints',
  'truth_legs',
  'truth_book',
  'truth_surface',
] as const

/** Result of a simulation. */
export type Simulated = {
  readonly folder: string
  /** Paths of the canonical files, for an import. */
  readonly files: readonly string[]
  readonly printCount: number
  readonly parentCount: number
}

/** Simulates one session into a folder of Parquet files; the same options give the same bytes. */
export async function runSimulate(
  options: SimulateOptions,
  print: (line: string) => void = () => {},
): Promise<Simulated> {
  checkOptions(options)
  const folder = resolve(options.out)
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Refusal(`--out must name a new or empty folder; ${options.out} holds files.`)
  }
  mkdirSync(dirname(folder), { recursive: true })
  // written to a temporary folder: a session that fails half way leaves nothing behind
  const temporary = mkdtempSync(`${folder}.partial-`)
  const db = await openDatabase({
    threads: options.threads,
    temporaryFolder: join(temporary, 'spill'),
  })
  try {
    const counts = await writeSession(db, { options, folder: temporary, print })
    rmSync(join(temporary, 'spill'), { recursive: true, force: true })
    if (existsSync(folder)) rmdirSync(folder)
    chmodSync(temporary, 0o755) // a temporary folder is private
    renameSync(temporary, folder)
    const files = TAPE_FILES.filter(name => name !== 'quotes' || options.hasQuotes)
    return { folder, files: files.map(name => join(folder, `${name}.parquet`)), ...counts }
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    throw error
  } finally {
    db.close()
  }
}

type Writing = {
  readonly options: SimulateOptions
  readonly folder: string
  readonly print: (line: string) => void
}

async function writeSession(db: Database, { options, folder, print }: Writing) {
  print(`simulating ${options.date}, seed ${options.seed}: ${options.prints} prints`)
  const simulated = simulateSession(options)
  const { tape, chain } = simulated
  const printCount = tape.count()
  const parentCount = tape.parents.length
  print(`${printCount} prints of ${parentCount} orders in ${chain.contractCount} contracts`)
  await db.run('create schema simulate')
  await fillPrintTables(db.connection, simulated, options)
  await fillMarketTables(db.connection, simulated, options)
  const params = {
    session: options.date,
    curve_date: neighbourSession(options.date, -1).date,
    has_conditions: options.hasConditions,
  }
  const rows: Record<string, number> = {}
  for (const name of [...TAPE_FILES, ...TRUTH_FILES]) {
    if (name === 'quotes' && !options.hasQuotes) continue
    const file = join(folder, `${name}.parquet`)
    rows[name] = await copyToParquet(db, { path: `simulate/${name}`, file, params })
    print(`wrote ${name}: ${rows[name]} rows, ${statSync(file).size} bytes`)
  }
  const { out: _, threads: __, ...stated } = options
  const note = { simulated: true, ...stated, contracts_listed: chain.contractCount, rows }
  writeFileSync(join(folder, 'simulation.json'), `${JSON.stringify(note, null, 2)}\n`)
  return { printCount, parentCount }
}

/** Runs `tapefold simulate`. */
export async function simulateCommand(input: Input<typeof SIMULATE>): Promise<void> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const options = parseOptions(input)
  const { folder } = await runSimulate(options, print)
  print(`a simulated session of ${options.date} is in ${folder}`)
}
