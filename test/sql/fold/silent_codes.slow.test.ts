// A code that names no leg says nothing where none of very many does: judged of each exchange by
// what was known before.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FOLD_PARAMETERS } from '../../../pipelines/build/fold.ts'
import { openTestDb } from '../../support/db.ts'
import { after, openFoldDb, printRows } from '../../support/fold.ts'
import { CALM, tapeOfParents } from '../../support/parentsTape.ts'

const LIMITS = { silent_codes: 20, silent_first_codes: 5 }

type Coded = { readonly exchange: string; readonly condition: string | null }

/** Rows of a tape, each known when it prints, a second after the one before. */
const listRows = (prints: readonly Coded[]) =>
  prints.map((print, index) => ({
    sequence: index + 1,
    printed_at: after(index * 1e6),
    known_at: after(index * 1e6),
    ...print,
  }))

async function findSilent(prints: readonly Coded[], limits = LIMITS) {
  const db = await openFoldDb()
  await db.addPrints(listRows(prints))
  await db.build('tape/silent_codes', limits)
  const rows = await db.all('tape.silent_codes')
  db.close()
  return rows.map(row => Number(row.sequence))
}

const of = (condition: string | null, count: number, exchange = 'C'): Coded[] =>
  Array.from({ length: count }, () => ({ condition, exchange }))

test('without any code of a leg the sixth code says nothing, the fifth still counts', async () => {
  expect(await findSilent(of(' ', 7))).toEqual([6, 7])
})

test('a code of a leg gives the codes after it their meaning, for twenty codes', async () => {
  const prints = [...of(' ', 6), ...of('f', 1), ...of('I', 22)]
  // 6 was silent when it came, and stays so; 7 names a leg; 8 to 27 follow it closely enough
  expect(await findSilent(prints)).toEqual([6, 28, 29])
})

test('each exchange is judged by itself', async () => {
  const mixed = of(' ', 8, 'A').flatMap((print, i) => [
    print,
    { condition: i ? 'I' : 'j', exchange: 'B' },
  ])
  expect(await findSilent(mixed)).toEqual([11, 13, 15])
})

test('prints without a code are no codes, and only plain codes fall silent', async () => {
  const prints = [
    ...of(null, 9),
    ...of(' ', 5),
    ...of('a', 1),
    ...of('e', 1),
    ...of('B', 1),
    ...of('S', 1),
  ]
  expect(await findSilent(prints)).toEqual([18])
})

test('a print known late counts from then on, wherever it printed', async () => {
  const db = await openFoldDb()
  const rows = listRows(of(' ', 8))
  // printed first, known last: it meets seven codes before it
  await db.addPrints([{ ...rows[0]!, known_at: after(60e6) }, ...rows.slice(1)])
  await db.build('tape/silent_codes', LIMITS)
  expect((await db.all('tape.silent_codes')).map(row => row.sequence)).toEqual([1, 7, 8])
})

test('minute by minute the same codes are silent as in the whole day', async () => {
  const print = fc.record({
    exchange: fc.constantFrom('A', 'B'),
    condition: fc.constantFrom(' ', ' ', ' ', ' ', 'I', 'f', 'B', 'C', null),
  })
  const whole = await openFoldDb()
  const parts = await openTestDb()
  await parts.run('create schema live')
  await parts.run('create table live.arrivals as from tape.prints limit 0')
  await fc.assert(
    fc.asyncProperty(
      fc.array(print, { maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      async (prints, step) => {
        await whole.run('truncate tape.prints')
        await whole.addPrints(listRows(prints))
        await whole.build('tape/silent_codes', LIMITS)
        await parts.run(
          `create or replace table live.code_runs
             (exchange varchar, run_length bigint, has_leg boolean)`,
        )
        const found: number[] = []
        for (let from = 0; from < prints.length; from += step) {
          await parts.run('truncate live.arrivals')
          await parts.run(
            `insert into live.arrivals by name
           select unnest(from_json($rows, '[{"sequence": "bigint", "printed_at": "timestamp",
             "known_at": "timestamp", "exchange": "varchar", "condition": "varchar"}]'),
             recursive := true)`,
            { rows: JSON.stringify(listRows(prints).slice(from, from + step)) },
          )
          await parts.build('live/new_silent_prints', LIMITS)
          found.push(
            ...(await parts.all('live.new_silent_prints')).map(row => Number(row.sequence)),
          )
          await parts.build('live/code_runs')
        }
        const reported = (await whole.all('tape.silent_codes')).map(row => Number(row.sequence))
        expect(found.sort((a, b) => a - b)).toEqual(reported)
      },
    ),
    { numRuns: 25, seed: 7 },
  )
})

/** The orders of a tape of packages by their prints, and what the fold went by. */
async function listOrders(code: (condition: string, index: number) => string | null) {
  const db = await openFoldDb()
  const prints = tapeOfParents({ ...CALM, parents: 400, floorShare: 0 })
  const rows = printRows(prints).map((row, i) => ({ ...row, condition: code(row.condition, i) }))
  await db.addPrints(rows.map(row => ({ ...row, known_at: row.printed_at })))
  await db.fold()
  const orders = await db.rows(
    `select fold_basis, min(sequence) as first, list(sequence order by sequence) as prints
     from fold.parent_orders join fold.order_prints using (order_id)
     group by order_id, fold_basis order by first`,
  )
  return { orders, printCount: rows.length }
}

test('a tape of one regular code for all prints folds as one without codes', async () => {
  const regular = await listOrders(() => ' ')
  const blind = await listOrders(() => null)
  // what prints among the first codes, which still count, may be other orders
  const later = ({ orders }: typeof blind) => orders.filter(order => Number(order.first) > 110)
  expect(later(regular).length).toBeGreaterThan(300)
  expect(later(regular)).toEqual(later(blind))
  expect(later(regular).every(order => order.fold_basis === 'prints')).toBe(true)
})

test('codes that name legs only from the middle of the day on count from there on', async () => {
  const { printCount } = await listOrders(() => ' ')
  const half = Math.floor(printCount / 2)
  const changed = await listOrders((condition, index) => (index < half ? ' ' : condition))
  const whole = await listOrders(condition => condition)
  const [blind, reported] = [
    changed.orders.filter(({ first }) => Number(first) > 110 && Number(first) < half - 10),
    changed.orders.filter(({ first }) => Number(first) > half + 10),
  ]
  expect(blind.every(order => order.fold_basis === 'prints')).toBe(true)
  expect(reported).toEqual(whole.orders.filter(({ first }) => Number(first) > half + 10))
  expect(reported.every(order => order.fold_basis === 'conditions')).toBe(true)
})

test('the limits of the fold are those its words give', () => {
  expect(FOLD_PARAMETERS).toMatchObject({ silent_codes: 2_000, silent_first_codes: 100 })
})
