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
  const findExpiry = (contract: number) => chain.expiries[chain.expiryByContract[contract]!]!
  await fillTable(connection, 'simulate.raw_contracts', upTo(chain.contractCount), {
    contract: ['integer', contract => contract],
    root: ['varchar', contract => findExpiry(contract).root],
    expiry: ['varchar', contract => findExpiry(contract).date],
    strike: ['double', contract => chain.strikeByContract[contract]!],
    option_type: ['varchar', contract => (isPut(contract) ? 'P' : 'C')],
    open_interest: ['integer', contract => inventory.openInterest[contract]!],
    dealer_quantity: ['integer', contract => inventory.dealerQuantity[contract]!],
  })
}

/** 0, 1, 2 and so on below a count. */
function* upTo(count: number): Generator<number> {
  for (let number = 0; number < count; number++) yield number
}

async function fillSpots(
  connection: DuckDBConnection,
  { market }: SimulatedSession,
): Promise<void> {
  const first = market.openUs - FIRST_SPOT_US
  const seconds = Math.round((market.closeUs - first) / 1e6)
  await fillTable(connection, 'simulate.raw_spots', upTo(seconds), {
    spotted_us: ['double', second => market.originMs * 1000 + first + second * 1e6],
    spot: ['double', second => market.spot[market.toGridIndex(first + second * 1e6)]!],
  })
}

async function fillRates(connection: DuckDBConnection): Promise<void> {
  await fillTable(connection, 'simulate.raw_rates', CURVE, {
    tenor_days: ['integer', ({ tenorDays }) => tenorDays],
    rate: ['double', ({ rate }) => rate],
  })
}

async function fillSurface(
  connection: DuckDBConnection,
  simulated: SimulatedSession,
): Promise<void> {
  const { market, chain } = simulated
  const rows = minutesUs(simulated).flatMap(at => {
    // the state of a minute is the last one before it
    const index = market.toGridIndex(at - 1)
    return chain.expiries
      .filter(expiry => expiry.expiresUs > at)
      .map(expiry => ({ at, index, expiry, spot: market.spot[index]! }))
  })
  await fillTable(connection, 'simulate.raw_surface', rows, {
    minute_us: ['double', ({ at }) => market.originMs * 1000 + at],
    root: ['varchar', ({ expiry }) => expiry.root],
    expiry: ['varchar', ({ expiry }) => expiry.date],
    spot: ['double', ({ spot }) => spot],
    forward: ['double', ({ spot, expiry }) => spot * expiry.carry],
    discount: ['double', ({ expiry }) => expiry.discount],
    total_variance: ['double', ({ expiry, index }) => totalVariance(market, expiry, index)],
    rho: ['double', ({ index }) => market.rho[index]!],
    eta: ['double', () => ETA],
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
  const row = { at: 0, contract: 0, quote: emptyQuote() }
  function* readQuotes() {
    for (const at of minutesUs(simulated)) {
      // contracts are in expiry order, so those that still live are the tail
      const alive = chain.expiries.find(expiry => expiry.expiresUs >= at)
      row.at = at
      row.contract = alive ? alive.firstContract : chain.contractCount
      for (; row.contract < chain.contractCount; row.contract++) {
        quoter.read(row.contract, at - delayUs, row.quote)
        yield row
      }
    }
  }
  await fillTable(connection, 'simulate.raw_quotes', readQuotes(), {
    minute_us: ['double', ({ at }) => market.originMs * 1000 + at],
    contract: ['integer', ({ contract }) => contract],
    bid: ['integer', ({ quote }) => quote.bid],
    ask: ['integer', ({ quote }) => quote.ask],
    bid_size: ['integer', ({ quote }) => quote.bidSize],
    ask_size: ['integer', ({ quote }) => quote.askSize],
    age_us: ['integer', ({ at, quote }) => at - delayUs - quote.quotedUs + statedDelayUs],
  })
}
