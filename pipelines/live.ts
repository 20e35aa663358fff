import type { Session } from '../src/market/calendar.ts'
import { loadCarriedPositions, loadPreviousClose } from '../src/store/carried.ts'
import { type Database, type DatabaseAside, openDatabase } from '../src/store/duck.ts'
import {
  addExpiries,
  appendRows,
  emptyTable,
  isEmpty,
  openLiveTape,
  replaceEditions,
} from '../src/store/live.ts'
import type { PublishedManifest } from '../src/store/manifest.ts'
import { loadConditions, loadSession, type SeenExpiry } from '../src/store/session.ts'
import { buildEditions, REACH } from './editions.ts'
import { buildFold, FOLD_PARAMETERS } from './fold.ts'
import { BOOK_MODELS, buildSurface, LEVELS_MODELS } from './surface.ts'

/** Tables that every step reads as they are. */
const SHARED_TABLES = [
  ...['tape.conditions', 'tape.open_interest', 'tape.dealer_positions', 'tape.carried_positions'],
  ...['tape.rates', 'tape.previous_close'],
] as const

/** What a state's surface leaves behind for the states after it. */
const KEPT_SURFACE = [
  ...['terms', 'forwards', 'smiles', 'implied_vols', 'quotes', 'spots', 'expected_moves'],
  'session_smiles',
] as const

/** Built for themselves: gammas of legs belong to the placing of orders. */
const APART: readonly string[] = ['book/doubts', 'book/leg_gammas', 'book/inventory_shares']

const STATE_MODELS = [...BOOK_MODELS, ...LEVELS_MODELS].filter(model => !APART.includes(model))

/** What is published of the states themselves. */
const STATE_DATASETS = ['ledger/levels', 'ledger/profiles', 'ledger/market_minutes'] as const

const PLACING_MODELS = ['book/leg_gammas', 'ledger/leg_texts', 'ledger/order_gammas'] as const

export type LiveOptions = {
  readonly dataFolder: string
  readonly session: Session
  /** Product of the tape, such as 'SPX'. */
  readonly symbol: string
  readonly minPremiumUsd: number
  readonly threads?: number
}

/**
 * A session built state by state, by the models of the nightly build: each state folds again only
 * the prints that its news can have changed, and prices only itself. The database holds what is
 * known so far: `fold.editions`, `levels.levels`, `surface.forwards`, `ledger.placed`,
 * `ledger.legs`; and of the last step `live.placed_now`, `live.legs_now`, `live.ended`,
 * `live.levels_now`, `live.profiles_now`, `live.minutes_now`, `live.large_now` and
 * `live.message_times`.
 */
