import { expect, test } from 'vitest'
import { BOOK_MODELS, LEVELS_MODELS, SURFACE_MODELS } from '../../../pipelines/build/dag.ts'
import { buildBook, buildLevels, buildSurface } from '../../../pipelines/build/surface.ts'
import type { TestDb } from '../../support/db.ts'
import { openMarket } from '../../support/market.ts'

const TABLES = [...SURFACE_MODELS, ...BOOK_MODELS, ...LEVELS_MODELS].map(model =>
  model.replace('/', '.'),
)

async function build(db: TestDb): Promise<void> {
  await buildSurface(db)
  await buildBook(db)
  await buildLevels(db)
}

/** Every row as text, in a total order. */
async function findText(db: TestDb, table: string): Promise<string[]> {
  const rows = await db.rows(
    `select t::varchar as row_text from (from ${table}) as t order by row_text`,
  )
  return rows.map(row => String(row.row_text))
}

const TAPES = ['minute quotes', 'prints only', 'minute quotes without an index'] as const

async function openTape(tape: (typeof TAPES)[number]): Promise<TestDb> {
  const hasIndex = tape !== 'minute quotes without an index'
  const db = await openMarket(hasIndex ? tape : 'minute quotes')
  if (!hasIndex) {
    await db.run('delete from tape.spots; update tape.prints set underlying_price = null')
  }
  return db
}

test.each(TAPES)('from %s, one thread and two give the same bytes in every table', async tape => {
  const db = await openTape(tape)
  // with an index there is no carry to find, and without one there are no values
  const empty = tape === TAPES[2] ? 'surface.spot_values' : 'surface.parity_carries'
  await build(db)
  const first = new Map<string, string[]>()
  for (const table of TABLES) first.set(table, await findText(db, table))
  await db.run('set threads = 1')
  await build(db)
  for (const table of TABLES) {
    const rows = first.get(table)!
    expect(await findText(db, table), table).toEqual(rows)
    if (table === empty) expect(rows).toEqual([])
    else expect(rows.length, table).toBeGreaterThan(0)
  }
})

/** Rows of state minutes up to 10:01; keys of the session that number its strikes do not count. */
async function knownAtTenOne(db: TestDb): Promise<Map<string, string[]>> {
  const known = new Map<string, string[]>()
  for (const table of TABLES) {
    const columns = await db.rows(
      `select column_name from duckdb_columns()
       where schema_name || '.' || table_name = $table`,
      { table },
    )
    const names = columns.map(column => column.column_name)
    const until = names.includes('minute_et')
      ? `minute_et <= '10:01'`
      : names.includes('minute_at')
        ? `minute_at <= timestamp '2026-10-14 14:01:00'`
        : null
    if (until === null) continue
    const internal = ['pair_number', 'other_number'].filter(name => names.includes(name))
    const some = internal.length ? `* exclude (${internal})` : '*'
    const rows = await db.rows(
      `select t::varchar as row_text from (select ${some} from ${table} where ${until}) as t
       order by all`,
    )
    known.set(
      table,
      rows.map(row => String(row.row_text)),
    )
  }
  return known
}

test.each(TAPES)('from %s, nothing at or after 10:01 changes a row up to 10:01', async tape => {
  const db = await openTape(tape)
  await build(db)
  const before = await knownAtTenOne(db)
  const whole = await findText(db, 'levels.levels')
  await db.run(`
      update tape.quotes set best_bid = best_ask, best_ask = best_ask * 3 + 1
        where quoted_at >= '2026-10-14 14:01:00';
      update tape.prints set best_bid = best_ask, best_ask = best_ask * 3 + 1, underlying_price = 1
        where printed_at >= '2026-10-14 14:01:00';
      update tape.spots set spot = spot * 1.03 where spotted_at >= '2026-10-14 14:01:00';
      update tape.futures set price = price * 2, volume = 7
        where priced_at >= '2026-10-14 14:01:00';
      update tape.open_interest set open_interest = open_interest * 3 + 1
        where known_at >= '2026-10-14 14:01:00';
      update fold.legs set strike = strike + 2.5, customer_sign = 1, contracts = contracts * 7
        from fold.parent_orders
        where parent_orders.order_id = legs.order_id
          and greatest(visible_at, parent_orders.known_at) >= '2026-10-14 14:01:00'
          and parent_orders.minute_et >= '10:01'`)
  // a quote that claims an earlier state minute than it stood in
  await db.run(`
      insert into tape.quotes by name
      select * replace (timestamp '2026-10-14 14:01:00' as minute_at, 9999 as best_ask)
      from tape.quotes where quoted_at >= '2026-10-14 14:01:00'`)
  // and values that stood before, but came after
  await db.run(`
      insert into tape.quotes by name
      select * replace (strike + 2.5 as strike, timestamp '2026-10-14 14:01:00' as known_at)
      from tape.quotes where minute_at = '2026-10-14 14:01:00'
        and quoted_at < '2026-10-14 14:01:00';
      insert into tape.spots
      select session_date, spotted_at + interval 500 milliseconds, spot * 2,
        timestamp '2026-10-14 14:01:00', symbol
      from tape.spots where spotted_at < '2026-10-14 14:01:00';
      insert into tape.futures by name
      select * replace (
        priced_at - interval 100 milliseconds as priced_at, price * 2 as price,
        timestamp '2026-10-14 14:01:00' as known_at
      )
      from tape.futures where priced_at < '2026-10-14 14:01:00'`)
  await build(db)
  const after = await knownAtTenOne(db)
  expect(before.size).toBeGreaterThan(15)
  for (const [table, rows] of before) {
    expect(after.get(table), table).toEqual(rows)
  }
  // the scrambled values do affect the minutes after
  expect(await findText(db, 'levels.levels')).not.toEqual(whole)
})
