import { expect, test } from 'vitest'
import type { Row } from '../../../src/core/engine/database.ts'
import { table } from '../../support/db.ts'
import { after, reuseFoldDb } from '../../support/fold.ts'

/** Print counts and sizes of the orders that SPXW electronic complex prints fold into. */
async function listOrders(text: string) {
  const db = await reuseFoldDb()
  const rows: Row[] = table(text).map(({ us, contract, ...row }) => {
    const [, strike, option_type] = /^(\d+)([CP])$/.exec(String(contract))!
    const printed_at = after(Number(us))
    return { printed_at, strike: Number(strike), option_type, condition: 'j', ...row }
  })
  await db.addPrints(rows)
  await db.fold()
  return db.rows(
    `select leg_count, size, print_count from fold.parent_orders order by first_sequence`,
  )
}

/** Six contracts without a name together; in each wave another pair prints first. */
const WAVES = `
  us      contract  size  price
  0       5975P     90    1.3
  0       5985P     90    1.95
  0       6030C     90    4.9
  0       6040C     90    1.5
  40      5980P     90    1.7
  400     6045C     90    0.7
  330000  5985P     40    1.95
  330000  5980P     40    1.7
  330000  6040C     40    1.5
  330000  6045C     40    0.7
  330300  6030C     40    4.9
  330340  5975P     40    1.3`

test('six contracts that come through twice in one ratio are one order, named or not', async () => {
  expect(await listOrders(WAVES)).toEqual([{ leg_count: 6, size: 130, print_count: 12 }])
})

test('the same contracts two seconds later are not looked for: that is another order', async () => {
  const later = WAVES.replaceAll('330000', '2330000')
    .replaceAll('330300', '2330300')
    .replaceAll('330340', '2330340')
  const orders = await listOrders(later)
  expect(orders.length).toBeGreaterThan(1)
  expect(orders.every(order => Number(order.print_count) < 12)).toBe(true)
})

test('a known package is found again where its last leg came late and in two prints', async () => {
  expect(
    await listOrders(`
      us      contract  size  price
      0       5900P     27    3.11
      0       5920P     27    4.21
      0       6080C     27    2.52
      0       6100C     27    1.62
      500000  5900P     7     3.11
      500000  5920P     7     4.21
      500900  6080C     7     2.52
      502500  6100C     4     1.62
      502600  6100C     3     1.62
    `),
  ).toEqual([{ leg_count: 4, size: 34, print_count: 9 }])
})

test('a repeat takes whole packages only: it never tears a leg out of another one', async () => {
  // the vertical of the first wave stands again inside an iron condor of the second
  expect(
    await listOrders(`
      us      contract  size  price
      0       5900P     27    3.11
      0       5920P     27    4.21
      500000  5900P     9     3.11
      500000  5920P     9     4.21
      500000  6080C     9     2.52
      500000  6100C     9     1.62
    `),
  ).toEqual([
    { leg_count: 2, size: 27, print_count: 2 },
    { leg_count: 4, size: 9, print_count: 4 },
  ])
})