export type LiveSession = {
  readonly db: Database
  readonly symbol: string
  /** How many minutes of the session the tape has so far, and which have no print. */
  readonly counts: () => Promise<PublishedManifest['minutes']>
  /** Brings everything up to an instant, a whole minute after the last one. */
  readonly advance: (untilMs: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens a session before its first state. */
export async function openLiveSession(options: LiveOptions): Promise<LiveSession> {
  const { dataFolder, session, threads = 2 } = options
  const db = await openDatabase({ threads, memoryLimit: '2GB' })
  await db.run('create schema live')
  await loadConditions(db)
  await loadCarriedPositions(db, dataFolder, session.date)
  await loadPreviousClose(db, dataFolder, session.date)
  const tape = await openLiveTape(db, dataFolder, session.date)
  const seen = new Map<string, SeenExpiry>()
  // what no state of the session could know is news of the first one
  let sinceMs = 0
  let isFirst = true

  const advance = async (untilMs: number) => {
    const params = { ...FOLD_PARAMETERS, ...REACH, since_ms: sinceMs, until_ms: untilMs }
    const { symbol, minPremiumUsd } = options
    await loadSession(db, { session, symbol, knownUntilMs: untilMs, minPremiumUsd })
    await tape.read(sinceMs, untilMs)
    await db.build('live/arrivals', params)
    for (const model of ['state_quotes', 'state_spots', 'surface_prints']) {
      await db.build(`live/${model}`, params)
    }
    await addExpiries(db, seen)
    const step = await db.aside('step')
    try {
      for (const table of [...SHARED_TABLES, 'tape.session']) await step.viewFrom(table)
      if (isFirst) await emptyState(db, step, params)
      await judgeQuotes(db, step, params)
      await foldWindow(db, step, params)
      await buildStates(db, step, params)
      await placeOrders(db, step, params)
    } finally {
      await step.close()
    }
    sinceMs = untilMs
    isFirst = false
  }

  return {
    db,
    symbol: options.symbol,
    advance,
    counts: async () => {
      const rows = await db.query('live/silent_minutes', { until_ms: sinceMs })
      const missing = rows.map(row => String(row.minute_et))
      const expected = (Math.min(sinceMs, session.closesAtMs) - session.opensAtMs) / 60_000
      return { expected, present: expected - missing.length, missing }
    },
    close: async () => db.close(),
  }
}

type Params = Readonly<Record<string, string | number | boolean>>

/** The tables that a first state looks back on: there, and empty. */
async function emptyState(db: Database, step: DatabaseAside, params: Params): Promise<void> {
  await db.run('create table live.none as from tape.prints limit 0')
  await step.copyFrom('live.none', 'tape.prints')
  for (const model of ['fold/cancel_matches', 'fold/print_fates', 'fold/quote_trust']) {
    await step.build(model, params)
  }
  await step.copyTo('fold.quote_trust', 'fold.quote_trust')
  await buildFold(step, {}, { isTrustKnown: true })
  await buildEditions(step)
  await copyEditions(step)
  await db.run('create table fold.editions as from live.step_editions')
  await db.run('create table fold.edition_legs as from live.step_edition_legs')
}

async function copyEditions(step: DatabaseAside): Promise<void> {
  for (const name of ['editions', 'edition_legs']) {
    await step.copyTo(`fold.${name}`, `live.step_${name}`)
  }
}

/** Says of every new print whether its quotes may be believed. */
async function judgeQuotes(db: Database, step: DatabaseAside, params: Params): Promise<void> {
  await db.build('fold/cancel_matches')
  await db.build('live/message_times')
  await db.build('live/span', params)
  await db.build('live/trust_prints')
  await step.copyFrom('live.trust_prints', 'tape.prints')
  for (const model of ['fold/cancel_matches', 'fold/print_fates', 'fold/quote_trust']) {
    await step.build(model, params)
  }
  await step.copyTo('fold.quote_trust', 'live.step_trust')
  await db.build('live/new_trust')
  await appendRows(db, 'fold.quote_trust', 'live.new_trust')
}

/** Folds again what the new prints can have changed. */
async function foldWindow(db: Database, step: DatabaseAside, params: Params): Promise<void> {
  await db.build('live/window_prints')
  await step.copyFrom('live.window_prints', 'tape.prints')
  await step.viewFrom('fold.quote_trust')
  await buildFold(step, {}, { isTrustKnown: true })
  await buildEditions(step)
  await copyEditions(step)
  await db.build('live/refolded')
  await replaceEditions(db)
  await db.build('live/known_now', params)
  await db.build('live/known_legs')
}

/** Prices the new states and finds their levels; after the close there are none. */
async function buildStates(db: Database, step: DatabaseAside, params: Params): Promise<void> {
  await db.build('live/new_minutes', params, 'live.states')
  if (await isEmpty(db, 'live.states')) {
    for (const name of ['levels', 'profiles', 'minutes']) await emptyTable(db, `live.${name}_now`)
    return
  }
  await step.copyFrom('live.states', 'tape.minutes')
  await step.copyFrom('live.surface_prints', 'tape.prints')
  await step.copyFrom('live.state_quotes', 'tape.quotes')
  await step.copyFrom('live.state_spots', 'tape.spots')
  await step.copyFrom('tape.expiries')
  await buildSurface(step)
  for (const name of KEPT_SURFACE) {
    await step.copyTo(`surface.${name}`, 'live.step_surface')
    await appendRows(db, `surface.${name}`, 'live.step_surface')
  }
  await db.build('live/needed_minutes', params, 'live.states')
  await lookBack(db, step)
  for (const name of ['editions', 'edition_legs']) await step.viewFrom(`fold.${name}`)
  // each order's doubt has a state of its own: sums that are rounded must be the same sums
  await step.copyFrom('tape.minutes')
  await step.build('book/doubts')
  await db.build('live/book_minutes', params)
  await step.copyFrom('live.book_minutes', 'tape.minutes')
  for (const model of STATE_MODELS) await step.build(model)
  const taken = [
    ['levels.levels', 'live.new_levels'],
    ['ledger.levels', 'live.levels_now'],
    ['ledger.profiles', 'live.profiles_now'],
    ['ledger.market_minutes', 'live.minutes_now'],
  ] as const
  for (const model of STATE_DATASETS) await step.build(model)
  for (const [from, to] of taken) {
    await step.copyTo(from, 'live.step_rows')
    await db.build('live/state_rows', params, to)
  }
  await appendRows(db, 'levels.levels', 'live.new_levels')
}

/** Gives a step the surface of the states in `live.states`. */
async function lookBack(db: Database, step: DatabaseAside): Promise<void> {
  await step.copyFrom('live.states', 'tape.minutes')
  for (const name of KEPT_SURFACE) {
    await db.build(`live/at_${name}`)
    await step.copyFrom(`live.at_${name}`, `surface.${name}`)
  }
}

/** Places the orders that became known against the states of their minutes. */
async function placeOrders(db: Database, step: DatabaseAside, params: Params): Promise<void> {
  await db.build('live/placing_minutes', {}, 'live.states')
  await lookBack(db, step)
  await step.copyFrom('live.known_now', 'fold.editions')
  await step.copyFrom('live.known_legs', 'fold.edition_legs')
  await step.viewFrom('levels.levels')
  for (const model of PLACING_MODELS) await step.build(model)
  await step.view('ledger/placed')
  await step.build('ledger/legs')
  await step.copyTo('ledger.placed', 'live.placed_now')
  await step.copyTo('ledger.legs', 'live.legs_now')
  await appendRows(db, 'ledger.placed', 'live.placed_now')
  await appendRows(db, 'ledger.legs', 'live.legs_now')
  await db.build('live/ended', params)
  await db.build('live/ended_legs')
  await db.build('live/standing_now')
  await step.copyFrom('live.standing_now', 'ledger.orders')
  await step.copyFrom('live.ended', 'ledger.revisions')
  await step.copyFrom('live.ended_legs', 'ledger.revision_legs')
  await step.build('ledger/large_orders')
  await step.copyTo('ledger.large_orders', 'live.large_now')
}
