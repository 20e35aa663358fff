import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sideBySide } from '../../support/adjacentTapes.ts'
import { anyTape } from '../../support/anyTape.ts'
import { type FoldDb, openFoldDb } from '../../support/fold.ts'
import { faultsOfFold, faultsOfTape, foldAlone, listOrders } from '../../support/foldedTape.ts'
import { randomNumbers, shuffled } from '../../support/random.ts'

// A sample: `npm run fuzz -- --tapes 2000` folds thousands, and shows a failure as few rows.
const SEED = 20261013

const little = fc.sample(anyTape({ max: 12 }), { numRuns: 80, seed: SEED })
const dense = fc.sample(anyTape({ min: 20, max: 120 }), { numRuns: 3, seed: SEED })
const others = [0, 40].map(from => sideBySide(little.slice(from, from + 40)))

let db: FoldDb

beforeAll(async () => {
  db = await openFoldDb()
})

afterAll(() => db.close())

const listWords = (faults: readonly { readonly words: string }[]) =>
  faults.map(({ words }) => words)

test.each([
  ...others.map(rows => [rows.length, '40 little tapes', rows] as const),
  ...dense.map(rows => [rows.length, 'a dense tape', rows] as const),
])('%i prints of %s are in one order each, and no contract is lost', async (count, _, rows) => {
  expect(listWords(await faultsOfTape(db, rows))).toEqual([])
  const stored = await db.rows(`from fold.print_fates where fate = 'kept'`)
  expect(stored.length).toBeGreaterThan(count / 10)
})

test.each([
  ['40 little tapes', others[0]!],
  ['a dense tape', dense[0]!],
])('rows of %s fold alike in any order, and once more', async (_, rows) => {
  await foldAlone(db, rows)
  const orders = await listOrders(db)
  expect(orders.orders.length).toBeGreaterThan(10)
  await db.fold()
  expect(await listOrders(db)).toEqual(orders)
  await foldAlone(db, shuffled(rows, randomNumbers(SEED)))
  expect(await listOrders(db)).toEqual(orders)
})

test('a print that is in no order is reported by its number', async () => {
  await foldAlone(db, others[0]!)
  const [print] = await db.rows('from fold.order_prints order by sequence limit 1')
  await db.run('delete from fold.order_prints where sequence = $sequence', {
    sequence: Number(print!.sequence),
  })
  const faults = await faultsOfFold(db)
  expect(faults.map(({ kind }) => kind)).toContain('refused')
  expect(faults[0]).toMatchObject({ kind: 'lost', sequences: [Number(print!.sequence)] })
})
