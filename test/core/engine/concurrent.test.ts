import { expect, test } from 'vitest'
import {
  forEachConcurrently,
  milestone,
  runConcurrently,
  runOnOneThreadEach,
} from '../../../src/core/engine/concurrent.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'

test('works run at the same time, and one that fails waits for the others', async () => {
  const db = await openDatabase()
  await db.run('create table seen (name varchar)')
  const { promise: isSlow, resolve } = Promise.withResolvers<void>()
  const ends: string[] = []
  const run = runConcurrently(db, [
    async connection => {
      expect(connection).toBe(db)
      await isSlow
      await connection.run("insert into seen values ('slow')")
      ends.push('slow')
    },
    async connection => {
      expect(connection).not.toBe(db)
      await connection.run("insert into seen values ('fast')")
      ends.push('fast')
      resolve()
      await connection.run('select no_such_column')
    },
  ])
  await expect(run).rejects.toThrow('no_such_column')
  expect(ends).toEqual(['fast', 'slow'])
  expect(await db.rows('from seen order by name')).toEqual([{ name: 'fast' }, { name: 'slow' }])
  db.close()
})

test('works on one thread each leave the engine as many threads as it is to have', async () => {
  const db = await openDatabase({ threads: 2 })
  const readThreads = async (connection: Pick<typeof db, 'rows'>) => {
    const [row] = await connection.rows("select current_setting('threads') as threads")
    return Number(row!.threads)
  }
  const seen: number[] = []
  const note = async (connection: Pick<typeof db, 'rows'>) => {
    seen.push(await readThreads(connection))
  }
  await runOnOneThreadEach(db, 2, [note, note])
  expect(seen).toEqual([1, 1])
  expect(await readThreads(db)).toBe(2)
  const failing = runOnOneThreadEach(db, 3, [note, () => Promise.reject(new Error('one fails'))])
  await expect(failing).rejects.toThrow('one fails')
  expect(await readThreads(db)).toBe(3)
  db.close()
})

test('each item is done once, two at a time, and one that fails leaves the rest done', async () => {
  const db = await openDatabase()
  let running = 0
  let most = 0
  const done: number[] = []
  const each = forEachConcurrently(db, [1, 2, 3, 4, 5], async (item, connection) => {
    most = Math.max(most, ++running)
    const [row] = await connection.rows('select $item * 10 as tenfold', { item })
    running -= 1
    if (item === 2) throw new Error('the second fails')
    done.push(row!.tenfold as number)
  })
  await expect(each).rejects.toThrow('the second fails')
  expect(done.sort()).toEqual([10, 30, 40, 50])
  expect(most).toBe(2)
  db.close()
})

test('who waits for a milestone goes on at it, or fails with the work before it', async () => {
  const reached = milestone()
  const order: string[] = []
  const waiting = reached.reached.then(() => order.push('waited'))
  const response = await reached.within(async () => {
    order.push('before')
    reached.markReached()
    await waiting
    order.push('after')
    return 7
  })
  expect(response).toBe(7)
  expect(order).toEqual(['before', 'waited', 'after'])

  const never = milestone()
  const work = never.within(() => Promise.reject(new Error('it fails before')))
  await expect(work).rejects.toThrow('it fails before')
  await expect(never.reached).rejects.toThrow('it fails before')
})

test('a view of a list reads the same on a concurrent connection, also on an idle one', async () => {
  const db = await openDatabase({ cachesPlans: true })
  await db.setList('names', ["it's", 'b'])
  await db.run("create view named as select unnest(getvariable('names')) as name")
  const seen = async () => {
    const others = await db.openConnection()
    const rows = await others.rows('from named order by name')
    others.close()
    return rows.map(row => row.name)
  }
  expect(await seen()).toEqual(['b', "it's"])
  await db.setList('names', [])
  // the same connection, which lay idle
  expect(await seen()).toEqual([])
  db.close()
})
