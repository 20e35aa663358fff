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
  readonly vol: number
  readonly seconds_left: number
  readonly forward: number
  readonly discount: number
}

export type Spot = { readonly minute_et: string; readonly spot: number | null }

const CHAIN = { minute_et: 'varchar', root: 'varchar', expiry: 'date' }

/**
 * Builds book and levels on a given surface: every expiry has only the minutes and the strikes
 * that its contracts name, so that one build can hold a different book at every minute.
 */
export async function buildToyBooks(
  db: TestDb,
  spots: readonly Spot[],
  contracts: readonly BookContract[],
): Promise<void> {
  await makeTable(db, 'main.toy_spots', { minute_et: 'varchar', spot: 'double' }, spots)
  await makeTable(
    db,
    'main.toy',
    {
      ...CHAIN,
      strike: 'double',
      option_type: 'varchar',
      quantity: 'bigint',
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
    create or replace table surface.implied_vols as
    select distinct term_number, strike, vol as implied_vol, null::varchar as reason
    from main.toy join surface.forwards using (minute_et, root, expiry);
    create or replace table book.inventory as
    select root, expiry, strike, option_type, sum(quantity)::bigint as open_quantity,
      'open_interest' as source, open_quantity as oi_quantity, 'open_interest' as oi_source
    from main.toy group by all;
    create or replace table book.late_inventory (root varchar, expiry date, strike double,
      option_type varchar, source varchar, enters_at timestamp, open_quantity bigint,
      oi_quantity bigint, oi_source varchar);
    create or replace table surface.quotes (term_number integer,
      strike double, call_bid double, call_ask double, call_quoted_at timestamp,
      put_bid double, put_ask double, put_quoted_at timestamp);
    create or replace table surface.expected_moves as
    select minute_et, null::varchar as root, null::date as expiry, null::double as implied_vol,
      null::double as expected_move_points,
      null::double as session_expected_move_points, 'no_pm_expiry' as reason
    from tape.minutes`)
  await db.build('surface/smiles')
  const given = [
    'book/opening_positions',
    'book/inventory',
    'book/late_inventory',
    'book/leg_gammas',
  ]
  const models = BOOK_MODELS.filter(model => !given.includes(model))
  for (const model of [...models, ...LEVELS_MODELS]) await db.build(model)
}
