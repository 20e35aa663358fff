/** Tables that workspaces of a running session hand to each other: when, and for how long. */

import type { Database, SeparateDatabase } from '../../src/core/engine/database.ts'

/** The databases of a running session. */
export type Workspaces = {
  /** Holds all data known so far, and the searches of the steps in it. */
  readonly main: Database
  /** Finds the prints that cancels take off. */
  readonly cancelling: SeparateDatabase
  /** Judges the quotes of prints. */
  readonly judging: SeparateDatabase
  readonly folding: SeparateDatabase
  /** Computes the standard deviation of each order's contribution to the book. */
  readonly estimating: SeparateDatabase
  /** Prices states and finds their levels. */
  readonly pricing: SeparateDatabase
  /** Matches orders with the states. */
  readonly matching: SeparateDatabase
}

/** A table of a workspace. */
type TableAddress = `${keyof Workspaces}:${string}.${string}`

/**
 * How a table is handed over, and for how long it is there:
 * - `view`: in its current form whenever it is read
 * - `refilled`: its rows alone, until they are handed over again
 * - `added`: its rows too: in `main` for the rest of the session, elsewhere for the step
 * - `start`: its columns without a row, where there is no such table yet
 */
type How = 'view' | 'refilled' | 'added' | 'start'

/** Rows or columns of a table that are handed over, where not all are. */
const PARTS = {
  'its contract': (table: string) => `select root, expiry, strike from ${table}`,
  'its key': (table: string) => `select sequence, key from ${table}`,
  'no minute': (table: string) => `select * exclude (minute_at) from ${table}`,
  'new states': (table: string) => `from ${table} semi join tape.minutes using (minute_et)`,
  'last priced': (table: string) =>
    `from ${table} where state_at = (select max(state_at) from book.bar_states)`,
  'last bar': (table: string) => `from ${table} semi join memory.live.bar_last using (minute_at)`,
  'its terms': (table: string) =>
    `from ${table} semi join memory.live.bar_forwards using (term_number)`,
} as const

type Handoff = readonly [from: TableAddress, how: How, to: TableAddress, part?: keyof typeof PARTS]

/** Tables that every step reads as they are, in every workspace. */
export const SHARED_TABLES = [
  'tape.conditions',
  'tape.open_interest',
  'tape.dealer_positions',
  'tape.carried_positions',
  'tape.guess_shares',
  'tape.rates',
  'tape.previous_close',
  'tape.session',
  'tape.set_apart',
  'tape.silent_codes',
  'tape.expiries',
  'tape.next_sessions',
  'tape.settlements',
] as const

