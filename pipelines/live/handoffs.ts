/** What goes from one workspace of a running session to another, when, and for how long. */

import type { Database, SeparateDatabase } from '../../src/engine/database.ts'

/** The databases of a running session. */
export type Workspaces = {
  /** What is known so far, and what the steps look for in it. */
  readonly main: Database
  /** Finds what cancels take off. */
  readonly cancelling: SeparateDatabase
  /** Judges the quotes beside prints. */
  readonly judging: SeparateDatabase
  readonly folding: SeparateDatabase
  /** Tells what each order may have added to the book other than it reads. */
  readonly doubting: SeparateDatabase
  /** Prices states and finds their levels. */
  readonly pricing: SeparateDatabase
  /** Places orders against the states. */
  readonly placing: SeparateDatabase
}

/** A table of a workspace. */
type TableAddress = `${keyof Workspaces}:${string}.${string}`

/**
 * How a table is handed over, and for how long it is there:
 * - `view`: as it stands whenever it is read
 * - `anew`: its rows alone, until they are handed over again
 * - `added`: its rows too: in `main` for the rest of the session, elsewhere for the step
 * - `start`: its columns without a row, where there is no such table yet
 */
type How = 'view' | 'anew' | 'added' | 'start'

/** Which rows or columns of a table go over, where not all do. */
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
  // before the first step: what later ones look back on is there, and empty
  opened: [
    ['main:live.none', 'anew', 'main:live.involved'],
    ['main:live.none', 'anew', 'main:live.traded', 'its contract'],
    ['main:live.none', 'anew', 'main:live.trust_prints'],
    ['main:live.none', 'anew', 'main:live.window_prints'],
    ['main:live.involved', 'view', 'cancelling:tape.prints'],
    ['main:live.trust_prints', 'view', 'judging:tape.prints'],
    ['main:live.window_prints', 'view', 'folding:tape.prints_now'],
  ],
  firstMatched: [
    ['cancelling:fold.cancel_matches', 'view', 'main:fold.cancel_matches'],
    ['main:fold.cancel_matches', 'view', 'judging:fold.cancel_matches'],
  ],
  firstJudged: [
    ['judging:fold.quote_trust', 'anew', 'main:fold.quote_trust'],
    ['main:fold.quote_trust', 'anew', 'main:live.window_trust'],
    ['main:live.window_trust', 'view', 'folding:fold.trust_now'],
  ],
  firstFolded: [
    ['folding:fold.editions', 'view', 'main:live.step_editions'],
    ['folding:fold.edition_legs', 'view', 'main:live.step_edition_legs'],
    ['main:live.step_editions', 'anew', 'main:live.refolded'],
    ['main:live.step_editions', 'anew', 'main:live.pending'],
    ['main:live.step_edition_legs', 'anew', 'main:live.pending_legs'],
    ['main:live.step_editions', 'anew', 'main:live.pending_now'],
    ['main:live.step_edition_legs', 'anew', 'main:live.pending_legs_now'],
    ['main:live.pending_now', 'view', 'doubting:fold.editions'],
    ['main:live.pending_legs_now', 'view', 'doubting:fold.edition_legs'],
    ['main:tape.minutes', 'view', 'doubting:tape.minutes'],
  ],
  firstDoubted: [
    ['doubting:book.flows', 'view', 'main:live.step_flows'],
    ['doubting:book.doubt_products', 'view', 'main:live.step_products'],
    ['main:live.step_flows', 'anew', 'main:live.flows', 'no minute'],
    ['main:live.step_products', 'anew', 'main:live.products', 'no minute'],
  ],

  // what is new on the tape
  silenced: [['main:live.silent_now', 'added', 'main:tape.silent_codes']],
  printed: [['main:live.printed_now', 'added', 'main:live.printed']],
  keyed: [
    ['main:live.keys_now', 'added', 'main:live.keys', 'its key'],
    ['main:live.cancel_keys_now', 'added', 'main:live.cancel_keys'],
  ],

  // the surface of the new states, and what these look back on
  minutesKnown: [
    ['main:live.new_minutes', 'view', 'pricing:tape.minutes'],
    ['main:live.surface_prints', 'view', 'pricing:tape.prints'],
    ['main:live.state_quotes', 'view', 'pricing:tape.quotes'],
    ['main:live.state_spots', 'view', 'pricing:tape.spots'],
    ['main:live.state_futures', 'view', 'pricing:tape.futures'],
  ],
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
    ['main:live.moves_now', 'anew', 'pricing:surface.expected_moves'],
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

  // the quotes beside the new prints, and the orders
  judged: [['judging:fold.quote_trust', 'view', 'main:live.step_trust']],
  trusted: [['main:live.new_trust', 'added', 'main:fold.quote_trust']],
  folded: [
    ['main:live.new_spans', 'added', 'main:live.spans'],
    ['main:live.new_widths', 'added', 'main:live.widths'],
  ],
  tradedFound: [['main:live.new_traded', 'added', 'main:live.traded']],
  strikesDue: [['main:live.traded', 'view', 'pricing:book.traded']],

  // the dealer book of the new states; what the doubts were priced as last is priced no more
  booked: [
    ['main:live.flows_now', 'view', 'pricing:book.flows'],
    ['main:live.products_now', 'view', 'pricing:book.doubt_products'],
  ],
  'book/bar_variances': [
    ['pricing:book.bar_variances', 'start', 'main:live.bar_variances'],
    ['main:live.bar_variances', 'added', 'pricing:book.bar_variances'],
  ],
  'book/bar_noises': [
    ['pricing:book.bar_noises', 'start', 'main:live.bar_noises'],
    ['main:live.bar_noises', 'added', 'pricing:book.bar_noises'],
  ],
  'levels/walls': [
    ['pricing:levels.walls', 'start', 'main:live.signed_walls'],
    ['main:live.signed_walls', 'added', 'pricing:levels.walls'],
    ['pricing:levels.walls', 'view', 'main:live.walls_now'],
  ],
  levelled: [
    ['pricing:levels.levels', 'anew', 'main:live.new_levels', 'new states'],
    ['main:live.new_levels', 'added', 'main:levels.levels'],
  ],

  // the orders that became known, placed in their states
  known: [
    ['main:live.known_now', 'view', 'placing:fold.editions'],
    ['main:live.known_legs', 'view', 'placing:fold.edition_legs'],
    ['main:live.at_forwards', 'view', 'placing:surface.forwards'],
    ['main:live.at_smiles', 'view', 'placing:surface.smiles'],
    ['main:live.at_implied_vols', 'view', 'placing:surface.implied_vols'],
  ],
  legsPriced: [
    ['placing:ledger.legs', 'view', 'main:live.legs_now'],
    ['placing:ledger.brief_legs', 'view', 'main:live.brief_legs'],
  ],
  legsTold: [['main:live.told_legs', 'added', 'main:ledger.legs']],
  levelsKnown: [['main:levels.levels', 'view', 'placing:levels.levels']],
  placed: [
    ['placing:ledger.placed', 'anew', 'main:live.placed_now'],
    ['main:live.placed_now', 'start', 'main:live.ended_before'],
  ],
  ended: [
    ['main:live.standing_now', 'view', 'placing:ledger.orders'],
    ['main:live.ended', 'view', 'placing:ledger.revisions'],
    ['main:live.ended_legs', 'view', 'placing:ledger.revision_legs'],
  ],
  largeFound: [['placing:ledger.large_orders', 'view', 'main:live.large_now']],

  // what is published of the new states themselves
  'ledger/levels': [['pricing:ledger.levels', 'anew', 'main:live.levels_now', 'new states']],
  'ledger/profiles': [['pricing:ledger.profiles', 'anew', 'main:live.profiles_now', 'new states']],
  'ledger/strikes': [['pricing:ledger.strikes', 'anew', 'main:live.strikes_now', 'new states']],
  'ledger/basis': [['pricing:ledger.basis', 'anew', 'main:live.basis_now', 'new states']],
  'ledger/market_minutes': [
    ['pricing:ledger.market_minutes', 'anew', 'main:live.minutes_now', 'new states'],
  ],
  'ledger/option_minutes': [
    ['pricing:ledger.option_minutes', 'anew', 'main:live.option_minutes_now'],
  ],
  'ledger/smiles': [['pricing:ledger.smiles', 'anew', 'main:live.smiles_now']],
  'ledger/settlements': [['pricing:ledger.settlements', 'anew', 'main:live.settlements_now']],

  // while nobody waits: what the next steps look back on
  doubtsKept: [
    ['pricing:book.bar_variances', 'anew', 'main:live.bar_variances', 'last priced'],
    ['pricing:book.bar_noises', 'anew', 'main:live.bar_noises', 'last priced'],
    ['main:live.new_products', 'added', 'main:live.products', 'no minute'],
  ],
  barsKept: [
    ['pricing:surface.forwards', 'anew', 'main:live.bar_forwards', 'last bar'],
    ['pricing:surface.smiles', 'anew', 'main:live.bar_smiles', 'its terms'],
    ['pricing:surface.quotes', 'anew', 'main:live.bar_quotes', 'its terms'],
  ],
  ordersKept: [['main:live.placed_now', 'added', 'main:ledger.placed']],
} as const satisfies Readonly<Record<string, readonly Handoff[]>>

export type StepPoint = keyof typeof HANDOFFS

/** Makes the hand-offs of a point in a step, in their order. */
export async function handOver(spaces: Workspaces, point: StepPoint): Promise<void> {
  for (const handoff of HANDOFFS[point] as readonly Handoff[]) await handOne(spaces, handoff)
}

/** The tables of `main` that hand-offs of a point make anew. */
export const madeAnewAt = (point: StepPoint): readonly string[] =>
  (HANDOFFS[point] as readonly Handoff[]).filter(([, how]) => how === 'anew').map(tableTo)

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
  if (how === 'anew') await db.refill(target, rows)
  else if (how === 'added') await db.append(target, rows)
  else await db.make(target, `${rows} limit 0`)
}

function parseTableAddress(address: TableAddress): readonly [keyof Workspaces, string] {
  const [space, table] = address.split(':')
  return [space as keyof Workspaces, table!]
}
