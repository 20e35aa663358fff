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
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Input } from '../../src/core/commandRow.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { copyToParquet, fillTable } from '../../src/core/engine/bulk.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { neighbourSession } from '../../src/core/market/calendar.ts'
import { checkOptions, parseOptions, type SimulateOptions } from './options.ts'
import { emptyQuote, type Quote } from './quotes.ts'
import { createRandom, hashSeed, hashUnit } from './random.ts'
import { DELAY_US, fillMarketTables } from './raw.ts'
import type { SIMULATE } from './rows.ts'
import { type SimulatedSession, simulateSession } from './session.ts'
import type { Parent } from './tape.ts'

/** Moves the prints, in tape order, and the true orders behind them into raw tables. */
async function fillPrintTables(
  connection: DuckDBConnection,
  simulated: SimulatedSession,
  options: SimulateOptions,
): Promise<void> {
  const { tape, order } = simulated
  const { parent } = tape.columns()
  // an order is numbered by its first print
  const parentIds = new Int32Array(tape.parents.length)
  const numbered: Parent[] = []
  for (const print of order) {
    const index = parent[print]!
    if (parentIds[index] === 0) parentIds[index] = numbered.push(tape.parents[index]!)
  }
  const canonical = tape.parents.map(canonicalOrder)
  await fillPrints(connection, { simulated, options, parentIds, canonical })
  await fillParents(connection, numbered)
  await fillLegs(connection, numbered)
}

/** Indices of the legs by expiry, strike, C before P: contracts are numbered that way. */
const canonicalOrder = ({ legs }: Parent): number[] =>
  legs.map((_, i) => i).sort((one, other) => legs[one]!.contract - legs[other]!.contract)

type Numbering = {
  readonly simulated: SimulatedSession
  readonly options: SimulateOptions
  readonly parentIds: Int32Array
  readonly canonical: readonly (readonly number[])[]
}

async function fillPrints(connection: DuckDBConnection, numbering: Numbering): Promise<void> {
  const { simulated, options, parentIds, canonical } = numbering
  const { market, tape, cancelled, order } = simulated
  const prints = tape.columns()
  const isTarget = new Uint8Array(prints.count)
  for (const target of cancelled) if (target >= 0) isTarget[target] = 1
  const sequences = numberPrints(prints.count, options.seed)
  const tradeNoise = hashSeed(options.seed, 'trades')
  const readQuote = createPrintQuotes(simulated, options)
  const quantum = options.stamps === 'ms' ? 1000 : 1
  const toUtcUs = (us: number) => market.originMs * 1000 + us
  function* readPrints() {
    for (const [row, print] of order.entries()) {
      const printedUs = Math.floor(prints.timeUs[print]! / quantum) * quantum
      const quote = readQuote(print, printedUs)
      const target = cancelled[print]!
      yield { row, print, target, parent: prints.parent[print]!, printedUs, quote }
    }
  }
  await fillTable(connection, 'simulate.raw_prints', readPrints(), {
    sequence: ['double', ({ row }) => sequences[row]!],
    printed_us: ['double', ({ printedUs }) => toUtcUs(printedUs)],
    contract: ['integer', ({ print }) => prints.contract[print]!],
    size: ['integer', ({ print }) => prints.size[print]!],
    cents: ['integer', ({ print }) => prints.cents[print]!],
    letter: ['integer', ({ print }) => prints.letter[print]!],
    trade_number: [
      'double',
      ({ print, target }) => tradeNumber(tradeNoise, target >= 0 ? target : print),
    ],
    bid: ['integer', ({ quote }) => quote.bid],
    ask: ['integer', ({ quote }) => quote.ask],
    bid_size: ['integer', ({ quote }) => quote.bidSize],
    ask_size: ['integer', ({ quote }) => quote.askSize],
    quoted_us: ['double', ({ quote }) => (quote.quotedUs === 0 ? 0 : toUtcUs(quote.quotedUs))],
    spot: ['double', ({ printedUs }) => market.spot[market.toGridIndex(printedUs)]!],
    parent_id: ['integer', ({ parent }) => parentIds[parent]!],
    leg_number: [
      'integer',
      ({ parent, print }) => canonical[parent]!.indexOf(prints.leg[print]!) + 1,
    ],
    fill_number: ['integer', ({ print }) => prints.fill[print]!],
    is_cancel: ['integer', ({ target }) => (target >= 0 ? 1 : 0)],
    is_cancelled: ['integer', ({ print }) => isTarget[print]!],
  })
}

