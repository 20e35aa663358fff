/** What is built after the levels, step by step: the ledger of the session. */
export const LEDGER_STEPS = [
  [
    ['leg_texts', 'order_gammas', 'placed', 'orders', 'stats'],
    [
      ...['legs', 'tape_minutes', 'tape_gaps', 'tape_shares', 'tape_folds', 'tape_markets'],
      'tape_forwards',
    ],
  ],
  [
    [
      ...['revisions', 'revision_legs', 'order_prints', 'prints', 'levels', 'profiles'],
      ...['strikes', 'basis'],
      ...['forwards', 'inventory', 'inventory_shares', 'closing_positions'],
      ...['market_minutes', 'large_orders'],
      ...['tape_contracts', 'tape_quotes', 'tape_imports', 'tape_findings', 'tape_report'],
    ],
  ],
].map(branches => branches.map(models => models.map(model => `ledger/${model}`)))

export const LEDGER_MODELS: readonly string[] = LEDGER_STEPS.flat(2)

/** Large models whose rows are read once: views, so that nobody holds them. */
export const LEDGER_VIEWS: readonly string[] = [
  ...['ledger/placed', 'ledger/order_prints', 'ledger/prints'],
]

/** Large tables by the last model that reads them: a build drops them after it. */
export const LAST_READS: Readonly<Record<string, readonly string[]>> = {
  'fold/quote_trust': [
    ...['fold.leg_prints', 'fold.islands', 'fold.judged_islands', 'fold.whole_islands'],
    ...['fold.listings', 'fold.runs'],
    ...['fold.segments', 'fold.pieces', 'fold.pairs', 'fold.refused_pairs', 'fold.joins'],
    ...['fold.repeat_islands', 'fold.repeat_totals', 'fold.repeat_templates'],
    ...['fold.repeat_matches', 'fold.repeats'],
  ],
  'fold/parents': ['fold.fills'],
  'fold/order_members': ['fold.bursts', 'fold.fill_prints'],
  'fold/single_reads': ['fold.print_sides'],
  'fold/package_sides': ['fold.fill_legs', 'fold.possible_patterns'],
  'fold/side_evidence': [
    ...['fold.single_reads', 'fold.package_sides'],
    ...['fold.package_prints', 'fold.fill_shapes', 'fold.parents'],
  ],
  'fold/order_sides': ['fold.side_evidence'],
  'fold/order_signs': ['fold.order_sides', 'fold.order_confidence'],
  'fold/abandoned_legs': ['fold.order_members'],
  'fold/parent_orders': [
    ...['fold.order_legs', 'fold.order_totals', 'fold.order_patterns', 'fold.order_signs'],
  ],
  'fold/zone_prints': ['fold.kept_prints'],
  'fold/trust_then': ['fold.quote_trust'],
  'fold/spans': [
    ...['fold.folded', 'fold.folded_then', 'fold.zone_prints', 'fold.prints_then'],
    'fold.trust_then',
  ],
  'surface/bases': ['surface.known_spots'],
  'surface/forwards': ['surface.pairs'],
  'book/bar_strikes': ['surface.quotes'],
  'book/bar_variances': ['book.bar_covariances'],
  'book/leg_gammas': ['surface.implied_vols'],
  'book/positions': ['book.smile_pairs'],
  'book/coverage': ['surface.smiles'],
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
  'strikes_add_up',
  'bases_have_reasons',
  'market_minutes_have_reasons',
  'stats_equal_the_ledger',
] as const
