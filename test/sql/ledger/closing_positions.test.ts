import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filePath } from '../../../src/core/engine/paths.ts'
import { type TestDb, table } from '../../support/db.ts'
import { loadExpiries, openSessionDb } from '../../support/surface.ts'

const folder = mkdtempSync(join(tmpdir(), 'tapefold-closing-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const KNOWN = ['known_positions', 'inventory', 'late_inventory', 'leg_sides', 'flows']

/** A session with open interest of two strikes and one order of 20 of the first. */
async function openTraded(): Promise<TestDb> {
  const db = await openSessionDb('2026-10-15')
  await db.fill(
    'tape.open_interest',
    `
    session_date  root  expiry      strike  option_type  open_interest
    2026-10-15    SPXW  2026-10-15  6000    C            70   # expires today: nobody carries it
    2026-10-15    SPXW  2026-10-16  6000    C            100
    2026-10-15    SPXW  2026-10-16  6000    P            200
  `,
  )
  await db.fill(
    'fold.parent_orders',
    `
    order_id  first_sequence  minute_et  visible_at           known_at             sign  side_probability  side_deviation
    bought    1               10:00      2026-10-15 14:00:00  2026-10-15 14:00:00  1     0.9               0.5
    unsigned  2               10:00      2026-10-15 14:00:00  2026-10-15 14:00:00  0     -                 -
  `,
  )
  await db.fill(
    'fold.legs',
    `
    order_id  first_sequence  leg_number  root  expiry      strike  option_type  contracts  package_sign  customer_sign
    bought    1               1           SPXW  2026-10-16  6000    C            20         1             1
    unsigned  2               1           SPXW  2026-10-16  6010    C            30         -             0
  `,
  )
  await loadExpiries(db)
  return db
}

/** Prints outside the session's hours: bought, sold, between the quotes, and without a quote. */
async function addOutside(db: TestDb): Promise<void> {
  await db.fill(
    'tape.prints',
    `
    sequence  root  expiry      strike  option_type  size  price  best_bid  best_ask
    11        SPXW  2026-10-16  6000    P            8     1.1    1         1.1
    12        SPXW  2026-10-16  6000    P            4     1      1         1.1
    13        SPXW  2026-10-16  6000    P            6     1.05   1         1.1
    14        SPXW  2026-10-16  6000    P            2     1.05   -         -
  `,
  )
  await db.run(`
    create or replace table fold.print_fates as
    select sequence, 'outside_hours' as fate from tape.prints`)
}

async function close(db: TestDb): Promise<void> {
  for (const model of KNOWN) await db.build(`book/${model}`)
  for (const model of ['outside_flows', 'position_changes', 'closing_positions'])
    await db.build(`ledger/${model}`)
}

const COLUMNS = `root, expiry, strike, option_type, quantity, open_source, guessed_quantity,
  measured_quantity, round(deviation_quantity, 2) as deviation_quantity, sessions_carried,
  balance_quantity, rate_quantity`

test('what closes is what was known, the expected flow, the guess and one deviation', async () => {
  const db = await openTraded()
  await addOutside(db)
  await close(db)
  // 20 at 0.9: 16 expected, deviation 12. One logit more of buyers moves 2 * 0.9 * 0.1 of them, 3.6;
  // the order says 2 * 0.8 / (25 + 0.64) logits, and leaves 2 / sqrt(25.64) of 0.4.
  // Outside: 4 at 0.68, and 8 that nobody can tell
  expect(await db.rows(`select ${COLUMNS} from ledger.closing_positions`)).toEqual(
    table(`
    root  expiry      strike  option_type  quantity  open_source    guessed_quantity  measured_quantity  deviation_quantity  sessions_carried  balance_quantity  rate_quantity
    SPXW  2026-10-16  6000    C            -16.2246  open_interest  100               20                 12                  1                 -3.5548           -1.8
    SPXW  2026-10-16  6000    P            -1.44     open_interest  200               20                 10.47               1                 -9.2224           -1.0445
    SPXW  2026-10-16  6010    C            0         -              0                 30                 30                  1                 0                 0
  `),
  )
})

test('a guess stays a guess the next day, and is never larger than the open interest', async () => {
  const db = await openTraded()
  await db.run('create or replace table fold.print_fates (sequence bigint, fate varchar)')
  await close(db)
  const file = join(folder, 'closing.parquet')
  await db.run(`copy ledger.closing_positions to '${file}' (format parquet)`)
  const next = await openSessionDb('2026-10-16')
  await next.fill(
    'tape.open_interest',
    `
    session_date  root  expiry      strike  option_type  open_interest
    2026-10-16    SPXW  2026-10-16  6000    C            90
    2026-10-16    SPXW  2026-10-16  6000    P            260  # 60 more, though none traded
    2026-10-16    SPXW  2026-10-16  6010    C            25
  `,
  )
  await next.build('tape/carried_positions', { file: filePath(file), symbol: 'SPX' })
  await loadExpiries(next)
  for (const model of ['known_positions', 'inventory']) await next.build(`book/${model}`)
  expect(await next.all('book.inventory', 'strike, option_type')).toEqual(
    table(`
    root  expiry      strike  option_type  source   open_quantity  guessed_quantity  deviation_quantity  oi_quantity  balance_quantity  rate_quantity
    SPXW  2026-10-16  6000    C            carried  -16.2246       90                12                  90           -3.5548           -1.8
    SPXW  2026-10-16  6000    P            carried  0              260               0                   -260         0                 0
    SPXW  2026-10-16  6010    C            carried  0              0                 25                  25           0                 0
  `),
  )
})

test('of a closing file of an older version only what was imported is known', async () => {
  const db = await openSessionDb('2026-10-16')
  const file = join(folder, 'older.parquet')
  await db.run(`
    copy (
      select * from (values
        ('SPXW', date '2026-10-16', 6000.0::double, 'C', 40.0::double, 'carried'),
        ('SPXW', date '2026-10-16', 6000.0, 'P', -50.0, 'open_interest'),
        ('SPXW', date '2026-10-16', 6010.0, 'C', 60.0, 'measured'),
        ('SPXW', date '2026-10-16', 6010.0, 'P', 70.0, null)
      ) as rows (root, expiry, strike, option_type, quantity, open_source)
    ) to '${file}' (format parquet)`)
  await db.build('tape/carried_positions', { file: filePath(file), symbol: 'SPX' })
  expect(await db.all('tape.carried_positions', 'strike, option_type')).toEqual(
    table(`
    root  expiry      strike  option_type  quantity  guessed_quantity  measured_quantity  deviation_quantity  balance_quantity  rate_quantity  sessions_carried
    SPXW  2026-10-16  6000    C            0         -                 -                  0                   0                 0              0
    SPXW  2026-10-16  6000    P            0         -                 -                  0                   0                 0              0
    SPXW  2026-10-16  6010    C            60        0                 -                  0                   0                 0              0
    SPXW  2026-10-16  6010    P            70        0                 -                  0                   0                 0              0
  `),
  )
})
