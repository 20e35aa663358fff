/** The states of a running session: their surface, their dealer book and its levels. */

import type { Database, DatabaseAside, Params } from '../../src/engine/database.ts'
import { readSql } from '../../src/engine/sql.ts'
import { emptyTable } from '../../src/tape/growing.ts'
import { BOOK_MODELS, LEVELS_MODELS } from '../build/dag.ts'
import { buildModels } from '../build/steps.ts'
import { buildSurface } from '../build/surface.ts'

/** What a state's surface leaves behind for all states after it, and for orders placed late. */
const KEPT_SURFACE = [
  ...['forwards', 'smiles', 'implied_vols', 'spots', 'bases', 'expected_moves', 'session_smiles'],
] as const

/** The surface of the state that priced the doubts last: it serves those after it. */
const BAR_SURFACE = {
  forwards: 'from surface.forwards semi join memory.live.bar_last using (minute_at)',
  smiles: 'from surface.smiles semi join memory.live.bar_forwards using (term_number)',
  quotes: 'from surface.quotes semi join memory.live.bar_forwards using (term_number)',
} as const

/** Made of the tape's own holdings alone. */
const HOLDING_MODELS = ['book/known_positions', 'book/inventory', 'book/late_inventory'] as const

/** The same numbers in every session. */
const CONSTANT_MODELS: readonly string[] = [
  'book/bar_nodes',
  'book/scan_nodes',
  'book/scan_weights',
]

/** The strikes of the book in the surface of the new states: made before the orders are known. */
const STRIKE_MODELS: readonly string[] = [
  ...['book/pairs', 'book/holdings', 'book/bar_states', 'book/bar_nodes', 'book/bar_shifts'],
  ...['book/bar_points', 'book/bar_shares', 'book/bar_strikes', 'book/smile_pairs'],
]

/** Built for themselves, or with the orders. */
const APART: readonly string[] = [
  ...HOLDING_MODELS,
  ...STRIKE_MODELS,
  ...['book/inventory_shares', 'book/flows', 'book/doubts', 'book/traded', 'book/doubt_products'],
  'book/leg_gammas',
]

/** What the orders that became known add to the book, and with what was known before. */
const BOOK_TABLES = ['new_flows', 'new_products', 'flows_now', 'products_now'] as const

const STATE_MODELS = BOOK_MODELS.filter(model => !APART.includes(model))

/** What the state that priced the doubts last, and those since, found of them. */
const KEPT_DOUBTS: Readonly<Record<string, string>> = {
  'book/bar_variances': 'live.bar_variances',
  'book/bar_noises': 'live.bar_noises',
}

/** What is published of the states themselves, and the table that holds that of the new ones. */
const STATE_TABLES = {
  'ledger/levels': 'live.levels_now',
  'ledger/profiles': 'live.profiles_now',
  'ledger/strikes': 'live.strikes_now',
  'ledger/basis': 'live.basis_now',
  'ledger/market_minutes': 'live.minutes_now',
} as const

/** Prices the new states; after the close there are none. */
export async function priceStates(
  db: Database,
  pricing: DatabaseAside,
  moment: Params,
): Promise<void> {
  await db.build('live/new_minutes', moment)
  if (await db.isEmpty('live.new_minutes')) return
  await pricing.viewFrom('live.new_minutes', 'tape.minutes')
  await pricing.viewFrom('live.surface_prints', 'tape.prints')
  await pricing.viewFrom('live.state_quotes', 'tape.quotes')
  await pricing.viewFrom('live.state_spots', 'tape.spots')
  await pricing.viewFrom('live.state_futures', 'tape.futures')
  await buildSurface(pricing)
  for (const name of KEPT_SURFACE) {
    await pricing.append(`memory.surface.${name}`, `from surface.${name}`)
  }
  await db.build('live/bar_minutes')
  await lookBack(db, pricing)
}

/** Adds to the surface of the new states what these look back on. */
async function lookBack(db: Database, pricing: DatabaseAside): Promise<void> {
  for (const name of ['moves_now', 'past_spots', 'past_bases', 'first_smile']) {
    await db.build(`live/${name}`)
  }
  await pricing.refill('surface.expected_moves', 'from memory.live.moves_now')
  await pricing.append('surface.spots', 'from memory.live.past_spots')
  await pricing.append('surface.bases', 'from memory.live.past_bases')
  await pricing.append('surface.session_smiles', 'from memory.live.first_smile')
  for (const name of Object.keys(BAR_SURFACE)) {
    await pricing.make(`memory.live.bar_${name}`, `from surface.${name} limit 0`)
    await pricing.append(`surface.${name}`, `from memory.live.bar_${name}`)
  }
}

