import { expect, test } from 'vitest'
import { FOLD_PARAMETERS } from '../../../pipelines/build/fold.ts'
import { openTestDb, type TestDb } from '../../support/db.ts'

/** A leg that filled in two prints, and a vertical that printed within a millisecond of it. */
const LOOSE_LEG_AND_VERTICAL = `
  print_number  piece_id  is_loose  loose_cost  cost_thousandths  unit  leg_count  printed_us
  1             1         true      2000        -                 -     -          1000
  4             1         true      2000        -                 -     -          1040
  2             2         false     -           1500              10    2          1010
  3             2         false     -           1500              10    2          1020
`

async function openPieces(text: string): Promise<TestDb> {
  const db = await openTestDb()
  await db.run(`create table fold.leg_prints (print_number bigint);
    create table fold.pieces (print_number bigint, piece_id bigint, is_loose boolean,
      loose_cost integer, cost_thousandths integer, unit bigint, leg_count bigint,
      stream integer default 1, gap_scale integer default 1, widest_level_us bigint,
      printed_us bigint)`)
  await db.fill('fold.pieces', text)
  const step = { is_final: true, is_weak_allowed: false, join_gap_us: 7_500 }
  await db.build('fold/pass', { ...FOLD_PARAMETERS, ...step })
  await db.build('fold/no_refusals', {}, 'fold.refused_pairs')
  await db.build('fold/pairs')
  return db
}

/** Refuses the pairs that stand, changes the parts, and looks for pairs again. */
async function pairsAfter(db: TestDb, change: string) {
  await db.run(`create or replace table fold.joins as from fold.pairs limit 0`)
  await db.add('fold/new_refusals', {}, 'fold.refused_pairs')
  await db.run(change)
  await db.build('fold/pairs')
  return db.all('fold.pairs')
}

test('two parts near each other are a pair, with what they cost apart', async () => {
  const db = await openPieces(LOOSE_LEG_AND_VERTICAL)
  expect(await db.all('fold.pairs')).toMatchObject([
    { earlier_id: 1, later_id: 2, has_loose: true, cost_apart: 5_500, longest_part: 2 },
  ])
})

test('a pair that was refused is no pair again', async () => {
  const db = await openPieces(LOOSE_LEG_AND_VERTICAL)
  expect(await pairsAfter(db, 'select 1')).toEqual([])
})

test('a pair that gained, though it was not taken, is looked at again', async () => {
  const db = await openPieces(LOOSE_LEG_AND_VERTICAL)
  await db.run('create table fold.joins as select package_id, false as is_used from fold.pairs')
  await db.add('fold/new_refusals', {}, 'fold.refused_pairs')
  await db.build('fold/pairs')
  expect(await db.all('fold.pairs')).toHaveLength(1)
})

test.each([
  ['floor prints', 'null', 1],
  ['late prints', '500', 0],
])('%s one second apart, no level above %s: %i pairs', async (_, widest, count) => {
  const db = await openPieces(LOOSE_LEG_AND_VERTICAL)
  await db.run(`update fold.pieces set gap_scale = 200, widest_level_us = ${widest},
    printed_us = if(piece_id = 2, 1_000_000, printed_us)`)
  await db.build('fold/pairs')
  const [found] = await db.rows('select count(*)::integer as count from fold.pairs')
  expect(found).toEqual({ count })
})

const CHANGES = {
  'a print of the loose leg was explained': 'delete from fold.pieces where print_number = 4',
  'another one takes its place':
    'update fold.pieces set print_number = 5, printed_us = 1050 where print_number = 4',
  'another print joins the leg': `insert into fold.pieces by name
    select * replace (5 as print_number, 1050 as printed_us)
    from fold.pieces where print_number = 4`,
  'the vertical has become a fly': `insert into fold.pieces by name
    select * replace (5 as print_number) from fold.pieces where print_number = 3;
    update fold.pieces set leg_count = 3 where piece_id = 2`,
  'the leg has become a package of as many prints': `update fold.pieces
    set leg_count = 2, cost_thousandths = 4000, loose_cost = null, unit = 10 where piece_id = 1`,
}

test.each(Object.entries(CHANGES))('a refused pair is judged again: %s', async (_, change) => {
  const db = await openPieces(LOOSE_LEG_AND_VERTICAL)
  expect(await pairsAfter(db, change)).toHaveLength(1)
})
