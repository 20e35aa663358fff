import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFold } from '../../../pipelines/build/fold.ts'
import { openProfile } from '../../../pipelines/build/profile.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { openFoldDb, printRows } from '../../support/fold.ts'
import { CALM, tapeOfParents } from '../../support/parentsTape.ts'

let db: Database

beforeAll(async () => {
  db = await openDatabase({ threads: 1 })
})

afterAll(() => db.close())

test('models are listed by their CPU time, with the rows of all runs', async () => {
  const profile = openProfile(systemClock)
  const watched = profile.watch(db)
  await watched.build('book/scan_nodes')
  await watched.build('book/scan_nodes')
  await watched.add('book/scan_nodes', {}, 'book.scan_nodes')
  const [{ row_count: nodes }] = (await db.rows(
    'select count(*) as row_count from book.scan_nodes',
  )) as [{ row_count: number }]
  expect(nodes).toBeGreaterThan(0)
  const costs = profile.costs()
  expect(costs.find(({ model }) => model === 'book/scan_nodes')).toMatchObject({
    runs: 3,
    rows: (3 * nodes) / 2,
  })
  const seconds = costs.map(({ cpuSeconds }) => cpuSeconds)
  expect(seconds).toEqual(seconds.toSorted((a, b) => b - a))
  expect(Math.min(...seconds)).toBeGreaterThan(0)
})

test('statements of no model are counted by the step they are of', async () => {
  const profile = openProfile(systemClock)
  const watched = profile.watch(db)
  const progress = profile.nameSteps(silent)
  await progress.step('load the tape', () => watched.run('select 1'))
  const other = await watched.openConnection()
  await progress.step('publish', () => other.rows('select 2 as two'))
  other.close()
  expect(new Set(profile.costs().map(({ model }) => model))).toEqual(
    new Set(['(load the tape)', '(publish)']),
  )
})

test('of two connections one works at a time, and a failure stops no other', async () => {
  const profile = openProfile(systemClock)
  const watched = profile.watch(db)
  const other = await watched.openConnection()
  const events: string[] = []
  const slow = watched
    .rows('select sum(i * i % 7) as total from range(3000000) as numbers(i)')
    .then(() => events.push('slow'))
  const failed = other.run('select no_such_column').catch(() => events.push('failed'))
  const quick = other.rows('select 1').then(() => events.push('quick'))
  await Promise.all([slow, failed, quick])
  other.close()
  expect(events).toEqual(['slow', 'failed', 'quick'])
  // what failed is not counted
  expect(profile.costs()).toMatchObject([{ runs: 2 }])
})

test('a watched fold makes the same orders, and lists the passes of its ladder', async () => {
  const fold = await openFoldDb({ threads: 1 })
  await fold.addPrints(printRows(tapeOfParents({ ...CALM, parents: 100, arrivalUs: 150_000 })))
  await fold.fold()
  const orders = await fold.all('fold.parent_orders', 'order_id')
  const profile = openProfile(systemClock)
  await buildFold(profile.watch(fold))
  expect(await fold.all('fold.parent_orders', 'order_id')).toEqual(orders)
  const [passes] = profile.costs().filter(({ model }) => model === 'fold/islands')
  expect(passes!.runs).toBeGreaterThan(1)
  const [parents] = profile.costs().filter(({ model }) => model === 'fold/parent_orders')
  expect(parents).toMatchObject({ runs: 1, rows: orders.length })
  expect(profile.table()).toMatch(/^model +CPU s +% +seconds +runs +rows\n/)
  expect(profile.table()).toMatch(/CPU s, and [-\d.]+ s for the rest of the process/)
})
