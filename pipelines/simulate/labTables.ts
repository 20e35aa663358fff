import { fillTable } from '../../src/core/engine/bulk.ts'
import type { Database } from '../../src/core/engine/database.ts'
import { listMinutes, type Session } from '../../src/core/market/calendar.ts'
import { type LabExpiry, NO_AGE, NO_QUOTE } from '../../src/lab/market/session.ts'
import type { LabShown } from './labMarket.ts'

/** Delay after the start of its minute at which an order becomes known. */
const VISIBLE_AFTER_MS = 40_000
const PRINTED_AFTER_MS = 10_000

/** All state minutes of the day: nothing is known at 09:30, and after the close but the index. */
export async function fillStates(db: Database, day: Session, { session }: LabShown): Promise<void> {
  const { market, stateCount, expiries } = session
  const { forward, discount } = expiries[0]!
  const rows = listMinutes(day).map(({ minute, atMs }, row) => {
    const state = row - 1
    return { minute, atMs, state, last: Math.min(state, stateCount - 1) }
  })
  type Row = (typeof rows)[number]
  const valuesAt = (values: Float64Array, at: 'state' | 'last' = 'state') =>
    ['double', (row: Row) => values[row[at]] ?? Number.NaN] as const
  await fillTable(db.connection, 'simulate.lab_states', rows, {
    state: ['double', ({ state }) => state],
    minute_et: ['varchar', ({ minute }) => minute],
    at_ms: ['double', ({ atMs }) => atMs],
    spot: valuesAt(market.spot, 'last'),
    open: valuesAt(market.open, 'last'),
    previous_close: ['double', () => market.previousClose[0]!],
    expected_move: valuesAt(market.expectedMove),
    session_expected_move: valuesAt(market.sessionExpectedMove, 'last'),
    forward: valuesAt(forward),
    discount: valuesAt(discount),
    net_gamma: valuesAt(market.netGamma),
    flip: valuesAt(market.flip),
    call_wall: valuesAt(market.callWall),
    put_wall: valuesAt(market.putWall),
  })
  await fillTable(db.connection, 'simulate.lab_settled', [session.settlement ?? Number.NaN], {
    value: ['double', value => value],
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
  await fillTable(db.connection, 'simulate.lab_versions', versions, {
    minute_et: ['varchar', ({ printedState }) => minutes[printedState]!.minute],
    number: ['double', ({ number }) => number],
    revision: ['double', ({ revision }) => revision],
    printed_at_ms: ['double', ({ printedState }) => atMs(printedState) + PRINTED_AFTER_MS],
    visible_at_ms: ['double', ({ fromState }) => atMs(fromState) + VISIBLE_AFTER_MS],
    superseded_at_ms: [
      'double',
      ({ untilState }) =>
        untilState < session.stateCount ? atMs(untilState) + VISIBLE_AFTER_MS : Number.NaN,
    ],
    premium_usd: ['double', ({ premiumUsd }) => premiumUsd],
    gamma: ['double', ({ gamma }) => gamma],
    strike: [
      'double',
      ({ printedState }) => 5 * Math.round(session.market.spot[printedState]! / 5),
    ],
  })
}

/** Quotes, terms and smiles of all expiries of a day. */
export async function fillExpiries(db: Database, { session }: LabShown): Promise<void> {
  const { stateCount, expiries } = session
  const terms = expiries.flatMap((expiry, dte) => (expiry === null ? [] : [{ expiry, dte }]))
  await fillTable(db.connection, 'simulate.lab_expiries', terms, {
    dte: ['double', ({ dte }) => dte],
    expiry: ['varchar', ({ expiry }) => expiry.expiry],
    tick: ['double', ({ expiry }) => expiry.tick],
  })
  const states = terms.flatMap(term =>
    Array.from({ length: stateCount }, (_, state) => ({ ...term, state })),
  )
  await fillTable(db.connection, 'simulate.lab_terms', states, {
    dte: ['double', ({ dte }) => dte],
    state: ['double', ({ state }) => state],
    seconds_left: ['double', ({ expiry, state }) => Math.round(expiry.years[state]! * 31_536_000)],
    forward: ['double', ({ expiry, state }) => expiry.forward[state]!],
    discount: ['double', ({ expiry, state }) => expiry.discount[state]!],
  })
  await fillSmiles(db, terms)
  await fillQuotes(db, terms)
}

type Term = { readonly expiry: LabExpiry; readonly dte: number }

async function fillSmiles(db: Database, terms: readonly Term[]): Promise<void> {
  function* listPoints() {
    for (const { expiry, dte } of terms) {
      for (const state of expiry.forward.keys()) {
        const end = expiry.smileFrom[state + 1]!
        for (let at = expiry.smileFrom[state]!; at < end; at++) yield { expiry, dte, state, at }
      }
    }
  }
  await fillTable(db.connection, 'simulate.lab_smiles', listPoints(), {
    dte: ['double', ({ dte }) => dte],
    state: ['double', ({ state }) => state],
    strike: ['double', ({ expiry, at }) => expiry.smileStrikes[at]!],
    total_variance: ['double', ({ expiry, at }) => expiry.smileTotalVariances[at]!],
  })
}

/** Every cell that has a quote of either type. */
async function fillQuotes(db: Database, terms: readonly Term[]): Promise<void> {
  function* listCells() {
    for (const { expiry, dte } of terms) {
      for (const cell of expiry.callAge.keys()) {
        if (expiry.callAge[cell] === NO_AGE && expiry.putAge[cell] === NO_AGE) continue
        yield { expiry, dte, cell }
      }
    }
  }
  const steps = (value: number) => (value === NO_QUOTE ? Number.NaN : value)
  const age = (value: number) => (value === NO_AGE ? Number.NaN : value)
  await fillTable(db.connection, 'simulate.lab_quotes', listCells(), {
    dte: ['double', ({ dte }) => dte],
    state: ['double', ({ expiry, cell }) => Math.floor(cell / expiry.strikes.length)],
    strike: ['double', ({ expiry, cell }) => expiry.strikes[cell % expiry.strikes.length]!],
    call_bid: ['double', ({ expiry, cell }) => steps(expiry.callBid[cell]!)],
    call_ask: ['double', ({ expiry, cell }) => steps(expiry.callAsk[cell]!)],
    call_age: ['double', ({ expiry, cell }) => age(expiry.callAge[cell]!)],
    put_bid: ['double', ({ expiry, cell }) => steps(expiry.putBid[cell]!)],
    put_ask: ['double', ({ expiry, cell }) => steps(expiry.putAsk[cell]!)],
    put_age: ['double', ({ expiry, cell }) => age(expiry.putAge[cell]!)],
  })
}
