import { findTradingSession } from '../../src/core/market/calendar.ts'
import { loadSession } from '../../src/data/tape/session.ts'
import { openTestDb, type TestDb } from './db.ts'
import { viewEditions } from './editions.ts'

/** Tables of the stages before the ledger, for tests that give their rows by hand. */
const TABLES = {
  'fold.parent_orders': `order_id varchar, first_sequence bigint, printed_at timestamp,
    last_printed_at timestamp, visible_at timestamp, known_at timestamp, minute_et varchar,
    fold_basis varchar, fold_rule varchar, confidence double, condition varchar,
    print_class varchar, print_count integer, leg_count integer, structure varchar,
    flags varchar[], size integer, contracts integer, gross_premium_usd double,
    net_premium_usd double, sign integer, z double, side_reason varchar,
    side_probability double, side_deviation double`,
  'fold.legs': `order_id varchar, first_sequence bigint, leg_number integer, root varchar,
    expiry date, strike double, option_type varchar, ratio integer, contracts integer,
    premium_usd double, average_price double, package_sign integer, customer_sign integer,
    own_quote_sign integer`,
  'fold.order_prints': 'order_id varchar, sequence bigint, leg_number integer',
  'fold.print_fates': `sequence bigint, printed_at timestamp, fate varchar, letter varchar,
    size integer`,
  'book.leg_gammas': `edition_id bigint, leg_number integer, spot double, forward double,
    discount double, years double, implied_vol double, gamma double, delta double,
    delta_error double, gamma_error double, seconds_left bigint, reason varchar`,
  'levels.levels': `minute_et varchar, book_basis varchar, spot double,
    net_gamma_musd_per_point double, regime varchar, flip double, flip_roots double[],
    call_wall double, put_wall double, expected_move_points double,
    session_expected_move_points double, expected_move_reason varchar, measured_share double,
    priced_share double, reason varchar, flip_lo double, flip_hi double,
    net_gamma_deviation_musd double, p_positive double, sessions_carried integer,
    spot_source varchar, spot_error double`,
} as const

/** A database with the session of a date and empty tables of the stages before the ledger. */
export async function openStagesDb(minPremiumUsd = 100_000, date = '2026-10-14'): Promise<TestDb> {
  const db = await openTestDb()
  for (const [name, columns] of Object.entries(TABLES)) {
    await db.run(`create table ${name} (${columns})`)
  }
  await viewEditions(db)
  const session = findTradingSession(date)!
  const knownUntilMs = session.closesAtMs + 3_600_000
  await loadSession(db, { session, symbol: 'SPX', knownUntilMs, minPremiumUsd })
  return db
}
