import { expect, test } from 'vitest'
import type { Row } from '../../../src/core/engine/database.ts'
import { table } from '../../support/db.ts'
import { after, reuseFoldDb } from '../../support/fold.ts'

/** Folds a text table of prints of SPXW options of 14 October; `us` counts from 10:00 ET. */
async function foldPrints(text: string) {
  const db = await reuseFoldDb()
  const rows: Row[] = table(text).map(({ us, contract, letter, ...row }) => {
    const [, strike, option_type] = /^(\d+)([CP])$/.exec(String(contract))!
    const condition = letter === '_' ? ' ' : letter
    return { printed_at: after(Number(us)), strike: Number(strike), option_type, condition, ...row }
  })
  await db.addPrints(rows)
  await db.fold()
  return db
}

const listOrders = async (text: string) => {
  const db = await foldPrints(text)
  return db.rows(
    `select structure, size, print_count, flags, condition
     from fold.parent_orders order by first_sequence`,
  )
}

test('two puts and two calls of one size in one block are an iron condor', async () => {
  expect(
    await listOrders(`
      us  contract  size  price  letter
      0   5900P     70    3.11   f
      0   5920P     70    4.21   f
      0   6080C     70    2.52   f
      0   6100C     70    1.62   f
    `),
  ).toMatchObject([{ structure: 'iron_condor', size: 70, print_count: 4 }])
})

test('two packages of one block whose legs share no size stay two', async () => {
  expect(
    await listOrders(`
      us  contract  size  price  letter
      0   5900P     70    3.11   f
      0   5920P     70    4.21   f
      0   6080C     45    2.52   f
      0   6100C     45    1.62   f
    `),
  ).toMatchObject([
    { structure: 'vertical', size: 70 },
    { structure: 'vertical', size: 45 },
  ])
})

test('a net off the step keeps four legs apart that each pair explains', async () => {
  // 3.11 - 4.21 and 2.52 - 1.62 are on the step; crossed pairs are not
  expect(
    await listOrders(`
      us  contract  size  price  letter
      0   5900P     70    3.11   f
      0   6080C     70    2.52   f
      90  5920P     140   4.21   f
      90  6100C     140   1.62   f
    `),
  ).not.toMatchObject([{ structure: 'vertical' }])
})

test('f and j fills of one package within a second are one order', async () => {
  expect(
    await listOrders(`
      us      contract  size  price  letter
      0       5900P     100   3.11   f
      0       5920P     100   4.21   f
      400000  5900P     40    3.10   j
      400000  5920P     40    4.20   j
    `),
  ).toMatchObject([{ structure: 'vertical', size: 140, print_count: 4, condition: 'f' }])
})

test.each([
  [1_000_000, 1],
  [1_000_001, 2],
])('fills %i us apart are %i order(s)', async (gap, count) => {
  const orders = await listOrders(`
    us      contract  size  price  letter
    0       5900P     100   3.11   f
    0       5920P     100   4.21   f
    ${gap}  5900P     40    3.11   f
    ${gap}  5920P     40    4.21   f
  `)
  expect(orders).toHaveLength(count)
})

test.each([
  [4.26, 1],
  [4.27, 2],
])(
  'a second fill with one leg at %d makes %i order(s): the net may move one step',
  async (price, count) => {
    const orders = await listOrders(`
    us    contract  size  price     letter
    0     5900P     100   3.11      f
    0     5920P     100   4.21      f
    9000  5900P     40    3.11      f
    9000  5920P     40    ${price}  f
  `)
    expect(orders).toHaveLength(count)
  },
)

test('the same vertical from two customers within a second at one net is one order', async () => {
  const orders = await listOrders(`
    us      contract  size  price  letter
    0       5900P     100   3.11   f
    0       5920P     100   4.21   f
    700000  5900P     900   3.11   f
    700000  5920P     900   4.21   f
  `)
  expect(orders).toMatchObject([{ size: 1000 }])
})

test('an order worked for minutes stays several', async () => {
  const orders = await listOrders(`
    us         contract  size  price  letter
    0          5900P     100   3.11   f
    0          5920P     100   4.21   f
    120000000  5900P     100   3.11   f
    120000000  5920P     100   4.21   f
  `)
  expect(orders).toHaveLength(2)
})

test('floor legs ten seconds apart are one package when size, shape and net agree', async () => {
  expect(
    await listOrders(`
      us       contract  size  price  letter
      0        5900P     820   3.11   i
      4000000  5920P     820   4.21   i
    `),
  ).toMatchObject([{ structure: 'vertical', size: 820 }])
  expect(
    await listOrders(`
      us       contract  size  price  letter
      0        5900P     820   3.11   i
      4000000  5920P     430   4.21   i
    `),
  ).toMatchObject([{ flags: ['ml_orphan'] }, { flags: ['ml_orphan'] }])
})