/**
 * Prices the strikes of the book in the surface of the new states: what is held, and what has
 * traded so far, whether an order adds to it or not.
 */
export async function priceStrikes(
  db: Database,
  pricing: DatabaseAside,
  hasNewHoldings: boolean,
): Promise<void> {
  await db.build('live/new_traded')
  await db.append('live.traded', 'from live.new_traded')
  if (await db.isEmpty('live.new_minutes')) return
  await pricing.viewFrom('live.traded', 'book.traded')
  if (hasNewHoldings) for (const model of HOLDING_MODELS) await pricing.build(model)
  for (const model of STRIKE_MODELS) await buildOne(pricing, model)
}

/** Measures the dealer book of the new states and finds their levels. */
export async function buildStates(db: Database, pricing: DatabaseAside): Promise<void> {
  if (await db.isEmpty('live.new_minutes')) return
  for (const name of BOOK_TABLES) await db.build(`live/${name}`)
  await pricing.viewFrom('live.flows_now', 'book.flows')
  await pricing.viewFrom('live.products_now', 'book.doubt_products')
  await buildModels(pricing, STATE_MODELS, buildOne)
  await findLevels(db, pricing)
  await pricing.refill('memory.live.new_levels', ofNewStates('levels.levels'))
  await db.append('levels.levels', 'from live.new_levels')
}

/** Makes what is published of the new states themselves. */
export async function tellStates(db: Database, pricing: DatabaseAside): Promise<void> {
  const hasNone = await db.isEmpty('live.new_minutes')
  for (const [model, table] of Object.entries(STATE_TABLES)) {
    if (hasNone) await emptyTable(db, table)
    else {
      await pricing.build(model)
      await pricing.refill(`memory.${table}`, ofNewStates(model.replace('/', '.')))
    }
  }
}

const ofNewStates = (table: string) => `from ${table} semi join tape.minutes using (minute_et)`

/** Keeps what the next states look back on. */
export async function keepStates(db: Database, pricing: DatabaseAside): Promise<void> {
  if (await db.isEmpty('live.new_minutes')) return
  await keepDoubts(db, pricing)
  await db.build('live/flows')
}

/** Builds a model of the new states, with what was found of the doubts since their last pricing. */
async function buildOne(connection: Database, model: string): Promise<void> {
  const table = model.replace('/', '.')
  if (CONSTANT_MODELS.includes(model)) {
    await connection.make(table, readSql(model))
    return
  }
  await connection.build(model)
  const kept = KEPT_DOUBTS[model]
  if (!kept) return
  await connection.make(`memory.${kept}`, `from ${table} limit 0`)
  await connection.append(table, `from memory.${kept}`)
}

/** As buildLevels does; a state without a sign keeps the regime that the states before it had. */
async function findLevels(db: Database, pricing: DatabaseAside): Promise<void> {
  for (const model of LEVELS_MODELS) {
    await pricing.build(model)
    if (model !== 'levels/walls') continue
    await pricing.make('memory.live.signed_walls', 'from levels.walls limit 0')
    await pricing.append('levels.walls', 'from memory.live.signed_walls')
    await pricing.viewTo('levels.walls', 'live.walls_now')
    await db.build('live/signed_walls')
  }
}

/** Keeps what the next states look back on of the doubts. */
async function keepDoubts(db: Database, pricing: DatabaseAside): Promise<void> {
  for (const [model, kept] of Object.entries(KEPT_DOUBTS)) {
    await pricing.refill(
      `memory.${kept}`,
      `from ${model.replace('/', '.')}
       where state_at = (select max(state_at) from book.bar_states)`,
    )
  }
  await db.append('live.products', 'select * exclude (minute_at) from live.new_products')
  if (await db.isEmpty('live.bar_minutes')) return
  await db.build('live/products')
  await db.build('live/bar_last')
  for (const [name, sql] of Object.entries(BAR_SURFACE)) {
    await pricing.refill(`memory.live.bar_${name}`, sql)
  }
}
