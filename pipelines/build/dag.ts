/**
 * Every model of a build, once, stage by stage, in the order of their first building. Which may
 * run concurrently, and when a table is not needed any more, follows from the `reads:` of their
 * headers: see steps.ts and drops.ts.
 */

const of = (stage: string, ...names: readonly string[]) => names.map(name => `${stage}/${name}`)

/** From the prints to the orders. The models of the ladder are built again in each pass. */
export const FOLD = {
  /** How often orders go the way their price leans: comes with the product. */
  reference: of('fold', 'side_rates'),
  /** Disposition of each print. */
  fates: of('fold', 'cancel_matches', 'print_fates'),
  prints: of('fold', 'included_prints', 'contracts', 'leg_prints'),
  /** The ladder, which finds the packages: its empty tables, and each pass. */
  empty: of('fold', 'no_fills', 'no_islands', 'no_refusals'),
  islands: of('fold', 'pass', 'islands'),
  whole: of('fold', 'whole_islands', 'listings'),
  cuts: of('fold', 'runs', 'segments'),
  found: of('fold', 'found_prints', 'new_islands'),
  pairs: of('fold', 'pieces', 'pairs'),
  joins: of('fold', 'joins', 'used_fills', 'joined_prints', 'new_refusals'),
  /** Packages that came more than once. */
  repeats: [
    ...of('fold', 'repeat_islands', 'repeat_totals', 'repeat_templates', 'repeat_matches'),
    ...of('fold', 'repeats', 'repeated_fill_prints'),
  ],
  packages: of('fold', 'package_prints'),
  trust: of('fold', 'quote_trust'),
  orders: [
    ...of('fold', 'fill_legs', 'fill_shapes', 'shape_patterns', 'fills', 'parents', 'bursts'),
    ...of('fold', 'order_members', 'order_legs', 'order_totals', 'print_sides', 'single_reads'),
    ...of('fold', 'possible_patterns', 'order_patterns', 'order_confidence', 'package_sides'),
    ...of('fold', 'side_evidence', 'order_sides', 'order_signs'),
    ...of('fold', 'order_prints', 'cancelled_legs', 'abandoned_legs', 'legs', 'parent_orders'),
  ],
} as const

/** Versions of the orders over time. */
export const EDITIONS = {
  lateChanges: of('fold', 'late_changes'),
  /** Ranges of the session with late changes, their rounds, and the prints there. */
  ranges: of('fold', 'affected_ranges', 'late_rounds', 'range_prints'),
  /** The orders there as they stand. */
  folded: of('fold', 'range_orders'),
  /** Earlier versions of the prints. */
  before: of('fold', 'earlier_prints', 'earlier_trust'),
  /** From the orders as they were and as they stand to what changed. */
  changes: of('fold', 'spans', 'revised'),
  all: of('fold', 'editions', 'edition_legs'),
} as const

export const FOLD_MODELS: readonly string[] = Object.values(FOLD).flat()
export const EDITION_MODELS: readonly string[] = Object.values(EDITIONS).flat()

/** The index of every minute, and the futures above it. */
export const SPOT_MODELS: readonly string[] = [
  ...of('surface', 'sources', 'spot_values', 'index_spots', 'bases', 'discounts', 'quotes'),
  ...of('surface', 'parity_terms', 'parity_pairs', 'parity_forwards', 'parity_carries', 'spots'),
]

/** Forwards, volatilities and smiles of every minute. */
export const SURFACE_MODELS: readonly string[] = [
  ...SPOT_MODELS,
  ...of('surface', 'terms', 'pairs'),
  ...of('surface', 'forwards', 'implied_vols', 'smiles', 'expected_moves', 'session_smiles'),
  ...of('surface', 'near_terms', 'near_quotes', 'near_smiles'),
]

