import type { DuckDBConnection } from '@duckdb/node-api'
import { fillTable } from '../../src/core/engine/bulk.ts'
import { listMinutes } from '../../src/core/market/calendar.ts'
import { isPut } from './chain.ts'
import { CURVE } from './curve.ts'
import type { SimulateOptions } from './options.ts'
import { ETA, emptyQuote, totalVariance } from './quotes.ts'
import type { SimulatedSession } from './session.ts'

/** Lag of quotes that are made uninformative. */
export const DELAY_US = 15 * 60_000_000
/** The index is given from a minute before the open, so that the first state has a spot. */
const FIRST_SPOT_US = 60_000_000

/** Moves the session's market into the raw tables that `sql/simulate` reads. */
export async function fillMarketTables(
  connection: DuckDBConnection,
  simulated: SimulatedSession,
  options: SimulateOptions,
): Promise<void> {
  await fillContracts(connection, simulated)
  await fillSpots(connection, simulated)
  await fillRates(connection)
  await fillSurface(connection, simulated)
  if (options.hasQuotes) await fillQuotes(connection, simulated, options)
}

/** State minutes, in microseconds since the market's origin. */
function minutesUs({ market }: SimulatedSession): number[] {
  return listMinutes(market.session).map(({ atMs }) => (atMs - market.originMs) * 1000)
}

/** Makes `simulate.raw_contracts`: each listed contract with its open interest and dealers. */
export async function fillContracts(
  connection: DuckDBConnection,
  { chain, inventory }: Pick<SimulatedSession, 'chain' | 'inventory'>,
): Promise<void> {
  await fillTable(connection, {
    table: 'simulate.raw_contracts',
    columns: {
      contract: 'integer',
      root: 'varchar',
      expiry: 'varchar',
      strike: 'double',
      option_type: 'varchar',
      open_interest: 'integer',
      dealer_quantity: 'integer',
    },
    rowCount: chain.contractCount,
    fill: (columns, slot, contract) => {
      const expiry = chain.expiries[chain.expiryByContract[contract]!]!
      columns.contract[slot] = contract
      columns.root[slot] = expiry.root
      columns.expiry[slot] = expiry.date
      columns.strike[slot] = chain.strikeByContract[contract]!
      columns.option_type[slot] = isPut(contract) ? 'P' : 'C'
      columns.open_interest[slot] = inventory.openInterest[contract]!
      columns.dealer_quantity[slot] = inventory.dealerQuantity[contract]!
    },
  })
}

async function fillSpots(
  connection: DuckDBConnection,
  { market }: SimulatedSession,
): Promise<void> {
  const first = market.openUs - FIRST_SPOT_US
  await fillTable(connection, {
    table: 'simulate.raw_spots',
    columns: { spotted_us: 'double', spot: 'double' },
    rowCount: Math.round((market.closeUs - first) / 1e6),
    fill: (columns, slot, row) => {
      const at = first + row * 1e6
      columns.spotted_us[slot] = market.originMs * 1000 + at
      columns.spot[slot] = market.spot[market.toGridIndex(at)]!
    },
  })
}

async function fillRates(connection: DuckDBConnection): Promise<void> {
  await fillTable(connection, {
    table: 'simulate.raw_rates',
    columns: { tenor_days: 'integer', rate: 'double' },
    rowCount: CURVE.length,
    fill: (columns, slot, row) => {
      columns.tenor_days[slot] = CURVE[row]!.tenorDays
      columns.rate[slot] = CURVE[row]!.rate
    },
  })
}

async function fillSurface(
  connection: DuckDBConnection,
  simulated: SimulatedSession,
): Promise<void> {
  const { market, chain } = simulated
  const rows = minutesUs(simulated).flatMap(at =>
    chain.expiries.filter(expiry => expiry.expiresUs > at).map(expiry => ({ at, expiry })),
  )
  await fillTable(connection, {
    table: 'simulate.raw_surface',
    columns: {
      minute_us: 'double',
      root: 'varchar',
      expiry: 'varchar',
      spot: 'double',
      forward: 'double',
      discount: 'double',
      total_variance: 'double',
      rho: 'double',
      eta: 'double',
    },
    rowCount: rows.length,
    fill: (columns, slot, row) => {
      const { at, expiry } = rows[row]!
      // the state of a minute is the last one before it
      const index = market.toGridIndex(at - 1)
      columns.minute_us[slot] = market.originMs * 1000 + at
      columns.root[slot] = expiry.root
      columns.expiry[slot] = expiry.date
      columns.spot[slot] = market.spot[index]!
      columns.forward[slot] = market.spot[index]! * expiry.carry
      columns.discount[slot] = expiry.discount
      columns.total_variance[slot] = totalVariance(market, expiry, index)
      columns.rho[slot] = market.rho[index]!
      columns.eta[slot] = ETA
    },
  })
}

async function fillQuotes(
  connection: DuckDBConnection,
  simulated: SimulatedSession,
  options: SimulateOptions,
): Promise<void> {
  const { market, chain, quoter } = simulated
  const delayUs = options.quoteDelay === 'none' ? 0 : DELAY_US
  const statedDelayUs = options.quoteDelay === 'stated' ? DELAY_US : 0
  const minutes = minutesUs(simulated)
  // contracts are in expiry order, so those that still live are the tail
  const firstAlive = minutes.map(at => {
    const alive = chain.expiries.find(expiry => expiry.expiresUs >= at)
    return alive ? alive.firstContract : chain.contractCount
  })
  const quote = emptyQuote()
  let minute = 0
  let contract = firstAlive[0]! - 1
  await fillTable(connection, {
    table: 'simulate.raw_quotes',
    columns: {
      minute_us: 'double',
      contract: 'integer',
      bid: 'integer',
      ask: 'integer',
      bid_size: 'integer',
      ask_size: 'integer',
      age_us: 'integer',
    },
    rowCount: firstAlive.reduce((sum, first) => sum + chain.contractCount - first, 0),
    fill: (columns, slot) => {
      contract++
      if (contract === chain.contractCount) {
        minute++
        contract = firstAlive[minute]!
      }
      const at = minutes[minute]!
      quoter.read(contract, at - delayUs, quote)
      columns.minute_us[slot] = market.originMs * 1000 + at
      columns.contract[slot] = contract
      columns.bid[slot] = quote.bid
      columns.ask[slot] = quote.ask
      columns.bid_size[slot] = quote.bidSize
      columns.ask_size[slot] = quote.askSize
      columns.age_us[slot] = at - delayUs - quote.quotedUs + statedDelayUs
    },
  })
}
