import { fillTable } from '../../src/core/engine/bulk.ts'
import type { Database } from '../../src/core/engine/database.ts'
import { listMinutes, type Session } from '../../src/core/market/calendar.ts'
import { type LabExpiry, NO_AGE, NO_QUOTE } from '../../src/lab/market/session.ts'
import type { LabShown } from './labMarket.ts'
import type { LabOrderVersion } from './labOrders.ts'

/** Delay after the start of its minute at which an order becomes known. */
const VISIBLE_AFTER_MS = 40_000
const PRINTED_AFTER_MS = 10_000

/** All state minutes of the day: nothing is known at 09:30, and after the close but the index. */
export async function fillStates(db: Database, day: Session, { session }: LabShown): Promise<void> {
  const minutes = listMinutes(day)
  const { market, stateCount, expiries } = session
  const { forward, discount } = expiries[0]!
  await fillTable(db.connection, {
    table: 'simulate.lab_states',
    columns: {
      state: 'double',
      minute_et: 'varchar',
      at_ms: 'double',
      spot: 'double',
      open: 'double',
      previous_close: 'double',
      expected_move: 'double',
      session_expected_move: 'double',
      forward: 'double',
      discount: 'double',
      net_gamma: 'double',
      flip: 'double',
      call_wall: 'double',
      put_wall: 'double',
    } as const,
    rowCount: minutes.length,
    fill: (columns, slot, row) => {
      const state = row - 1
      const last = Math.min(state, stateCount - 1)
      const known = (values: Float64Array) => values[state] ?? Number.NaN
      columns.state[slot] = state
      columns.minute_et[slot] = minutes[row]!.minute
      columns.at_ms[slot] = minutes[row]!.atMs
      columns.spot[slot] = market.spot[last] ?? Number.NaN
      columns.open[slot] = market.open[last] ?? Number.NaN
      columns.previous_close[slot] = market.previousClose[0]!
      columns.expected_move[slot] = known(market.expectedMove)
      columns.session_expected_move[slot] = market.sessionExpectedMove[last] ?? Number.NaN
      columns.forward[slot] = known(forward)
      columns.discount[slot] = known(discount)
      columns.net_gamma[slot] = known(market.netGamma)
      columns.flip[slot] = known(market.flip)
      columns.call_wall[slot] = known(market.callWall)
      columns.put_wall[slot] = known(market.putWall)
    },
  })
  await fillTable(db.connection, {
    table: 'simulate.lab_settled',
    columns: { value: 'double' } as const,
    rowCount: 1,
    fill: (columns, slot) => {
      columns.value[slot] = session.settlement ?? Number.NaN
    },
  })
}

/** The versions of the large orders. */
export async function fillVersions(
  db: Database,
  day: Session,
  { session, versions }: LabShown,
): Promise<void> {
  const minutes = listMinutes(day)
  // records first known at state i came in the minute before it, minute i of the session
  const atMs = (state: number) => minutes[state]!.atMs
  const toColumns = (version: LabOrderVersion) => ({
    number: version.number,
    revision: version.revision,
    printed_at_ms: atMs(version.printedState) + PRINTED_AFTER_MS,
    visible_at_ms: atMs(version.fromState) + VISIBLE_AFTER_MS,
    superseded_at_ms:
      version.untilState < session.stateCount
        ? atMs(version.untilState) + VISIBLE_AFTER_MS
        : Number.NaN,
    premium_usd: version.premiumUsd,
    gamma: version.gamma,
    strike: 5 * Math.round(session.market.spot[version.printedState]! / 5),
  })
  await fillTable(db.connection, {
    table: 'simulate.lab_versions',
    columns: {
      minute_et: 'varchar',
      number: 'double',
      revision: 'double',
      printed_at_ms: 'double',
      visible_at_ms: 'double',
      superseded_at_ms: 'double',
      premium_usd: 'double',
      gamma: 'double',
      strike: 'double',
    } as const,
    rowCount: versions.length,
    fill: ({ minute_et, ...columns }, slot, row) => {
      const version = versions[row]!
      minute_et[slot] = minutes[version.printedState]!.minute
      for (const [name, value] of Object.entries(toColumns(version))) {
        columns[name as keyof typeof columns][slot] = value
      }
    },
  })
}

