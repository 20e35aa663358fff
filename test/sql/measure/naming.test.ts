import { expect, test } from 'vitest'
import { reuseFoldDb } from '../../support/fold.ts'

type Leg = { strike: number; option_type: 'C' | 'P'; price: number; size?: number; at?: string }

/** Folds one package and compares its name with the true one. */
async function findNaming(trueStructure: string, legs: readonly Leg[]) {
  const db = await reuseFoldDb()
  await db.addPrints(
    legs.map(({ at = '14:00:00', ...leg }) => ({
      size: 70,
      condition: 'f',
      printed_at: `2026-10-13 ${at}`,
      ...leg,
    })),
  )
  await db.fold()
  await db.run('create schema measure')
  await db.run(
    'create table measure.truth_prints as select sequence, 1 as parent_id from tape.prints',
  )
  await db.run(
    `create table measure.truth_parents as
     select 1 as parent_id, $trueStructure as structure, 140 as contracts, 2 as leg_count,
       1 as customer_sign`,
    { trueStructure },
  )
  await db.run(
    `create table measure.truth_legs as
     select distinct 1 as parent_id, root, expiry, strike, option_type, 1 as customer_sign
     from tape.prints`,
  )
  await db.build('measure/exact_legs')
  await db.build('measure/exact_orders')
  const orders = await db.rows('select structure, naming from measure.exact_orders')
  expect(orders).toHaveLength(1)
  await db.build('measure/names')
  const [names] = await db.rows('from measure.names')
  return { ...orders[0], names }
}

const pair = (put: number, call: number, at?: string): Leg[] => [
  { strike: 5_900, option_type: 'P', price: put, ...(at ? { at } : {}) },
  { strike: 6_100, option_type: 'C', price: call, ...(at ? { at } : {}) },
]

test('nickel legs may be a strangle or a risk reversal: another name is not wrong', async () => {
  const reported = await findNaming('risk_reversal', pair(3.1, 2.55))
  expect(reported).toMatchObject({ structure: 'strangle', naming: 'ambiguous' })
  expect(reported.names).toMatchObject({
    right_share: 0,
    ambiguous_share: 1,
    told_share: 1,
  })
  expect(await findNaming('strangle', pair(3.1, 2.55))).toMatchObject({ naming: 'right' })
})

test('penny legs tell the two apart, so a name off the step is wrong', async () => {
  expect(await findNaming('risk_reversal', pair(3.11, 2.56))).toMatchObject({
    structure: 'risk_reversal',
    naming: 'right',
  })
  const reported = await findNaming('strangle', pair(3.11, 2.56))
  expect(reported).toMatchObject({ structure: 'risk_reversal', naming: 'wrong' })
  expect(reported.names).toMatchObject({ wrong_share: 1, told_share: 0, attainable_share: 1 })
})

test('a penny in any fill of an order names all of it', async () => {
  const legs = [...pair(3.1, 2.55), ...pair(3.11, 2.56, '14:00:00.3')]
  expect(await findNaming('risk_reversal', legs)).toMatchObject({
    structure: 'risk_reversal',
    naming: 'right',
  })
})

test('names that differ by all signs are counted apart', async () => {
  const legs: Leg[] = [
    { strike: 5_900, option_type: 'P', price: 3.11 },
    { strike: 5_920, option_type: 'P', price: 4.23, size: 140 },
  ]
  const reported = await findNaming('back_spread', legs)
  expect(reported).toMatchObject({ structure: 'ratio_spread', naming: 'flip' })
  expect(reported.names).toMatchObject({
    side_unknown_share: 1,
    side_wrong_share: 0,
    told_share: 1,
  })
})
