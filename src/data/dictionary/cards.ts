/** Cards of the datasets: purpose and limits, which columns cannot express. */

type DatasetCard = {
  /** Its purpose: the questions that its rows settle. */
  readonly use: string
  /** Misreadings to avoid, and facts that its rows do not have. */
  readonly limits: string
}

/** The card of each published dataset, by name. */
export const DATASET_CARDS: Readonly<Record<string, DatasetCard>> = {
  orders: {
    use: 'What large orders were, when they printed, for how much, and what gamma they gave to dealers.',
    limits:
      'Sign 0 is "not known", not "neither": leave such orders out or use side_probability. A row is ' +
      'the order as it stood at the end of the day; what was known at an instant is in revisions.',
  },
  legs: {
    use: 'The contracts of an order, their prices and the side of each.',
    limits:
      'The side of a leg by its own quote is wrong half of the time: the side of the package counts. ' +
      'Volume, greeks and implied volatility are those of the minute before the order.',
  },
  revisions: {
    use:
      'The ledger as it was known at any instant: the row of orders when its visible_at is earlier, ' +
      'else the row here with visible_at before the instant and superseded_at not.',
    limits: 'It has only versions that were replaced: what stands is in orders.',
  },
  revision_legs: {
    use: 'The contracts of those earlier versions.',
    limits: 'As revisions: the legs of what stands are in legs.',
  },
  order_prints: {
    use: 'Which prints an order was rebuilt from.',
    limits:
      'It names prints by their sequence; their prices are in prints, which a vendor may not allow ' +
      'to pass on.',
  },
  prints: {
    use: 'Every print of the session, with what became of it.',
    limits:
      'It is the tape of a vendor: given to others only where the operator of the server may.',
  },
  levels: {
    use: 'Spot, net gamma, flip and walls of each minute, by three books.',
    limits:
      'Take one book: rows of several books are of the same minute. Flip, regime and walls of the book ' +
      '"measured" are null while its inventory is unknown. The book "oi" is a convention: on simulated ' +
      'markets an interval around its flip held the true one in 17 % of the minutes.',
  },
  profiles: {
    use: "Dealers' gamma if the index stood elsewhere, at the same minute.",
    limits: 'Positions and volatilities are held as they are: it is no forecast of a path.',
  },
  strikes: {
    use: "Dealers' gamma by strike.",
    limits: 'Strikes within 300 points of the index; all expiries are added up.',
  },
  exposures: {
    use: "Dealers' delta, gamma, vanna and charm by strike and expiry.",
    limits:
      'Every five minutes. A row whose strike is null holds all strikes further than 300 points away. ' +
      'Services differ in sign and unit: compare with the ten vectors of the contract first.',
  },
  expiry_levels: {
    use: "Levels of today's expiry, of the next and of all.",
    limits: 'The buckets overlap: "all" holds the other two. Never add them up.',
  },
  flow: {
    use: 'What customers bought less what they sold, in delta and gamma.',
    limits:
      'The interval also holds what many orders share: how often a side is right, and how many buy. ' +
      'Parts overlap: "0dte", "calls" and "puts" are parts of "all".',
  },
  basis: {
    use: 'How far a future stood above the index, to move levels to its scale.',
    limits:
      'Only where futures were imported; null with a reason in minutes without a price of both.',
  },
  forwards: {
    use: 'Forward and discount of each expiry and minute.',
    limits:
      'A discount with source "none" is 1, not measured. Where forward_low is above forward_high the ' +
      'quotes contradict each other.',
  },
  inventory: {
    use: 'What dealers held of each contract at the open, and from where it is known.',
    limits:
      'Rows of source "open_interest" have the quantity 0 and a deviation: their side is not known. ' +
      'Whether it may be passed on depends on who gave the positions.',
  },
  inventory_shares: {
    use: 'How much of the opening book is measured, carried or unknown.',
    limits: 'Shares are of contracts, not of gamma; that is measured_share of levels.',
  },
  closing_positions: {
    use: "Dealers' positions at the close, from which the next session starts.",
    limits: 'Fractions are expectations: no dealer holds half a contract.',
  },
  position_changes: {
    use: "What the session's prints added to dealers' positions.",
    limits:
      'A mean with a variance, from the probability of each side; opening and closing trades look alike.',
  },
  closing_index: {
    use: 'The index at the close, as the next session takes it.',
    limits: 'The last index before the close, not the official settlement; that is in settlements.',
  },
  stats: {
    use: 'Counts of the ledger of a session.',
    limits: 'Only of orders at or above the premium floor. Premiums are summed without their sign.',
  },
  tape_report: {
    use: 'How far the tape of a session can be trusted, before anything else of the session is used.',
    limits:
      'It judges what is on the tape: what a vendor never sent shows only as minutes that are missing.',
  },
  market_minutes: {
    use: 'The market of each minute in one row: index, smile, expected move, levels.',
    limits: "Of the session's own PM expiry alone; levels are those of the measured book.",
  },
  large_orders: {
    use: 'The orders of the ledger with the instant from which each version counts.',
    limits:
      'One row a version: an order may be there several times. Filter by visible_at and superseded_at.',
  },
  option_minutes: {
    use: 'Bid and ask of each minute, at which a backtest trades.',
    limits:
      'PM expiries of this session and the next five, strikes within 700 points. A quote may be old: ' +
      'its age stands beside it. Quotes of a vendor are not passed on by default.',
  },
  smiles: {
    use: 'Implied variance by strike, minute and expiry.',
    limits:
      'Between strikes it is for the reader to interpolate; beyond the first and last nothing was quoted.',
  },
  settlements: {
    use: 'The value at which contracts of the PM close settle.',
    limits:
      'Only source "official" is the exchange\'s; the others are estimates from the last index or quotes.',
  },
  level_grades: {
    use: 'Whether walls held, against other strikes of the same minute.',
    limits:
      'Hours of one session are not independent: count sessions. A wall that holds more often than ' +
      'other strikes does not say that one earns by it.',
  },
  regime_grades: {
    use: 'Whether the stated probability of positive gamma went with a calm index.',
    limits:
      'Half hours of one session are not independent, and calm is measured against the price of the straddle.',
  },
  restatements: {
    use: 'What changed in a session after it was published, and why.',
    limits: 'Counts of rows and columns; the values before are in the files of the edition before.',
  },
}