/** Quotes, terms and smiles of all expiries of a day. */
export async function fillExpiries(db: Database, { session }: LabShown): Promise<void> {
  const { stateCount, expiries } = session
  const terms = expiries.flatMap((expiry, dte) => (expiry === null ? [] : [{ expiry, dte }]))
  await fillTable(db.connection, {
    table: 'simulate.lab_expiries',
    columns: { dte: 'double', expiry: 'varchar', tick: 'double' } as const,
    rowCount: terms.length,
    fill: (columns, slot, row) => {
      columns.dte[slot] = terms[row]!.dte
      columns.expiry[slot] = terms[row]!.expiry.expiry
      columns.tick[slot] = terms[row]!.expiry.tick
    },
  })
  await fillTable(db.connection, {
    table: 'simulate.lab_terms',
    columns: {
      dte: 'double',
      state: 'double',
      seconds_left: 'double',
      forward: 'double',
      discount: 'double',
    } as const,
    rowCount: terms.length * stateCount,
    fill: (columns, slot, row) => {
      const { expiry, dte } = terms[Math.floor(row / stateCount)]!
      const state = row % stateCount
      columns.dte[slot] = dte
      columns.state[slot] = state
      columns.seconds_left[slot] = Math.round(expiry.years[state]! * 31_536_000)
      columns.forward[slot] = expiry.forward[state]!
      columns.discount[slot] = expiry.discount[state]!
    },
  })
  await fillSmiles(db, terms)
  await fillQuotes(db, terms)
}

type Term = { readonly expiry: LabExpiry; readonly dte: number }

async function fillSmiles(db: Database, terms: readonly Term[]): Promise<void> {
  const points = terms.flatMap(({ expiry, dte }) => {
    const states = [...expiry.forward.keys()]
    return states.flatMap(state =>
      Array.from({ length: expiry.smileFrom[state + 1]! - expiry.smileFrom[state]! }, (_, i) => ({
        expiry,
        dte,
        state,
        point: expiry.smileFrom[state]! + i,
      })),
    )
  })
  await fillTable(db.connection, {
    table: 'simulate.lab_smiles',
    columns: {
      dte: 'double',
      state: 'double',
      strike: 'double',
      total_variance: 'double',
    } as const,
    rowCount: points.length,
    fill: (columns, slot, row) => {
      const { expiry, dte, state, point } = points[row]!
      columns.dte[slot] = dte
      columns.state[slot] = state
      columns.strike[slot] = expiry.smileStrikes[point]!
      columns.total_variance[slot] = expiry.smileTotalVariances[point]!
    },
  })
}

/** Every cell that has a quote of either type. */
async function fillQuotes(db: Database, terms: readonly Term[]): Promise<void> {
  const cells = terms.flatMap(term =>
    Array.from(term.expiry.callAge.keys())
      .filter(cell => term.expiry.callAge[cell] !== NO_AGE || term.expiry.putAge[cell] !== NO_AGE)
      .map(cell => ({ term, cell })),
  )
  const steps = (value: number) => (value === NO_QUOTE ? Number.NaN : value)
  const age = (value: number) => (value === NO_AGE ? Number.NaN : value)
  await fillTable(db.connection, {
    table: 'simulate.lab_quotes',
    columns: {
      dte: 'double',
      state: 'double',
      strike: 'double',
      call_bid: 'double',
      call_ask: 'double',
      call_age: 'double',
      put_bid: 'double',
      put_ask: 'double',
      put_age: 'double',
    } as const,
    rowCount: cells.length,
    fill: (columns, slot, row) => {
      const { term, cell } = cells[row]!
      const { expiry, dte } = term
      const strike = cell % expiry.strikes.length
      columns.dte[slot] = dte
      columns.state[slot] = Math.floor(cell / expiry.strikes.length)
      columns.strike[slot] = expiry.strikes[strike]!
      columns.call_bid[slot] = steps(expiry.callBid[cell]!)
      columns.call_ask[slot] = steps(expiry.callAsk[cell]!)
      columns.call_age[slot] = age(expiry.callAge[cell]!)
      columns.put_bid[slot] = steps(expiry.putBid[cell]!)
      columns.put_ask[slot] = steps(expiry.putAsk[cell]!)
      columns.put_age[slot] = age(expiry.putAge[cell]!)
    },
  })
}