/** The NBBO of a print: strictly before it, and none once the contract has expired. */
function createPrintQuotes(
  { market, chain, quoter, tape }: SimulatedSession,
  { quoteDelay }: SimulateOptions,
): (print: number, printedUs: number) => Quote {
  const { contract, cents, shown } = tape.columns()
  const delayUs = quoteDelay === 'none' ? 0 : DELAY_US
  const quote = emptyQuote()
  const none = emptyQuote()
  return (print, printedUs) => {
    const expiry = chain.expiries[chain.expiryByContract[contract[print]!]!]!
    const isQuoted = printedUs < expiry.expiresUs && printedUs < market.endUs
    if (!isQuoted) return none
    quoter.read(contract[print]!, printedUs - delayUs, quote)
    if (quoteDelay === 'unstated') quote.quotedUs = 0
    if (delayUs > 0) return quote
    if (shown[print]! > 0 && cents[print] === quote.bid) quote.bidSize = shown[print]!
    if (shown[print]! > 0 && cents[print] === quote.ask) quote.askSize = shown[print]!
    return quote
  }
}

/** Rising numbers with gaps, since the feed carries other messages too; independent of orders. */
function numberPrints(count: number, seed: number): Float64Array {
  const random = createRandom(seed, 'sequences')
  let sequence = 0
  return Float64Array.from({ length: count }, () => {
    sequence += random.chance(0.3) ? 1 + Math.ceil(random.exponential(6)) : 1
    return sequence
  })
}

/** Ten digits independent of the order; one print always has the same ones. */
const tradeNumber = (noise: number, print: number): number =>
  Math.floor(hashUnit(noise, print, 1) * 9e9) + 1e9

async function fillParents(
  connection: DuckDBConnection,
  parents: readonly Parent[],
): Promise<void> {
  await fillTable(connection, 'simulate.raw_parents', parents.entries(), {
    parent_id: ['integer', ([index]) => index + 1],
    structure: ['varchar', ([, parent]) => parent.structure],
    has_combo: ['integer', ([, parent]) => (parent.hasCombo ? 1 : 0)],
    print_class: ['varchar', ([, parent]) => parent.orderClass],
    customer_sign: ['integer', ([, parent]) => (parent.hasSide ? orientation(parent) : 0)],
    size: ['integer', ([, parent]) => parent.size],
    leg_count: ['integer', ([, parent]) => parent.legs.length],
    is_initiated: ['integer', ([, parent]) => (parent.isInitiated ? 1 : 0)],
    net_cents: ['integer', ([, parent]) => parent.netCents * orientation(parent)],
  })
}

async function fillLegs(connection: DuckDBConnection, parents: readonly Parent[]): Promise<void> {
  const legs = parents.flatMap((parent, index) =>
    canonicalOrder(parent).map((leg, at) => ({ ...parent.legs[leg]!, parent, index, at })),
  )
  await fillTable(connection, 'simulate.raw_legs', legs, {
    parent_id: ['integer', ({ index }) => index + 1],
    leg_number: ['integer', ({ at }) => at + 1],
    contract: ['integer', ({ contract }) => contract],
    ratio: ['integer', ({ ratio }) => ratio],
    package_sign: ['integer', ({ sign, parent }) => sign * orientation(parent)],
    customer_sign: ['integer', ({ sign, parent }) => (parent.hasSide ? sign : 0)],
  })
}

/** +1 when the customer bought the pattern whose first canonical leg is bought. */
const orientation = ({ legs }: Parent): number =>
  legs.reduce((first, leg) => (leg.contract < first.contract ? leg : first)).sign

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