/** Every hand-off by the point at which it is made, in the order of a step. */
export const HANDOFFS = {
  // before the first step: the tables that later ones look back on, empty
  opened: [
    ['main:live.none', 'refilled', 'main:live.involved'],
    ['main:live.none', 'refilled', 'main:live.traded', 'its contract'],
    ['main:live.none', 'refilled', 'main:live.trust_prints'],
    ['main:live.none', 'refilled', 'main:live.window_prints'],
    ['main:live.involved', 'view', 'cancelling:tape.prints'],
    ['main:live.trust_prints', 'view', 'judging:tape.prints'],
    ['main:live.window_prints', 'view', 'folding:tape.window_prints'],
  ],
  firstMatched: [
    ['cancelling:fold.cancel_matches', 'view', 'main:fold.cancel_matches'],
    ['main:fold.cancel_matches', 'view', 'judging:fold.cancel_matches'],
  ],
  firstJudged: [
    ['judging:fold.quote_trust', 'refilled', 'main:fold.quote_trust'],
    ['main:fold.quote_trust', 'refilled', 'main:live.window_trust'],
    ['main:live.window_trust', 'view', 'folding:fold.window_trust'],
  ],
  firstFolded: [
    ['folding:fold.editions', 'view', 'main:live.step_editions'],
    ['folding:fold.edition_legs', 'view', 'main:live.step_edition_legs'],
    ['main:live.step_editions', 'refilled', 'main:live.refolded'],
    ['main:live.step_editions', 'refilled', 'main:live.pending'],
    ['main:live.step_edition_legs', 'refilled', 'main:live.pending_legs'],
    ['main:live.step_editions', 'refilled', 'main:live.pending_versions'],
    ['main:live.step_edition_legs', 'refilled', 'main:live.pending_version_legs'],
    ['main:live.pending_versions', 'view', 'estimating:fold.editions'],
    ['main:live.pending_version_legs', 'view', 'estimating:fold.edition_legs'],
    ['main:tape.minutes', 'view', 'estimating:tape.minutes'],
  ],
  firstEstimated: [
    ['estimating:book.flows', 'view', 'main:live.step_flows'],
    ['estimating:book.deviation_products', 'view', 'main:live.step_products'],
    ['main:live.step_flows', 'refilled', 'main:live.flows', 'no minute'],
    ['main:live.step_products', 'refilled', 'main:live.products', 'no minute'],
  ],

  // new rows of the tape
  silenced: [['main:live.new_silent_prints', 'added', 'main:tape.silent_codes']],
  printed: [['main:live.new_printed_minutes', 'added', 'main:live.printed']],
  keyed: [
    ['main:live.new_keys', 'added', 'main:live.keys', 'its key'],
    ['main:live.new_cancel_keys', 'added', 'main:live.cancel_keys'],
  ],

  // the surface of the new states, and the earlier rows that these need
  minutesKnown: [
    ['main:live.new_minutes', 'view', 'pricing:tape.minutes'],
    ['main:live.surface_prints', 'view', 'pricing:tape.prints'],
    ['main:live.state_quotes', 'view', 'pricing:tape.quotes'],
    ['main:live.state_spots', 'view', 'pricing:tape.spots'],
    ['main:live.state_futures', 'view', 'pricing:tape.futures'],
  ],
  'surface/parity_forwards': [
    ['pricing:surface.parity_forwards', 'added', 'main:surface.parity_forwards'],
  ],
  carriesKnown: [['main:live.past_parity', 'added', 'pricing:surface.parity_forwards']],
  priced: [
    ['pricing:surface.forwards', 'added', 'main:surface.forwards'],
    ['pricing:surface.smiles', 'added', 'main:surface.smiles'],
    ['pricing:surface.implied_vols', 'added', 'main:surface.implied_vols'],
    ['pricing:surface.spots', 'added', 'main:surface.spots'],
    ['pricing:surface.bases', 'added', 'main:surface.bases'],
    ['pricing:surface.expected_moves', 'added', 'main:surface.expected_moves'],
    ['pricing:surface.session_smiles', 'added', 'main:surface.session_smiles'],
  ],
  lookedBack: [
    ['main:live.new_expected_moves', 'refilled', 'pricing:surface.expected_moves'],
    ['main:live.past_spots', 'added', 'pricing:surface.spots'],
    ['main:live.past_bases', 'added', 'pricing:surface.bases'],
    ['main:live.first_smile', 'added', 'pricing:surface.session_smiles'],
    ['pricing:surface.forwards', 'start', 'main:live.bar_forwards'],
    ['main:live.bar_forwards', 'added', 'pricing:surface.forwards'],
    ['pricing:surface.smiles', 'start', 'main:live.bar_smiles'],
    ['main:live.bar_smiles', 'added', 'pricing:surface.smiles'],
    ['pricing:surface.quotes', 'start', 'main:live.bar_quotes'],
    ['main:live.bar_quotes', 'added', 'pricing:surface.quotes'],
  ],

  // the quotes of the new prints, and the orders
  judged: [['judging:fold.quote_trust', 'view', 'main:live.step_trust']],
  trusted: [['main:live.new_trust', 'added', 'main:fold.quote_trust']],
  folded: [
    ['main:live.new_spans', 'added', 'main:live.spans'],
    ['main:live.new_widths', 'added', 'main:live.widths'],
  ],
  tradedFound: [['main:live.new_traded', 'added', 'main:live.traded']],
  strikesDue: [['main:live.traded', 'view', 'pricing:book.traded']],

  // the dealer book of the new states; the last pricing of the deviations is not repeated
  booked: [
    ['main:live.current_flows', 'view', 'pricing:book.flows'],
    ['main:live.current_products', 'view', 'pricing:book.deviation_products'],
  ],
  'book/bar_variances': [
    ['pricing:book.bar_variances', 'start', 'main:live.bar_variances'],
    ['main:live.bar_variances', 'added', 'pricing:book.bar_variances'],
  ],
  'book/bar_noises': [
    ['pricing:book.bar_noises', 'start', 'main:live.bar_noises'],
    ['main:live.bar_noises', 'added', 'pricing:book.bar_noises'],
  ],
  'book/shared_variances': [
    ['pricing:book.shared_variances', 'start', 'main:live.shared_variances'],
    ['main:live.shared_variances', 'added', 'pricing:book.shared_variances'],
  ],
  'book/inventory_variances': [
    ['pricing:book.inventory_variances', 'start', 'main:live.inventory_variances'],
    ['main:live.inventory_variances', 'added', 'pricing:book.inventory_variances'],
  ],
  'levels/walls': [
    ['pricing:levels.walls', 'start', 'main:live.signed_walls'],
    ['main:live.signed_walls', 'added', 'pricing:levels.walls'],
    ['pricing:levels.walls', 'view', 'main:live.state_walls'],
  ],
  levelled: [
    ['pricing:levels.levels', 'refilled', 'main:live.new_levels', 'new states'],
    ['main:live.new_levels', 'added', 'main:levels.levels'],
  ],

  // the orders that became known, matched with their states
  known: [
    ['main:live.new_versions', 'view', 'matching:fold.editions'],
    ['main:live.new_version_legs', 'view', 'matching:fold.edition_legs'],
    ['main:live.at_forwards', 'view', 'matching:surface.forwards'],
    ['main:live.at_smiles', 'view', 'matching:surface.smiles'],
    ['main:live.at_implied_vols', 'view', 'matching:surface.implied_vols'],
  ],
  legsPriced: [
    ['matching:ledger.legs', 'view', 'main:live.new_legs'],
    ['matching:ledger.brief_legs', 'view', 'main:live.brief_legs'],
    ['matching:book.edition_flows', 'view', 'main:live.new_edition_flows'],
    ['matching:book.edition_flows', 'start', 'main:live.edition_flows'],
  ],
  legsReported: [['main:live.reported_legs', 'added', 'main:ledger.legs']],
  flowsChanged: [['main:live.new_flow_changes', 'start', 'main:live.flow_changes']],
  flowsKnown: [
    ['main:live.current_flow_changes', 'view', 'matching:book.flow_changes'],
    ['main:live.current_flows', 'view', 'matching:book.flows'],
    ['main:live.new_minutes', 'view', 'matching:tape.minutes'],
  ],
  'ledger/flow': [['matching:ledger.flow', 'refilled', 'main:live.state_flow']],
  levelsKnown: [['main:levels.levels', 'view', 'matching:levels.levels']],
  matched: [
    ['matching:ledger.order_versions', 'refilled', 'main:live.new_orders'],
    ['main:live.new_orders', 'start', 'main:live.ended_before'],
  ],
  ended: [
    ['main:live.current_orders', 'view', 'matching:ledger.orders'],
    ['main:live.ended', 'view', 'matching:ledger.revisions'],
    ['main:live.ended_legs', 'view', 'matching:ledger.revision_legs'],
  ],
  largeFound: [['matching:ledger.large_orders', 'view', 'main:live.new_large_orders']],

  // published tables of the new states themselves
  'ledger/levels': [['pricing:ledger.levels', 'refilled', 'main:live.state_levels', 'new states']],
  'ledger/profiles': [
    ['pricing:ledger.profiles', 'refilled', 'main:live.state_profiles', 'new states'],
  ],
  'ledger/strikes': [
    ['pricing:ledger.strikes', 'refilled', 'main:live.state_strikes', 'new states'],
  ],
  'ledger/exposures': [
    ['pricing:ledger.exposures', 'refilled', 'main:live.state_exposures', 'new states'],
  ],
  'ledger/expiry_levels': [
    ['pricing:ledger.expiry_levels', 'refilled', 'main:live.state_expiry_levels', 'new states'],
  ],
  'ledger/basis': [['pricing:ledger.basis', 'refilled', 'main:live.state_basis', 'new states']],
  'ledger/market_minutes': [
    ['pricing:ledger.market_minutes', 'refilled', 'main:live.state_market_minutes', 'new states'],
  ],
  'ledger/option_minutes': [
    ['pricing:ledger.option_minutes', 'refilled', 'main:live.state_option_minutes'],
  ],
  'ledger/smiles': [['pricing:ledger.smiles', 'refilled', 'main:live.state_smiles']],
  'ledger/settlements': [['pricing:ledger.settlements', 'refilled', 'main:live.state_settlements']],

  // while idle: rows that the next steps look back on
  deviationsStored: [
    ['pricing:book.bar_variances', 'refilled', 'main:live.bar_variances', 'last priced'],
    ['pricing:book.bar_noises', 'refilled', 'main:live.bar_noises', 'last priced'],
    ['pricing:book.shared_variances', 'refilled', 'main:live.shared_variances', 'last priced'],
    [
      'pricing:book.inventory_variances',
      'refilled',
      'main:live.inventory_variances',
      'last priced',
    ],
    ['main:live.new_products', 'added', 'main:live.products', 'no minute'],
  ],
  barsStored: [
    ['pricing:surface.forwards', 'refilled', 'main:live.bar_forwards', 'last bar'],
    ['pricing:surface.smiles', 'refilled', 'main:live.bar_smiles', 'its terms'],
    ['pricing:surface.quotes', 'refilled', 'main:live.bar_quotes', 'its terms'],
  ],
  ordersStored: [
    ['main:live.new_orders', 'added', 'main:ledger.order_versions'],
    ['main:live.new_edition_flows', 'added', 'main:live.edition_flows'],
    ['main:live.new_flow_changes', 'added', 'main:live.flow_changes'],
  ],
} as const satisfies Readonly<Record<string, readonly Handoff[]>>

