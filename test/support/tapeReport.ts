import { LEDGER_MODELS } from '../../pipelines/build/dag.ts'
import { FOLD_PARAMETERS } from '../../pipelines/build/fold.ts'
import type { Row } from '../../src/core/engine/database.ts'
import { createCarriedPositions } from '../../src/data/published/carried.ts'
import { loadExpiries, loadTapeLimits } from '../../src/data/tape/session.ts'
import type { TestDb } from './db.ts'
import { openStagesDb } from './stages.ts'

/** The weekday after the session. */
const NEXT_DAY = 'session_date + case when dayofweek(session_date) = 5 then 3 else 1 end'

/**
 * A valid tape of one session: a print in the middle of every minute with a condition and a
 * quote that is 0.1 s old, every print its own order, all of one contract that expires on the
 * next weekday; an index, a forward, a curve, open interest.
 */
export async function openValidTape(date = '2026-10-14'): Promise<TestDb> {
  const db = await openStagesDb(100_000, date)
  await loadTapeLimits(db)
  await db.run(`
    insert into tape.prints by name
    select session_date, row_number() over (order by minute_at) as sequence,
      minute_at + interval 30 second as printed_at, 'SPXW' as root, ${NEXT_DAY} as expiry,
      6000 as strike, 'C' as option_type, 10 as size, 5.0 as price, 'I' as condition,
      4.9 as best_bid, 5.1 as best_ask, printed_at - interval 100 millisecond as quoted_at,
      printed_at as known_at
    from tape.minutes cross join tape.session;
    create table tape.batches (dataset varchar, read_count bigint, rejected_count bigint,
      quarantined_count bigint, is_degraded boolean);
    insert into tape.batches values ('prints', 10000, 0, 0, false), ('spots', 10000, 0, 0, false);
    create table surface.spots (minute_et varchar, spot double, spot_source varchar);
    insert into surface.spots select minute_et, 6000, 'index' from tape.minutes;
    create table surface.forwards (minute_et varchar, root varchar, expiry date, forward double,
      reason varchar, spot double, discount double, seconds_left integer);
    insert into surface.forwards
      select minute_et, 'SPXW', ${NEXT_DAY}, 6001, null, 6000, 0.9999, 86_400
      from tape.minutes cross join tape.session;
    insert into tape.rates select session_date, 30, 0.04, null from tape.session;
    insert into tape.open_interest
      select session_date, 'SPXW', ${NEXT_DAY}, 6000, 'C', 100, null from tape.session;
  `)
  await createCarriedPositions(db)
  return db
}

/** Gives every print without a disposition its own order, then builds and reads the tape report. */
export async function findReport(db: TestDb): Promise<Row> {
  await db.run(`
    insert into fold.print_fates
    select sequence, printed_at, 'kept', condition, size from tape.prints
    where sequence not in (select sequence from fold.print_fates);
    create or replace temp table loose as
      select sequence from fold.print_fates
      where fate = 'kept' and sequence not in (select sequence from fold.order_prints);
    insert into fold.order_prints select 'o' || sequence, sequence, 1 from loose;
    insert into fold.parent_orders by name
      select 'o' || sequence as order_id, 1 as leg_count, []::varchar[] as flags from loose;
  `)
  await loadExpiries(db)
  await db.build('book/known_positions')
  for (const model of LEDGER_MODELS.filter(name => name.startsWith('ledger/tape_'))) {
    await db.build(model, FOLD_PARAMETERS)
  }
  const [report] = await db.all('ledger.tape_report')
  return report!
}
