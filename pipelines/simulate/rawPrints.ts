import type { DuckDBConnection } from '@duckdb/node-api'
import { fillTable } from '../../src/engine/bulk.ts'
import type { SimulateOptions } from './options.ts'
import { emptyQuote, type Quote } from './quotes.ts'
import { createRandom, hashSeed, hashUnit } from './random.ts'
import { DELAY_US } from './raw.ts'
import type { SimulatedSession } from './session.ts'
import type { Parent } from './tape.ts'

/** Moves the prints, in tape order, and the true orders behind them into raw tables. */
export async function fillPrintTables(
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

/** Places of the legs by expiry, strike, C before P: contracts are numbered that way. */
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
  await fillTable(connection, {
    table: 'simulate.raw_prints',
    columns: {
      sequence: 'double',
      printed_us: 'double',
      contract: 'integer',
      size: 'integer',
      cents: 'integer',
      letter: 'integer',
      trade_number: 'double',
      bid: 'integer',
      ask: 'integer',
      bid_size: 'integer',
      ask_size: 'integer',
      quoted_us: 'double',
      spot: 'double',
      parent_id: 'integer',
      leg_number: 'integer',
      fill_number: 'integer',
      is_cancel: 'integer',
      is_cancelled: 'integer',
    },
    rowCount: prints.count,
    fill: (columns, place, row) => {
      const print = order[row]!
      const target = cancelled[print]!
      const parent = prints.parent[print]!
      const printedUs = Math.floor(prints.timeUs[print]! / quantum) * quantum
      const quote = readQuote(print, printedUs)
      columns.sequence[place] = sequences[row]!
      columns.printed_us[place] = market.originMs * 1000 + printedUs
      columns.contract[place] = prints.contract[print]!
      columns.size[place] = prints.size[print]!
      columns.cents[place] = prints.cents[print]!
      columns.letter[place] = prints.letter[print]!
      columns.trade_number[place] = tradeNumber(tradeNoise, target >= 0 ? target : print)
      columns.bid[place] = quote.bid
      columns.ask[place] = quote.ask
      columns.bid_size[place] = quote.bidSize
      columns.ask_size[place] = quote.askSize
      columns.quoted_us[place] = quote.quotedUs === 0 ? 0 : market.originMs * 1000 + quote.quotedUs
      columns.spot[place] = market.spot[market.indexOf(printedUs)]!
      columns.parent_id[place] = parentIds[parent]!
      columns.leg_number[place] = canonical[parent]!.indexOf(prints.leg[print]!) + 1
      columns.fill_number[place] = prints.fill[print]!
      columns.is_cancel[place] = target >= 0 ? 1 : 0
      columns.is_cancelled[place] = isTarget[print]!
    },
  })
}

/** The NBBO beside a print: strictly before it, and none once the contract has expired. */
function createPrintQuotes(
  { market, chain, quoter, tape }: SimulatedSession,
  { quoteDelay }: SimulateOptions,
): (print: number, printedUs: number) => Quote {
  const { contract, cents, size, shown } = tape.columns()
  const delayUs = quoteDelay === 'none' ? 0 : DELAY_US
  const quote = emptyQuote()
  const none = emptyQuote()
  return (print, printedUs) => {
    const expiry = chain.expiries[chain.expiryOf[contract[print]!]!]!
    const isQuoted = printedUs < expiry.expiresUs && printedUs < market.endUs
    if (!isQuoted) return none
    quoter.read(contract[print]!, printedUs - delayUs, quote)
    if (quoteDelay === 'unstated') quote.quotedUs = 0
    if (delayUs > 0) return quote
    if (shown[print] === 1 && cents[print] === quote.bid) quote.bidSize = size[print]!
    if (shown[print] === 2 && cents[print] === quote.ask) quote.askSize = size[print]!
    return quote
  }
}

/** Rising numbers with gaps, for the feed carries other messages too; blind to orders. */
function numberPrints(count: number, seed: number): Float64Array {
  const random = createRandom(seed, 'sequences')
  let sequence = 0
  return Float64Array.from({ length: count }, () => {
    sequence += random.chance(0.3) ? 1 + Math.ceil(random.exponential(6)) : 1
    return sequence
  })
}

/** Ten digits that say nothing of the order; one print always has the same ones. */
const tradeNumber = (noise: number, print: number): number =>
  Math.floor(hashUnit(noise, print, 1) * 9e9) + 1e9

async function fillParents(
  connection: DuckDBConnection,
  parents: readonly Parent[],
): Promise<void> {
  await fillTable(connection, {
    table: 'simulate.raw_parents',
    columns: {
      parent_id: 'integer',
      structure: 'varchar',
      has_combo: 'integer',
      print_class: 'varchar',
      customer_sign: 'integer',
      size: 'integer',
      leg_count: 'integer',
      is_initiated: 'integer',
      net_cents: 'integer',
    },
    rowCount: parents.length,
    fill: (columns, place, row) => {
      const parent = parents[row]!
      const turn = orientation(parent)
      columns.parent_id[place] = row + 1
      columns.structure[place] = parent.structure
      columns.has_combo[place] = parent.hasCombo ? 1 : 0
      columns.print_class[place] = parent.orderClass
      columns.customer_sign[place] = parent.hasSide ? turn : 0
      columns.size[place] = parent.size
      columns.leg_count[place] = parent.legs.length
      columns.is_initiated[place] = parent.isInitiated ? 1 : 0
      columns.net_cents[place] = parent.netCents * turn
    },
  })
}

async function fillLegs(connection: DuckDBConnection, parents: readonly Parent[]): Promise<void> {
  const rows = parents.flatMap((parent, index) =>
    canonicalOrder(parent).map((leg, place) => ({ parent, index, leg, place })),
  )
  await fillTable(connection, {
    table: 'simulate.raw_legs',
    columns: {
      parent_id: 'integer',
      leg_number: 'integer',
      contract: 'integer',
      ratio: 'integer',
      package_sign: 'integer',
      customer_sign: 'integer',
    },
    rowCount: rows.length,
    fill: (columns, at, row) => {
      const { parent, index, leg, place } = rows[row]!
      const { contract, ratio, sign } = parent.legs[leg]!
      columns.parent_id[at] = index + 1
      columns.leg_number[at] = place + 1
      columns.contract[at] = contract
      columns.ratio[at] = ratio
      columns.package_sign[at] = sign * orientation(parent)
      columns.customer_sign[at] = parent.hasSide ? sign : 0
    },
  })
}

/** +1 when the customer bought the pattern whose first canonical leg is bought. */
const orientation = ({ legs }: Parent): number =>
  legs.reduce((first, leg) => (leg.contract < first.contract ? leg : first)).sign
