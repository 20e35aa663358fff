import type { DuckDBConnection } from '@duckdb/node-api'
import { fillTable } from '../../src/engine/bulk.ts'
import { minutesOf } from '../../src/market/calendar.ts'
import { isPut } from './chain.ts'
import { CURVE } from './curve.ts'
import type { SimulateOptions } from './options.ts'
import { ETA, emptyQuote, totalVariance } from './quotes.ts'
import type { SimulatedSession } from './session.ts'

/** How far quotes lag when they are made uninformative. */
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
  return minutesOf(market.session).map(({ atMs }) => (atMs - market.originMs) * 1000)
}

async function fillContracts(
  connection: DuckDBConnection,
  { chain, inventory }: SimulatedSession,
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
    fill: (columns, place, contract) => {
      const expiry = chain.expiries[chain.expiryOf[contract]!]!
      columns.contract[place] = contract
      columns.root[place] = expiry.root
      columns.expiry[place] = expiry.date
      columns.strike[place] = chain.strikeOf[contract]!
      columns.option_type[place] = isPut(contract) ? 'P' : 'C'
      columns.open_interest[place] = inventory.openInterest[contract]!
      columns.dealer_quantity[place] = inventory.dealerQuantity[contract]!
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
    fill: (columns, place, row) => {
      const at = first + row * 1e6
      columns.spotted_us[place] = market.originMs * 1000 + at
      columns.spot[place] = market.spot[market.indexOf(at)]!
    },
  })
}

async function fillRates(connection: DuckDBConnection): Promise<void> {
  await fillTable(connection, {
    table: 'simulate.raw_rates',
    columns: { tenor_days: 'integer', rate: 'double' },
    rowCount: CURVE.length,
    fill: (columns, place, row) => {
      columns.tenor_days[place] = CURVE[row]!.tenorDays
      columns.rate[place] = CURVE[row]!.rate
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
    fill: (columns, place, row) => {
      const { at, expiry } = rows[row]!
      // the state of a minute is what stood before it
      const index = market.indexOf(at - 1)
      columns.minute_us[place] = market.originMs * 1000 + at
      columns.root[place] = expiry.root
      columns.expiry[place] = expiry.date
      columns.spot[place] = market.spot[index]!
      columns.forward[place] = market.spot[index]! * expiry.carry
      columns.discount[place] = expiry.discount
      columns.total_variance[place] = totalVariance(market, expiry, index)
      columns.rho[place] = market.rho[index]!
      columns.eta[place] = ETA
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
    fill: (columns, place) => {
      contract++
      if (contract === chain.contractCount) {
        minute++
        contract = firstAlive[minute]!
      }
      const at = minutes[minute]!
      quoter.read(contract, at - delayUs, quote)
      columns.minute_us[place] = market.originMs * 1000 + at
      columns.contract[place] = contract
      columns.bid[place] = quote.bid
      columns.ask[place] = quote.ask
      columns.bid_size[place] = quote.bidSize
      columns.ask_size[place] = quote.askSize
      columns.age_us[place] = at - delayUs - quote.quotedUs + statedDelayUs
    },
  })
}
