import { join } from 'node:path'
import type { Database } from '../engine/database.ts'
import { settlementOf } from '../engine/roots.ts'
import { REFERENCE_FOLDER } from '../engine/sql.ts'
import { expiresAtMs, minutesOf, type Session } from '../market/calendar.ts'

export type SessionTables = {
  readonly session: Session
  /** Product of the session's tape, such as 'SPX'. */
  readonly symbol: string
  /** Rows known at or after this instant do not exist for the build. UTC milliseconds. */
  readonly knownUntilMs: number
  /** Smallest gross premium of a ledger order, USD. */
  readonly minPremiumUsd: number
}

/**
 * Makes `tape.conditions` from the reference table of OPRA message types, each with the class of
 * market that its prints come from.
 */
export async function loadConditions(db: Database): Promise<void> {
  await db.run(
    // all varchar first: a sniffer reads a column of 't' and 'f' as booleans
    `create or replace table tape.conditions as
     with letters as (
       select
         letter, mnemonic, family, is_cancel::boolean as is_cancel, is_late::boolean as is_late,
         is_multi_leg::boolean as is_multi_leg, is_against_single::boolean as is_against_single,
         is_floor::boolean as is_floor, is_auction::boolean as is_auction,
         is_cross::boolean as is_cross, ledger, is_side_allowed::boolean as is_side_allowed
       from read_csv($file, all_varchar = true, header = true)
     )
     select
       *, letter_class(letter, is_floor, is_cross, is_auction, is_late, family) as print_class
     from letters`,
    { file: join(REFERENCE_FOLDER, 'conditions.csv') },
  )
}

/** Makes `tape.limits`: from which value on a measure of the tape is doubtful, bad or refused. */
export async function loadTapeLimits(db: Database): Promise<void> {
  await db.run(
    `create or replace table tape.limits as
     select
       row_number() over () as limit_number, measure, doubtful::double as doubtful,
       bad::double as bad, refused::double as refused, why
     from read_csv($file, all_varchar = true, header = true)`,
    { file: join(REFERENCE_FOLDER, 'tape_limits.csv') },
  )
}

/** Makes `fold.side_calibration`: how often orders of one evidence went the way they lean. */
export async function loadSideCalibration(db: Database): Promise<void> {
  await db.make(
    'fold.side_calibration',
    `select
       evidence, place::integer as place, probability::double as probability,
       orders::bigint as orders
     from read_csv($file, all_varchar = true, header = true)`,
    { file: join(REFERENCE_FOLDER, 'side_calibration.csv') },
  )
}

/**
 * Makes `tape.session` and `tape.minutes` from the calendar, and, where there are none, empty
 * tables of what is judged of the tape: `tape.set_apart`, the prints that audits took out of the
 * session, and `tape.silent_codes`.
 */
export async function loadSession(db: Database, tables: SessionTables): Promise<void> {
  const { session, symbol, knownUntilMs, minPremiumUsd } = tables
  await db.refill(
    'tape.session',
    `select
       $date::date as session_date, $symbol::varchar as symbol,
       make_timestamp($opens::bigint * 1000) as opens_at,
       make_timestamp($closes::bigint * 1000) as closes_at,
       make_timestamp($expires::bigint * 1000) as pm_expires_at,
       $half::boolean as is_half_day,
       make_timestamp($until::bigint * 1000) as known_until,
       $floor::double as min_premium_usd`,
    {
      date: session.date,
      symbol,
      opens: session.opensAtMs,
      closes: session.closesAtMs,
      expires: session.pmExpiresAtMs,
      half: session.isHalfDay,
      until: knownUntilMs,
      floor: minPremiumUsd,
    },
  )
  await db.run('create table if not exists tape.set_apart (sequence bigint, audit varchar)')
  await db.run('create table if not exists tape.silent_codes (sequence bigint)')
  const minutes = minutesOf(session).map(({ minute, atMs }) => ({ minute, at_ms: atMs }))
  await db.make(
    'tape.minutes',
    `select unnest.minute as minute_et, make_timestamp(unnest.at_ms * 1000) as minute_at
     from unnest(from_json($minutes, '[{"minute": "varchar", "at_ms": "bigint"}]'))
     order by minute_at`,
    { minutes: JSON.stringify(minutes) },
  )
}

/**
 * Makes `tape.expiries`: when every contract of the session's symbol in prints, quotes and
 * positions expires, and from when on it was known that there is one.
 */
export async function loadExpiries(db: Database): Promise<void> {
  await makeExpiries(db, await seenExpiries(db, ['tape.prints', 'tape.quotes']))
}

export type SeenExpiry = {
  readonly root: string
  readonly expiry: string
  /** UTC; '-infinity': before the session. */
  readonly known_at: string
}

/** The expiries of contracts of the session's symbol, each as early as it was known. */
export async function seenExpiries(
  db: Database,
  tables: readonly string[],
): Promise<readonly SeenExpiry[]> {
  const rows = [...tables, 'tape.open_interest', 'tape.dealer_positions']
    .map(table => `select root, expiry, known_at from ${table}`)
    .join(' union all ')
  const seen = await db.rows(
    `select root, expiry::varchar as expiry,
       min(coalesce(known_at, '-infinity'))::varchar as known_at
     from (${rows})
     group by root, expiry
     having symbol_of(root) = (select symbol from tape.session)`,
  )
  return seen as SeenExpiry[]
}

/** Makes `tape.expiries` of the expiries seen so far. */
export async function makeExpiries(db: Database, seen: readonly SeenExpiry[]): Promise<void> {
  const expiries = seen.map(one => {
    const settlement = settlementOf(one.root)
    return { ...one, settlement, at_ms: expiresAtMs(one.expiry, settlement) }
  })
  await db.refill(
    'tape.expiries',
    `select
       unnest.root as root, unnest.expiry as expiry, unnest.settlement as settlement,
       make_timestamp(unnest.at_ms * 1000) as expires_at,
       unnest.known_at::timestamp as known_at
     from unnest(from_json(
       $expiries,
       '[{"root": "varchar", "expiry": "date", "settlement": "varchar", "at_ms": "bigint",
          "known_at": "varchar"}]'
     ))
     order by root, expiry`,
    { expiries: JSON.stringify(expiries) },
  )
}
