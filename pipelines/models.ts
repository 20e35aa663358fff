/** What is built after the levels, in order: the ledger of the session. */
export const LEDGER_MODELS = [
  'ledger/leg_texts',
  'ledger/order_gammas',
  'ledger/placed',
  'ledger/orders',
  'ledger/legs',
  'ledger/revisions',
  'ledger/revision_legs',
  'ledger/order_prints',
  'ledger/prints',
  'ledger/levels',
  'ledger/profiles',
  'ledger/forwards',
  'ledger/inventory',
  'ledger/inventory_shares',
  'ledger/closing_positions',
  'ledger/stats',
  'ledger/market_minutes',
  'ledger/large_orders',
  'ledger/tape_minutes',
  'ledger/tape_gaps',
  'ledger/tape_shares',
  'ledger/tape_folds',
  'ledger/tape_markets',
  'ledger/tape_imports',
  'ledger/tape_findings',
  'ledger/tape_report',
] as const

/** Large models whose rows are read once: views, so that nobody holds them. */
export const LEDGER_VIEWS: readonly string[] = [
  ...['ledger/placed', 'ledger/order_prints', 'ledger/prints'],
]

/** Large tables by the last model that reads them: a build drops them after it. */
export const LAST_READS: Readonly<Record<string, readonly string[]>> = {
  'fold/repeated_fill_prints': [
    ...['fold.leg_prints', 'fold.islands', 'fold.whole_islands', 'fold.listings', 'fold.runs'],
    ...['fold.segments', 'fold.pieces', 'fold.joins'],
    ...['fold.repeat_islands', 'fold.repeat_totals', 'fold.repeat_templates'],
    'fold.repeat_matches',
  ],
  'fold/parents': ['fold.fills'],
  'fold/order_members': ['fold.bursts'],
  'fold/order_patterns': ['fold.possible_patterns'],
  'fold/order_confidence': ['fold.fill_prints'],
  'fold/package_sides': ['fold.fill_legs', 'fold.fill_shapes', 'fold.parents'],
  'fold/single_reads': ['fold.print_sides'],
  'fold/side_evidence': ['fold.single_reads', 'fold.package_sides'],
  'fold/order_sides': ['fold.side_evidence'],
  'fold/order_signs': ['fold.order_sides', 'fold.order_confidence'],
  'fold/order_prints': ['fold.order_members', 'fold.order_legs'],
  'fold/parent_orders': ['fold.order_totals', 'fold.order_patterns', 'fold.order_signs'],
  'fold/zone_prints': ['fold.kept_prints'],
  'fold/trust_then': ['fold.quote_trust'],
  'fold/spans': [
    ...['fold.folded', 'fold.folded_then', 'fold.zone_prints', 'fold.prints_then'],
    'fold.trust_then',
  ],
  'surface/forwards': ['surface.pairs'],
  'book/bar_strikes': ['surface.quotes'],
  'book/bar_variances': ['book.bar_covariances'],
  'book/leg_gammas': ['surface.implied_vols'],
  'book/positions': ['surface.smiles', 'book.smile_pairs'],
  'book/profiles': ['book.positions', 'book.pair_flows', 'book.doubts', 'book.bar_strikes'],
}

/** What to do after each model of a stage, such as to drop what nobody reads any more. */
export type AfterModel = (model: string) => Promise<void>

export const doNothing: AfterModel = async () => {}

/** Queries that must return no row before a session may be published. */
export const AUDITS = [
  'prints_are_conserved',
  'legs_equal_their_prints',
  'orders_are_unique',
  'orders_have_legs_and_sizes',
  'orders_lie_in_the_session',
  'signs_are_whole',
  'nulls_have_reasons',
  'levels_cover_every_minute',
  'market_minutes_have_reasons',
  'stats_equal_the_ledger',
] as const