/** The dealers' positions, their gamma, and its course over the index. */
export const BOOK_MODELS: readonly string[] = [
  ...of('book', 'known_positions', 'inventory', 'late_inventory', 'inventory_shares'),
  ...of(
    'book',
    'leg_sides',
    'flows',
    'deviations',
    'traded',
    'deviation_products',
    'pairs',
    'holdings',
    'balances',
    'pair_flows',
  ),
  ...of(
    'book',
    'bar_states',
    'expiry_buckets',
    'bar_nodes',
    'bar_shifts',
    'bar_points',
    'bar_shares',
    'bar_strikes',
  ),
  ...of('book', 'leg_gammas', 'edition_flows', 'flow_changes', 'minute_flows'),
  ...of('book', 'smile_pairs', 'positions', 'gammas', 'coverage', 'exposures'),
  ...of('book', 'scan_nodes', 'scan_weights', 'scan_sums', 'bar_covariances', 'bar_variances'),
  ...of('book', 'scan', 'shared_variances', 'bar_noises', 'inventory_variances'),
  ...of('book', 'bar_deviations', 'profiles'),
]

/** Flip, walls and regime of every minute and book. */
export const LEVELS_MODELS: readonly string[] = of(
  'levels',
  'lobes',
  'flips',
  'bars',
  'spot_deviations',
  'strikes',
  'walls',
  'expiry_levels',
  'levels',
)

/** The ledger of the session, and the measures of its tape. */
export const LEDGER_MODELS: readonly string[] = [
  ...of('ledger', 'leg_texts', 'order_gammas', 'order_versions', 'orders', 'stats'),
  ...of('ledger', 'edition_legs', 'legs', 'revisions', 'revision_legs'),
  ...of('ledger', 'tape_minutes', 'tape_gaps', 'tape_shares', 'tape_folds', 'tape_markets'),
  ...of('ledger', 'tape_forwards', 'order_prints', 'prints', 'levels', 'profiles', 'strikes'),
  ...of('ledger', 'exposures', 'expiry_levels', 'flow'),
  ...of('ledger', 'basis', 'forwards', 'inventory', 'inventory_shares'),
  ...of('ledger', 'outside_flows', 'position_changes', 'closing_positions', 'closing_index'),
  ...of('ledger', 'market_minutes', 'large_orders'),
  ...of('ledger', 'option_minutes', 'smiles', 'settlements', 'level_grades', 'regime_grades'),
  ...of('ledger', 'tape_contracts', 'tape_quotes', 'tape_imports', 'tape_findings', 'tape_report'),
]

/** Every model that makes a session, in order. */
export const BUILD_MODELS: readonly string[] = [
  FOLD_MODELS,
  EDITION_MODELS,
  SURFACE_MODELS,
  BOOK_MODELS,
  LEVELS_MODELS,
  LEDGER_MODELS,
].flat()

/**
 * Queries that must return no row before a session may be published. Prints that they name are set
 * apart first, and the session is built again without them: see setApart.ts.
 */
export const AUDITS = [
  'prints_are_conserved',
  'legs_equal_their_prints',
  'orders_are_unique',
  'orders_have_legs_and_sizes',
  'orders_lie_in_the_session',
  'signs_are_whole',
  'nulls_have_reasons',
  'levels_cover_every_minute',
  'strikes_add_up',
  'exposures_add_up',
  'flow_adds_up',
  'bases_have_reasons',
  'market_minutes_have_reasons',
  'option_minutes_are_of_their_time',
  'smiles_have_reasons',
  'settlements_have_reasons',
  'grades_have_reasons',
  'stats_equal_the_ledger',
] as const

/** Other queries on a session that is built. */
export const BUILT_QUERIES = [
  'views/tape_findings',
  'views/tape_refusals',
  'views/odd_prints',
  'views/missing_minutes',
  'views/tape_counts',
  'views/tape_newest',
  'views/newest_print',
  'views/newest_quote',
  'views/ledger_rows',
  'views/ledger_legs',
  'views/set_apart',
  'views/set_apart_counts',
] as const
