import type { DuckDBConnection } from '@duckdb/node-api'
import { fillTable } from '../../src/core/engine/bulk.ts'
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
    fill: (columns, slot, row) => {
      const print = order[row]!
      const target = cancelled[print]!
      const parent = prints.parent[print]!
      const printedUs = Math.floor(prints.timeUs[print]! / quantum) * quantum
      const quote = readQuote(print, printedUs)
      columns.sequence[slot] = sequences[row]!
      columns.printed_us[slot] = market.originMs * 1000 + printedUs
      columns.contract[slot] = prints.contract[print]!
      columns.size[slot] = prints.size[print]!
      columns.cents[slot] = prints.cents[print]!
      columns.letter[slot] = prints.letter[print]!
      columns.trade_number[slot] = tradeNumber(tradeNoise, target >= 0 ? target : print)
      columns.bid[slot] = quote.bid
      columns.ask[slot] = quote.ask
      columns.bid_size[slot] = quote.bidSize
      columns.ask_size[slot] = quote.askSize
      columns.quoted_us[slot] = quote.quotedUs === 0 ? 0 : market.originMs * 1000 + quote.quotedUs
      columns.spot[slot] = market.spot[market.toGridIndex(printedUs)]!
      columns.parent_id[slot] = parentIds[parent]!
      columns.leg_number[slot] = canonical[parent]!.indexOf(prints.leg[print]!) + 1
      columns.fill_number[slot] = prints.fill[print]!
      columns.is_cancel[slot] = target >= 0 ? 1 : 0
      columns.is_cancelled[slot] = isTarget[print]!
    },
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
    fill: (columns, slot, row) => {
      const parent = parents[row]!
      const orientationSign = orientation(parent)
      columns.parent_id[slot] = row + 1
      columns.structure[slot] = parent.structure
      columns.has_combo[slot] = parent.hasCombo ? 1 : 0
      columns.print_class[slot] = parent.orderClass
      columns.customer_sign[slot] = parent.hasSide ? orientationSign : 0
      columns.size[slot] = parent.size
      columns.leg_count[slot] = parent.legs.length
      columns.is_initiated[slot] = parent.isInitiated ? 1 : 0
      columns.net_cents[slot] = parent.netCents * orientationSign
    },
  })
}

async function fillLegs(connection: DuckDBConnection, parents: readonly Parent[]): Promise<void> {
  const rows = parents.flatMap((parent, index) =>
    canonicalOrder(parent).map((leg, legIndex) => ({ parent, index, leg, legIndex })),
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
      const { parent, index, leg, legIndex } = rows[row]!
      const { contract, ratio, sign } = parent.legs[leg]!
      columns.parent_id[at] = index + 1
      columns.leg_number[at] = legIndex + 1
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
