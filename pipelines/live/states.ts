/** The states of a running session: their surface, their dealer book and its levels. */

import type { Database, Params } from '../../src/core/engine/database.ts'
import { readSql } from '../../src/core/engine/sql.ts'
import { emptyTable } from '../../src/data/published/growing.ts'
import { BOOK_MODELS, LEVELS_MODELS } from '../build/dag.ts'
import { buildModels } from '../build/steps.ts'
import { buildSurface } from '../build/surface.ts'
import { handOver, refilledAt, type Workspaces } from './handoffs.ts'

/** Made only of the tape's own holdings. */
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
  'book/expiry_buckets',
  'book/bar_nodes',
  'book/bar_shifts',
  'book/bar_points',
  'book/bar_shares',
  'book/bar_strikes',
  'book/inventory_variances',
  'book/smile_pairs',
]

/** Built separately, or with the orders. */
const BUILT_SEPARATELY: readonly string[] = [
  ...HOLDING_MODELS,
  ...STRIKE_MODELS,
  'book/inventory_shares',
  'book/leg_sides',
  'book/flows',
  'book/deviations',
  'book/traded',
  'book/deviation_products',
  'book/leg_gammas',
  'book/edition_flows',
  'book/flow_changes',
  'book/minute_flows',
]

/** Contributions of the new orders to the book, and of all orders so far. */
const BOOK_TABLES = ['new_flows', 'new_products', 'current_flows', 'current_products'] as const

const PRICED_MODELS = BOOK_MODELS.filter(model => !BUILT_SEPARATELY.includes(model))

/** Models whose new rows come before those of the last pricing. */
const DEVIATION_MODELS = [
  'book/bar_variances',
  'book/bar_noises',
  'book/shared_variances',
  'book/inventory_variances',
] as const

/** Published tables of the new states that show their levels. */
const LEVEL_TABLES = [
  'ledger/levels',
  'ledger/profiles',
  'ledger/strikes',
  'ledger/exposures',
  'ledger/expiry_levels',
  'ledger/market_minutes',
] as const

/** Published tables of the new states that need nothing but their surface. */
const SURFACE_TABLES = [
  'ledger/basis',
  'ledger/option_minutes',
  'ledger/smiles',
  'ledger/settlements',
] as const

/** Prices the new states; after the close there are none. */
export async function priceStates(spaces: Workspaces, span: Params): Promise<void> {
  const { main, pricing } = spaces
  await main.build('live/new_minutes', span)
  if (await main.isEmpty('live.new_minutes')) return
  await handOver(spaces, 'minutesKnown')
  await buildSurface(pricing, undefined, async model => {
    if (model !== 'surface/parity_forwards') return
    await handOver(spaces, model)
    await main.build('live/past_parity')
    await handOver(spaces, 'carriesKnown')
  })
  await handOver(spaces, 'priced')
  await main.build('live/bar_minutes')
  for (const name of ['new_expected_moves', 'past_spots', 'past_bases', 'first_smile']) {
    await main.build(`live/${name}`)
  }
  await handOver(spaces, 'lookedBack')
}

/**
 * Prices the strikes of the book in the surface of the new states: strikes held, and those traded
 * so far, with or without a decided order.
 */
export async function priceStrikes(spaces: Workspaces, hasNewHoldings: boolean): Promise<void> {
  const { main, pricing } = spaces
  await main.build('live/new_traded')
  await handOver(spaces, 'tradedFound')
  if (await main.isEmpty('live.new_minutes')) return
  await handOver(spaces, 'strikesDue')
  if (hasNewHoldings) for (const model of HOLDING_MODELS) await pricing.build(model)
  for (const model of STRIKE_MODELS) await buildWithEarlier(spaces, pricing, model)
}

/** Measures the dealer book of the new states and finds their levels. */
export async function buildStates(spaces: Workspaces): Promise<void> {
  const { main, pricing } = spaces
  for (const name of BOOK_TABLES) await main.build(`live/${name}`)
  if (await main.isEmpty('live.new_minutes')) return
  await handOver(spaces, 'booked')
  await buildModels(pricing, PRICED_MODELS, (connection, model) =>
    buildWithEarlier(spaces, connection, model),
  )
  await findLevels(spaces)
  await handOver(spaces, 'levelled')
}

/** Makes the published tables of the new states that need nothing but their surface. */
export const buildSurfaceTables = (spaces: Workspaces) => buildTables(spaces, SURFACE_TABLES)

/** Makes the published tables of the new states that show their levels. */
export const buildLevelTables = (spaces: Workspaces) => buildTables(spaces, LEVEL_TABLES)

type StateTable = (typeof LEVEL_TABLES | typeof SURFACE_TABLES)[number]

async function buildTables(spaces: Workspaces, models: readonly StateTable[]): Promise<void> {
  const { main, pricing } = spaces
  const hasNone = await main.isEmpty('live.new_minutes')
  for (const model of models) {
    if (hasNone) for (const table of refilledAt(model)) await emptyTable(main, table)
    else {
      await pricing.build(model)
      await handOver(spaces, model)
    }
  }
}

/** Stores the rows that the next states look back on. */
export async function storeStates(spaces: Workspaces): Promise<void> {
  const { main } = spaces
  if (await main.isEmpty('live.new_minutes')) return
  await handOver(spaces, 'deviationsStored')
  if (!(await main.isEmpty('live.bar_minutes'))) {
    await main.build('live/products')
    await main.build('live/bar_last')
    await handOver(spaces, 'barsStored')
  }
  await main.build('live/flows')
}

/** Builds a model of the pricing, with the rows of the last pricing where it keeps these. */
async function buildWithEarlier(
  spaces: Workspaces,
  connection: Database,
  model: string,
): Promise<void> {
  const { pricing } = spaces
  await buildOne(connection, model)
  const deviationModel = DEVIATION_MODELS.find(one => one === model)
  // on the connection that built it: another model may run on the other one
  const own = { ...pricing, ...connection, close: pricing.close }
  if (deviationModel) await handOver({ ...spaces, pricing: own }, deviationModel)
}

const buildOne = (connection: Database, model: string): Promise<void> =>
  CONSTANT_MODELS.includes(model)
    ? connection.make(model.replace('/', '.'), readSql(model))
    : connection.build(model)

/** Like buildLevels, but a state without a sign inherits the regime of the states before it. */
async function findLevels(spaces: Workspaces): Promise<void> {
  for (const model of LEVELS_MODELS) {
    await spaces.pricing.build(model)
    if (model !== 'levels/walls') continue
    await handOver(spaces, model)
    await spaces.main.build('live/signed_walls')
  }
}
