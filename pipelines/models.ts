/** What is built after the levels, in order: the ledger of the session. */
export const LEDGER_MODELS = [
  'ledger/leg_texts',
  'ledger/order_gammas',
  'ledger/orders',
  'ledger/legs',
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

/** Large models that only the publisher reads, once: views, so that nobody holds their rows. */
export const LEDGER_VIEWS: readonly string[] = ['ledger/order_prints', 'ledger/prints']

/** Large tables by the last model or stage that reads them: a build drops them after it. */
export const LAST_READS: Readonly<Record<string, readonly string[]>> = {
  fold: [
    ...['fold.leg_prints', 'fold.fill_prints', 'fold.bursts', 'fold.parents'],
    ...['fold.order_members', 'fold.order_legs', 'fold.order_totals', 'fold.order_patterns'],
    ...['fold.order_confidence', 'fold.print_sides', 'fold.order_sides', 'fold.order_signs'],
    ...['fold.kept_prints', 'fold.fill_legs', 'fold.fill_shapes', 'fold.fills', 'fold.pieces'],
    ...['fold.repeat_islands', 'fold.repeat_templates', 'fold.repeat_totals'],
    ...['fold.side_evidence', 'fold.single_reads', 'fold.quote_trust'],
  ],
  'surface/forwards': ['surface.pairs'],
  'book/bar_strikes': ['surface.quotes'],
  'book/bar_variances': ['book.bar_covariances'],
  'book/leg_gammas': ['surface.implied_vols'],
  'book/positions': ['surface.smiles'],
  'book/profiles': ['book.positions', 'book.pair_flows', 'book.doubts', 'book.bar_strikes'],
}

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
