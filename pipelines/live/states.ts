/** The states of a running session: their surface, their dealer book and its levels. */

import type { Database, Params } from '../../src/engine/database.ts'
import { readSql } from '../../src/engine/sql.ts'
import { emptyTable } from '../../src/tape/growing.ts'
import { BOOK_MODELS, LEVELS_MODELS } from '../build/dag.ts'
import { buildModels } from '../build/steps.ts'
import { buildSurface } from '../build/surface.ts'
import { handOver, madeAnewAt, type Workspaces } from './handoffs.ts'

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
  'book/pairs',
  'book/holdings',
  'book/bar_states',
  'book/bar_nodes',
  'book/bar_shifts',
  'book/bar_points',
  'book/bar_shares',
  'book/bar_strikes',
  'book/smile_pairs',
]

/** Built for themselves, or with the orders. */
const APART: readonly string[] = [
  ...HOLDING_MODELS,
  ...STRIKE_MODELS,
  'book/inventory_shares',
  'book/flows',
  'book/doubts',
  'book/traded',
  'book/doubt_products',
  'book/leg_gammas',
]

/** What the orders that became known add to the book, and with what was known before. */
const BOOK_TABLES = ['new_flows', 'new_products', 'flows_now', 'products_now'] as const

const PRICED_MODELS = BOOK_MODELS.filter(model => !APART.includes(model))

/** What the new states find of their doubts comes before what the last pricing found of them. */
const DEVIATION_MODELS = ['book/bar_variances', 'book/bar_noises'] as const

/** What is published of the states themselves. */
const STATE_MODELS = [
  ...(['ledger/levels', 'ledger/profiles', 'ledger/strikes', 'ledger/basis'] as const),
  ...(['ledger/market_minutes', 'ledger/option_minutes', 'ledger/smiles'] as const),
  'ledger/settlements',
] as const

/** Prices the new states; after the close there are none. */
export async function priceStates(spaces: Workspaces, span: Params): Promise<void> {
  const { main, pricing } = spaces
  await main.build('live/new_minutes', span)
  if (await main.isEmpty('live.new_minutes')) return
  await handOver(spaces, 'minutesKnown')
  await buildSurface(pricing)
  await handOver(spaces, 'priced')
  await main.build('live/bar_minutes')
  for (const name of ['moves_now', 'past_spots', 'past_bases', 'first_smile']) {
    await main.build(`live/${name}`)
  }
  await handOver(spaces, 'lookedBack')
}

/**
 * Prices the strikes of the book in the surface of the new states: what is held, and what has
 * traded so far, whether an order adds to it or not.
 */
export async function priceStrikes(spaces: Workspaces, hasNewHoldings: boolean): Promise<void> {
  const { main, pricing } = spaces
  await main.build('live/new_traded')
  await handOver(spaces, 'tradedFound')
  if (await main.isEmpty('live.new_minutes')) return
  await handOver(spaces, 'strikesDue')
  if (hasNewHoldings) for (const model of HOLDING_MODELS) await pricing.build(model)
  for (const model of STRIKE_MODELS) await buildOne(pricing, model)
}

/** Measures the dealer book of the new states and finds their levels. */
export async function buildStates(spaces: Workspaces): Promise<void> {
  const { main, pricing } = spaces
  if (await main.isEmpty('live.new_minutes')) return
  for (const name of BOOK_TABLES) await main.build(`live/${name}`)
  await handOver(spaces, 'booked')
  await buildModels(pricing, PRICED_MODELS, async (connection, model) => {
    await buildOne(connection, model)
    const deviationModel = DEVIATION_MODELS.find(one => one === model)
    // on the connection that built it: another model may run on the other one
    const own = { ...pricing, ...connection, close: pricing.close }
    if (deviationModel) await handOver({ ...spaces, pricing: own }, deviationModel)
  })
  await findLevels(spaces)
  await handOver(spaces, 'levelled')
}

/** Makes what is published of the new states themselves. */
export async function buildStateTables(spaces: Workspaces): Promise<void> {
  const { main, pricing } = spaces
  const hasNone = await main.isEmpty('live.new_minutes')
  for (const model of STATE_MODELS) {
    if (hasNone) for (const table of madeAnewAt(model)) await emptyTable(main, table)
    else {
      await pricing.build(model)
      await handOver(spaces, model)
    }
  }
}

/** Keeps what the next states look back on. */
export async function storeStates(spaces: Workspaces): Promise<void> {
  const { main } = spaces
  if (await main.isEmpty('live.new_minutes')) return
  await handOver(spaces, 'doubtsKept')
  if (!(await main.isEmpty('live.bar_minutes'))) {
    await main.build('live/products')
    await main.build('live/bar_last')
    await handOver(spaces, 'barsKept')
  }
  await main.build('live/flows')
}

const buildOne = (connection: Database, model: string): Promise<void> =>
  CONSTANT_MODELS.includes(model)
    ? connection.make(model.replace('/', '.'), readSql(model))
    : connection.build(model)

/** As buildLevels does; a state without a sign keeps the regime that the states before it had. */
async function findLevels(spaces: Workspaces): Promise<void> {
  for (const model of LEVELS_MODELS) {
    await spaces.pricing.build(model)
    if (model !== 'levels/walls') continue
    await handOver(spaces, model)
    await spaces.main.build('live/signed_walls')
  }
}
