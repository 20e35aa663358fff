import { BOOK_MODELS, LEVELS_MODELS } from '../../pipelines/build/dag.ts'
import type { TestDb } from './db.ts'
import { makeTable } from './surface.ts'

/** One contract of a toy book with its own market, `quantity` from the dealers' side. */
export type BookContract = {
  readonly minute_et: string
  readonly root: string
  readonly expiry: string
  readonly strike: number
  readonly option_type: string
  readonly quantity: number
  /** Other contracts, of which nobody knows the dealers' side; none unless given. */
  readonly guess?: number
  /** One standard deviation of the quantity; none unless given. */
  readonly deviation?: number
  /** How far one logit more of buyers would move the quantity, and one deviation of the rates of sides. */
  readonly balance?: number
  readonly rate?: number
  readonly vol: number
  readonly seconds_left: number
  readonly forward: number
  readonly discount: number
}

export type Spot = {
  readonly minute_et: string
  readonly spot: number | null
  /** One standard deviation of an index by put-call parity; unless given it is on the tape. */
  readonly error?: number
}

const CHAIN = { minute_et: 'varchar', root: 'varchar', expiry: 'date' }

/** Made by a toy book itself, or of orders, which it has none of. */
const GIVEN: readonly string[] = [
  'book/known_positions',
  'book/inventory',
  'book/late_inventory',
  'book/leg_gammas',
  'book/edition_flows',
  'book/flow_changes',
  'book/minute_flows',
]

/** Models of a toy book and its levels, in order. */
export const TOY_MODELS: readonly string[] = [...BOOK_MODELS, ...LEVELS_MODELS].filter(
  model => !GIVEN.includes(model),
)

/**
 * Builds book and levels on a given surface: every expiry has only the minutes and the strikes
 * that its contracts name, so that one build can hold a different book at every minute.
 */
export async function buildToyBooks(
  db: TestDb,
  spots: readonly Spot[],
  contracts: readonly BookContract[],
): Promise<void> {
  const columns = { minute_et: 'varchar', spot: 'double', error: 'double' }
  await makeTable(db, 'main.toy_spots', columns, spots)
  await makeTable(
    db,
    'main.toy',
    {
      ...CHAIN,
      strike: 'double',
      option_type: 'varchar',
      quantity: 'bigint',
      guess: 'bigint',
      deviation: 'bigint',
      balance: 'bigint',
      rate: 'bigint',
      vol: 'double',
      seconds_left: 'integer',
      forward: 'double',
      discount: 'double',
    },
    contracts,
  )
  await db.run(`
    create or replace table surface.spots as
    select minute_et, minute_at, spot, minute_at as spotted_at,
      case when error is not null then 'parity' when spot is not null then 'index' end
        as spot_source,
      error as spot_error,
      case when spot is null then 'no_spot' end as reason
    from tape.minutes join main.toy_spots using (minute_et);
    create or replace table surface.forwards as
    select row_number() over (order by minute_at, root, expiry) as term_number, *
    from (select distinct minute_et, minute_at, root, expiry,
      minute_at + to_seconds(seconds_left) as expires_at, seconds_left,
      years_of_seconds(seconds_left) as years, discount, forward, spot,
      null::varchar as reason
    from main.toy join surface.spots using (minute_et));
    create or replace table surface.terms as select * from surface.forwards;
    create or replace table tape.expiries as
    select root, expiry, 'PM' as settlement, expiry as ends_on, max(expires_at) as expires_at,
      timestamp '-infinity' as known_at
    from surface.forwards group by root, expiry;
    create or replace table surface.implied_vols as
    select distinct term_number, strike, vol as implied_vol, null::varchar as reason
    from main.toy join surface.forwards using (minute_et, root, expiry);
    create or replace table book.inventory as
    select root, expiry, strike, option_type, 'measured' as source,
      whole_contracts(sum(quantity)) as open_quantity,
      whole_contracts(coalesce(sum(guess), 0)) as guessed_quantity,
      whole_contracts(coalesce(sum(deviation), 0)) as deviation_quantity,
      whole_contracts(coalesce(sum(balance), 0)) as balance_quantity,
      whole_contracts(coalesce(sum(rate), 0)) as rate_quantity,
      if(sum(guess) > 0, if(option_type = 'C', 1, -1) * sum(guess), sum(quantity))::bigint
        as oi_quantity
    from main.toy group by root, expiry, strike, option_type;
    create or replace table book.late_inventory (root varchar, expiry date, strike double,
      option_type varchar, source varchar, enters_at timestamp, open_quantity decimal(18, 4),
      guessed_quantity decimal(18, 4), deviation_quantity decimal(18, 4),
      balance_quantity decimal(18, 4), rate_quantity decimal(18, 4), oi_quantity bigint);
    create or replace table surface.quotes (term_number integer,
      strike double, call_bid double, call_ask double, call_quoted_at timestamp,
      put_bid double, put_ask double, put_quoted_at timestamp);
    create or replace table surface.expected_moves as
    select minute_et, null::varchar as root, null::date as expiry, null::double as implied_vol,
      null::double as expected_move_points,
      null::double as session_expected_move_points, 'no_pm_expiry' as reason
    from tape.minutes`)
  await db.build('surface/smiles')
  for (const model of TOY_MODELS) await db.build(model)
}
