import { afterAll, beforeAll, expect, test } from 'vitest'
import { table } from '../../support/db.ts'
import { type FoldDb, openFoldDb } from '../../support/fold.ts'
import { faultsOfTape, foldAlone, listOrders } from '../../support/foldedTape.ts'

// Random tapes that were once folded wrongly, in the smallest form found.

let db: FoldDb

beforeAll(async () => {
  db = await openFoldDb()
})

afterAll(() => db.close())

test('a four-legged package off the grid in three fills within 12 ms loses no leg', async () => {
  const rows = table(`
    sequence  printed_at                  root  expiry      strike  option_type  size  price  condition  best_bid  best_ask
    1231      2026-10-13 17:03:20.000000  SPX   2026-10-16  5980    C            6     6.30   g          6.25      6.40
    1232      2026-10-13 17:03:20.000000  SPXW  2026-10-16  5995    C            3     0.01   g          0.06      0.21   # was in no order
    1233      2026-10-13 17:03:20.000000  SPX   2026-10-16  5980    P            6     1.00   g          0.95      1.10
    1234      2026-10-13 17:03:20.000000  SPX   2026-10-16  5990    P            6     21.58  g          21.68     21.48
    1287      2026-10-13 17:03:20.012300  SPX   2026-10-16  5980    C            14    6.35   g          6.30      6.45
    1288      2026-10-13 17:03:20.012300  SPXW  2026-10-16  5995    C            7     0.01   g          0.06      0.21
    1289      2026-10-13 17:03:20.012300  SPX   2026-10-16  5980    P            14    1.00   g          0.95      1.10
    1290      2026-10-13 17:03:20.012300  SPX   2026-10-16  5990    P            14    21.58  g          21.68     21.48
    1291      2026-10-13 17:03:20.012300  SPX   2026-10-16  5980    C            20    6.30   g          6.25      6.40
    1292      2026-10-13 17:03:20.012300  SPXW  2026-10-16  5995    C            10    0.01   g          0.06      0.21
    1293      2026-10-13 17:03:20.012300  SPX   2026-10-16  5980    P            20    1.00   g          0.95      1.10
    1294      2026-10-13 17:03:20.012300  SPX   2026-10-16  5990    P            20    21.58  g          21.68     21.48
  `)
  const known = rows.map(row => ({ ...row, exchange: 'C', known_at: row.printed_at ?? null }))
  expect((await faultsOfTape(db, known)).map(({ words }) => words)).toEqual([])
})

test('a package under two letters has one confidence in any order of its rows', async () => {
  const rows = table(`
    sequence  printed_at                  root  expiry      strike  option_type  size  price  condition  best_bid  best_ask
    935       2026-10-13 16:55:00.000000  SPX   2026-10-16  5980    C            2     0.02   i          0.07      0.22
    942       2026-10-13 16:55:00.095600  SPXW  2026-10-16  5980    C            2     0.02   Q          0.07      0.22
    943       2026-10-13 16:55:00.095600  SPX   2026-10-16  5980    C            6     24.27  Q          24.37     24.17
  `)
  const known = rows.map(row => ({ ...row, exchange: 'C', known_at: row.printed_at ?? null }))
  const [first, second, third] = known
  const folds = []
  for (const order of [known, known.toReversed(), [second!, first!, third!]]) {
    await foldAlone(db, order)
    folds.push(await listOrders(db))
  }
  expect(folds[1]).toEqual(folds[0])
  expect(folds[2]).toEqual(folds[0])
})
