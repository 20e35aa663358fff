import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EDITION_MODELS, FOLD_MODELS } from '../../../pipelines/build/dag.ts'
import { openFoldDb, printRows, reuseFoldDb } from '../../support/fold.ts'
import { CALM, tapeOfParents } from '../../support/parentsTape.ts'

/** Tables a later stage reads, and the keys they are compared by. */
const OUTPUTS = {
  'fold.print_fates': 'sequence',
  'fold.order_prints': 'sequence',
  'fold.legs': 'order_id, leg_number',
  'fold.parent_orders': 'order_id',
}

async function foldWith(options: { threads: number; isShuffled: boolean; until?: number }) {
  const db = await openFoldDb({ threads: options.threads })
  const prints = tapeOfParents({ ...CALM, parents: 400, arrivalUs: 150_000 })
  const rows = printRows(prints).slice(0, options.until ?? prints.length)
  const turned = options.isShuffled ? rows.toReversed().sort((a, b) => a.size - b.size) : rows
  await db.addPrints(turned)
  await db.fold()
  const tables: Record<string, unknown> = {}
  for (const [name, key] of Object.entries(OUTPUTS)) tables[name] = await db.all(name, key)
  return tables
}

test('one thread or two, and any order of the rows, give the same fold', async () => {
  const wanted = await foldWith({ threads: 1, isShuffled: false })
  expect(await foldWith({ threads: 2, isShuffled: true })).toEqual(wanted)
})

test('orders that were finished keep every field when the tape goes on', async () => {
  const whole = await foldWith({ threads: 2, isShuffled: false })
  const half = await foldWith({ threads: 2, isShuffled: false, until: 800 })
  type Order = { order_id: string; visible_at: string; printed_at: string }
  const finished = half['fold.parent_orders'] as Order[]
  const last = finished
    .map(order => order.printed_at)
    .sort()
    .at(-1)!
  const visible = finished.filter(order => order.visible_at < last)
  expect(visible.length).toBeGreaterThan(100)
  expect(whole['fold.parent_orders']).toEqual(expect.arrayContaining(visible))
})

test('every used print is in exactly one order and no contract is lost', async () => {
  const db = await reuseFoldDb()
  await db.addPrints(printRows(tapeOfParents({ ...CALM, parents: 300 })))
  await db.fold()
  const [sums] = await db.rows(
    `select
       (select sum(size) from tape.prints) as on_tape,
       (select sum(contracts) from fold.parent_orders) as in_orders,
       (select sum(contracts) from fold.legs) as in_legs,
       (select count(*) from fold.order_prints) as prints,
       (select count(distinct sequence) from fold.order_prints) as distinct_prints`,
  )
  expect(sums!.in_orders).toBe(sums!.on_tape)
  expect(sums!.in_legs).toBe(sums!.on_tape)
  expect(sums!.distinct_prints).toBe(sums!.prints)
})

test('a tape without any print folds into no order', async () => {
  const db = await reuseFoldDb()
  await db.fold()
  expect(await db.all('fold.parent_orders')).toEqual([])
})

test('every model of the stage is built', () => {
  const files = globSync('sql/fold/*.sql').map(file => file.slice('sql/'.length, -'.sql'.length))
  expect([...FOLD_MODELS, ...EDITION_MODELS].sort()).toEqual(files.sort())
})

// numbers of 16 bytes that the engine has packed are read a hundred times slower
test('no table of the fold holds numbers of 16 bytes', async () => {
  const db = await reuseFoldDb()
  await db.addPrints(printRows(tapeOfParents({ ...CALM, parents: 100 })))
  await db.fold()
  expect(
    await db.rows(
      `select schema_name || '.' || table_name || '.' || column_name as wide
       from duckdb_columns() where not internal and data_type like '%HUGEINT%'`,
    ),
  ).toEqual([])
})

test('versions of orders have numbers that prints cannot have, and none twice', async () => {
  const db = await reuseFoldDb()
  const most = 2 ** 53 - 1
  const numbers = await db.rows(
    `select edition_number(first_sequence, revision_number)::varchar as number
     from unnest([-${most}::bigint, -1, 0, ${most}]) as prints(first_sequence)
     cross join range(1, 512) as versions(revision_number)`,
  )
  const distinct = new Set(numbers.map(({ number }) => String(number)))
  expect(distinct.size).toBe(4 * 511)
  for (const number of distinct) expect(BigInt(number) > BigInt(most)).toBe(true)
  await expect(db.rows('select edition_number(-1, 512)')).rejects.toThrow(/overflow/i)
})
