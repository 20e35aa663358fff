import type { TestDb } from './db.ts'
import { keepMinutes, loadExpiries, openSessionDb } from './surface.ts'

/** The last minutes of the small market: an expiry at 16:00 leaves in the middle of them. */
const MINUTES = [9, 10, 15, 16].flatMap(hour =>
  (hour === 9 ? [30, 31, 32] : hour === 15 ? [29, 30, 58, 59] : [0, 1, 2]).map(
    minute => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`,
  ),
)

/**
 * A small market of 14 October 2026: two roots, four expiries, 61 strikes, a moving index, quotes
 * on a five-cent grid, open interest, some measured and carried positions, orders every minute, two
 * futures.
 */
export async function openMarket(quotes: 'minute quotes' | 'prints only'): Promise<TestDb> {
  const db = await openSessionDb('2026-10-14')
  await keepMinutes(db, ...MINUTES)
  await db.run(`
    insert into tape.open_interest
    select date '2026-10-14', root, expiry, strike, option_type,
      (strike::bigint * 7919 + ascii(option_type) * 104729 + day(expiry) * 31) % 5000,
      -- some comes after the open
      case strike::bigint % 60
        when 10 then timestamp '2026-10-14 14:00:30' when 20 then timestamp '2026-10-14 14:01:10'
      end
    from (values ('SPXW', date '2026-10-14'), ('SPXW', date '2026-10-15'),
      ('SPXW', date '2026-10-30'), ('SPX', date '2026-11-20')) as chains(root, expiry)
    cross join (select unnest(range(5850, 6151, 5))::double as strike)
    cross join (select unnest(['C', 'P']) as option_type);
    insert into tape.dealer_positions
    select session_date, root, expiry, strike, option_type, -open_interest // 3, null, null, null
    from tape.open_interest where strike::bigint % 50 = 0 and expiry = '2026-10-15';
    insert into tape.carried_positions
    select root, expiry, strike, option_type, open_interest // 5 - 300, open_interest // 3, null,
      open_interest // 7, open_interest // 9, open_interest // -50, 4
    from tape.open_interest where strike::bigint % 35 = 0;
    insert into tape.rates values
      (date '2026-10-13', 1, 0.041, null), (date '2026-10-13', 30, 0.042, null),
      (date '2026-10-13', 90, 0.04, null)`)
  await loadExpiries(db)
  await db.run(`
    create table main.priced as
    with
    spotted as (
      select minute_et, minute_at,
        (6000 + 15 * sin(epoch(minute_at) / 700))::double as spot,
      from tape.minutes
    ),
    chains as (
      select *, years_of_seconds(epoch(expires_at) - epoch(minute_at)) as years,
        0.14::double - 0.9::double * ln(strike / spot) as vol
      from spotted cross join tape.open_interest join tape.expiries using (root, expiry)
    )
    select *, black76_price(spot, strike, 1::double, vol, years, option_type) as price
    from chains where years > 0;
    insert into tape.spots by name
    select distinct date '2026-10-14' as session_date, spot,
      minute_at - interval 1 second as spotted_at, spotted_at as known_at
    from main.priced;
    insert into tape.futures by name
    select date '2026-10-14' as session_date, contract,
      minute_at - to_microseconds(400_000 * number) as priced_at,
      floor(spot * 4 + 80 + above + number % 3) / 4 as price,
      1 + number as volume, priced_at as known_at
    from (select distinct minute_at, spot from main.priced)
    cross join (values ('ESZ6', 0), ('ESH7', 200)) as futures(contract, above)
    cross join range(1, 5) as prices(number)`)
  const quote = `root, expiry, strike, option_type,
    greatest(0, floor(price * 20 - 0.5) / 20) as best_bid, floor(price * 20 + 1.5) / 20 as best_ask`
  await db.run(
    quotes === 'minute quotes'
      ? `insert into tape.quotes by name
         select date '2026-10-14' as session_date, minute_at, ${quote},
           minute_at - interval 2 second as quoted_at, quoted_at as known_at
         from main.priced`
      : `insert into tape.prints by name
         select date '2026-10-14' as session_date,
           row_number() over (order by minute_at, root, expiry, strike, option_type) as sequence,
           minute_at - interval 2 second as printed_at, printed_at as known_at, ${quote},
           1 as size, price
         from main.priced`,
  )
  await db.run(`
    insert into fold.parent_orders (order_id, first_sequence, minute_et, visible_at, known_at, sign,
      side_probability, side_deviation)
    select 'order-' || minute_et || '-' || number, 100 * epoch(minute_at)::bigint + number,
      minute_et,
      minute_at + to_seconds(20 * number), minute_at + to_seconds(5 * number), 1, 0.5 + number / 10,
      number / 10
    from tape.minutes cross join (select unnest(range(1, 4)) as number);
    insert into fold.legs (order_id, first_sequence, leg_number, root, expiry, strike, option_type,
      contracts, customer_sign, package_sign)
    select order_id, first_sequence, leg, 'SPXW',
      case when length(order_id) + leg = 13 then date '2026-10-14' else date '2026-10-15' end,
      5900 + 5 * ((ascii(order_id[10]) * 7 + leg * 3 + ascii(order_id[13]) * 11) % 40),
      case when leg = 1 then 'C' else 'P' end, 100 * leg, (ascii(order_id[13]) + leg) % 3 - 1, nullif((ascii(order_id[13]) + leg) % 3 - 1, 0)
    from fold.parent_orders cross join (select unnest(range(1, 3)) as leg)`)
  return db
}
