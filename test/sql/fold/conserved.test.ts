// No print is lost or reported twice, whatever the fold makes of it.

import { expect, test } from 'vitest'
import type { Row } from '../../../src/core/engine/database.ts'
import { openTestDb, table } from '../../support/db.ts'
import { after, reuseFoldDb } from '../../support/fold.ts'

async function foldPrints(text: string) {
  const db = await reuseFoldDb()
  const rows: Row[] = table(text).map(row => {
    const { us, contract, ...rest } = row
    const [, strike, option_type] = /^(\d+)([CP])$/.exec(String(contract))!
    const index = { printed_at: after(Number(us)), strike: Number(strike), option_type }
    return { condition: 'f', ...index, ...rest }
  })
  await db.addPrints(rows)
  await db.fold()
  return db
}

/** Two fills of a butterfly 7 ms apart at -0.09, off the price grid. */
const BUTTERFLY = `
  us    contract  size  price
  0     5930P     15    0.01
  0     5935P     30    0.10
  0     5940P     15    0.10
  7000  5930P     25    0.01
  7000  5935P     50    0.10
  7000  5940P     25    0.10
`

test('two fills of a butterfly off the grid are one order of six prints', async () => {
  const db = await foldPrints(BUTTERFLY)
  expect(await db.all('fold.parent_orders')).toMatchObject([
    { structure: 'butterfly', size: 40, leg_count: 3, print_count: 6, flags: ['off_grid'] },
  ])
  expect(await db.rows('select distinct fill_id from fold.package_prints')).toHaveLength(2)
  expect(await db.audit('prints_are_conserved')).toEqual([])
  expect(await db.audit('legs_equal_their_prints')).toEqual([])
})

test('a match of which half is held elsewhere is not taken: no leg is lost', async () => {
  // the third fill lies within a crosswise package of the second, and has no match of its own
  const db = await foldPrints(`${BUTTERFLY.trimEnd()}
  14000  5935P     20    0.10
  14000  5940P     10    0.10
  `)
  expect(await db.audit('prints_are_conserved')).toEqual([])
  const [reported] = await db.rows(
    'select count(*) as n, count(distinct sequence) as d from fold.order_prints',
  )
  expect(reported).toEqual({ n: 8, d: 8 })
})

const PACKAGES = `
  print_number  fill_id  fold_rule  contract_number
  1             1        island     10
  2             1        island     20
  2             5        joined     20             # in two packages: the earlier has it
  3             5        joined     30             # what is left of the later is one contract
  4             4        repeat     40             # one contract is no package
  6             6        island     10
  7             6        island     20
`

test('a print in two packages, and a package of one contract, become leftovers', async () => {
  const db = await openTestDb()
  const rows = table(PACKAGES)
  const load = (name: string, columns: string) =>
    db.run(
      `create table fold.${name} as
       select distinct ${columns}
       from (select unnest(from_json($rows, $shape), recursive := true))`,
      {
        rows: JSON.stringify(rows),
        shape: JSON.stringify([
          {
            print_number: 'bigint',
            fill_id: 'bigint',
            fold_rule: 'varchar',
            contract_number: 'bigint',
          },
        ]),
      },
    )
  await load('fill_prints', 'print_number, fill_id, fold_rule')
  await load('leg_prints', 'print_number, contract_number')
  await db.build('fold/package_prints')
  expect(await db.all('fold.package_prints')).toMatchObject(
    table(`
      print_number  fill_id
      1             1
      2             1
      6             6
      7             6
    `),
  )
  await db.run(
    'create table fold.included_prints as select unnest(range(1, 9))::bigint as print_number',
  )
  await db.run(
    'create table fold.parents as select unnest([1, 6]) as fill_id, fill_id as parent_id',
  )
  await db.run(
    `create table fold.bursts as
     select 8 as print_number, 8 as burst_id, false as is_multi_leg, true as is_alone`,
  )
  await db.build('fold/order_members')
  expect(await db.all('fold.order_members')).toMatchObject(
    table(`
      print_number  fill_id  parent_id  fold_rule
      1             1        1          island
      2             1        1          island
      3             3        3          leftover
      4             4        4          leftover
      5             5        5          leftover
      6             6        6          island
      7             6        6          island
      8             8        8          single
    `),
  )
})

test('the order in which rows came decides nothing where two kinds of market meet', async () => {
  const rows: Row[] = table(`
    sequence  strike  option_type  size  price  condition
    1         5980    P            5     4.25   n
    2         5980    P            1     4.25   n
    3         5980    C            2     14.25  m
    4         5980    C            2     14.25  m
  `).map((row, index) => ({ ...row, printed_at: after(index < 2 ? 0 : 3_292) }))
  const findFold = async (given: readonly Row[]) => {
    const db = await reuseFoldDb()
    await db.addPrints(given)
    await db.fold()
    return db.rows('select * from fold.parent_orders order by order_id')
  }
  const reported = await findFold(rows)
  expect(await findFold(rows.toReversed())).toEqual(reported)
  expect(await findFold([2, 0, 3, 1].map(index => rows[index]!))).toEqual(reported)
})