test('a leg in three prints while another package trades', async () => {
  expect(
    await listOrders(`
      us  contract  size  price  letter
      0   5900P     100   3.10   j
      20  6080C     33    2.50   j
      30  5920P     20    4.20   j
      31  5920P     30    4.20   j
      32  6100C     33    1.60   j
      40  5920P     50    4.20   j
    `),
  ).toMatchObject([
    { structure: 'vertical', size: 100, print_count: 4 },
    { structure: 'vertical', size: 33, print_count: 2 },
  ])
})

test('a cancelled leg leaves an orphan that says so', async () => {
  expect(
    await listOrders(`
      us       contract  size  price  letter
      0        5900P     100   3.11   f
      0        5920P     100   4.21   f
      9000000  5920P     100   4.21   A
    `),
  ).toMatchObject([{ structure: 'single', flags: ['ml_orphan', 'leg_cancelled'] }])
})

test('AM and PM roots of one Friday are two expiries', async () => {
  const db = await reuseFoldDb()
  const print = { expiry: '2026-10-16', size: 50, condition: 'f', price: 5.01 }
  await db.addPrints([
    { ...print, root: 'SPX' },
    { ...print, root: 'SPXW' },
  ])
  await db.fold()
  expect(await db.all('fold.parent_orders')).toMatchObject([{ structure: 'calendar', size: 50 }])
})

test('a synthetic future next to a package is a hedge, not a leg of the structure', async () => {
  expect(
    await listOrders(`
      us  contract  size  price  letter
      0   5800P     120   3.11   f
      0   5900P     120   4.22   f
      0   6000C     20    31.31  f
      0   6000P     20    30.25  f
    `),
  ).toMatchObject([{ structure: 'vertical', size: 20, flags: ['hedged_with_combo'] }])
})

test('no conditions: equal sizes of one instant are a package, strangers are not', async () => {
  const prints = (size: number, otherSize: number, gapUs: number, price: number) => `
    us        contract  size          price     letter
    0         5900P     ${size}       3.10      -
    ${gapUs}  5920P     ${otherSize}  ${price}  -
  `
  expect(await listOrders(prints(50, 50, 0, 4.2))).toMatchObject([{ structure: 'vertical' }])
  expect(await listOrders(prints(1, 1, 0, 4.2))).toHaveLength(2)
  expect(await listOrders(prints(50, 40, 0, 4.2))).toHaveLength(2)
  expect(await listOrders(prints(50, 50, 501, 4.2))).toHaveLength(2)
  // a price in pennies can only be a leg
  expect(await listOrders(prints(1, 1, 0, 4.25))).toMatchObject([{ structure: 'vertical' }])
  expect(await listOrders(prints(1, 1, 500, 4.25))).toHaveLength(1)
  expect(await listOrders(prints(1, 1, 501, 4.25))).toHaveLength(2)
})

const again = (us: number, gapUs: number, size: number, otherSize: number) => `
  us             contract  size          price  letter
  0              5900P     5             3.11   -
  0              5920P     5             4.21   -
  ${us}          5900P     ${size}       3.10   -
  ${us + gapUs}  5920P     ${otherSize}  4.20   -
`

test('no conditions: the contracts of a package that meet again are its next fill', async () => {
  expect(await listOrders(again(400_000, 900, 2, 2))).toMatchObject([
    { structure: 'vertical', size: 7, print_count: 4 },
  ])
  // before it was recognised as well as after
  expect(
    await listOrders(`
      us      contract  size  price  letter
      0       5900P     2     3.10   -
      700     5920P     2     4.20   -
      400000  5900P     5     3.11   -
      400000  5920P     5     4.21   -
    `),
  ).toMatchObject([{ structure: 'vertical', size: 7, print_count: 4 }])
})

test.each([
  ['in another ratio', again(400_000, 900, 2, 3)],
  ['too far apart', again(400_000, 5_001, 2, 2)],
  ['after the gap of one order', again(1_000_001, 900, 2, 2)],
  ['without one of them', again(400_000, 900, 2, 2).replace(/5900P( +)2/, '5910P$12')],
])('no conditions: contracts of a package that trade again %s stay loose', async (_, text) => {
  expect(await listOrders(text)).toMatchObject([
    { structure: 'vertical', size: 5 },
    { structure: 'single' },
    { structure: 'single' },
  ])
})