export type StepPoint = keyof typeof HANDOFFS

/** Makes the hand-offs of a point in a step, in their order. */
export async function handOver(spaces: Workspaces, point: StepPoint): Promise<void> {
  for (const handoff of HANDOFFS[point] as readonly Handoff[]) await handOne(spaces, handoff)
}

/** Lists the tables of `main` that the hand-offs of a point refill. */
export const refilledAt = (point: StepPoint): readonly string[] =>
  (HANDOFFS[point] as readonly Handoff[]).filter(([, how]) => how === 'refilled').map(tableTo)

const tableTo = ([, , to]: Handoff): string => to.split(':')[1]!

async function handOne(spaces: Workspaces, [from, how, to, part]: Handoff): Promise<void> {
  const [[giver, table], [taker, as]] = [parseTableAddress(from), parseTableAddress(to)]
  if (how === 'view') {
    if (taker !== 'main') await spaces[taker].viewFrom(table, as)
    else if (giver !== 'main') await spaces[giver].viewTo(table, as)
    return
  }
  // on the connection of the workspace, which names the tables of the other one in full
  const db = giver === 'main' ? spaces[taker] : spaces[giver]
  const isOne = giver === taker
  const source = giver === 'main' && !isOne ? `memory.${table}` : table
  const target = taker === 'main' && !isOne ? `memory.${as}` : as
  const rows = part ? PARTS[part](source) : `from ${source}`
  if (how === 'refilled') await db.refill(target, rows)
  else if (how === 'added') await db.append(target, rows)
  else await db.make(target, `${rows} limit 0`)
}

function parseTableAddress(address: TableAddress): readonly [keyof Workspaces, string] {
  const [space, table] = address.split(':')
  return [space as keyof Workspaces, table!]
}
