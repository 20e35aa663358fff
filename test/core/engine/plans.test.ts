import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'

// A database that keeps its plans: each table is filled over and over, from other rows.

const folder = mkdtempSync(join(tmpdir(), 'tapefold-plans-'))
let db: Database

beforeAll(async () => {
  db = await openDatabase({ threads: 2, cachesPlans: true })
  await db.run('create schema live')
})
afterAll(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

const ROUNDS = [1, 2, 3, 4, 5, 6]
const listNumbers = async (query: string) => (await db.rows(query)).map(row => row.n)

beforeEach(async () => {
  await db.run('create or replace table live.given (n integer, upto integer)')
})

const give = async (...numbers: number[]) => {
  await db.run('truncate live.given')
  for (const n of numbers) await db.run('insert into live.given values ($n, 10)', { n })
}

test('a table holds the rows of its last filling, and none when there are none', async () => {
  for (const round of ROUNDS) {
    await give(...(round % 3 === 0 ? [] : [round, 10 * round]))
    await db.refill('live.filled', 'select n from live.given')
    expect(await listNumbers('from live.filled')).toEqual(
      round % 3 === 0 ? [] : [round, 10 * round],
    )
  }
})

test('a table may be filled from what it held, and rows be added to it', async () => {
  await give(1)
  await db.refill('live.grown', 'select n from live.given')
  for (const round of ROUNDS) {
    await db.refill('live.grown', 'select n from live.grown union all select n + 1 from live.given')
    if (round === 5) await db.append('live.grown', 'select n from live.given')
  }
  expect((await listNumbers('from live.grown')).sort()).toEqual([1, 1, 2, 2, 2, 2, 2, 2])
})

test('a table that held hours of rows does not count them once it holds minutes', async () => {
  for (const rows of [10, 10, 200_000, 10, 10, 10]) {
    await db.run(
      `create or replace table live.source as select range::integer as n from range(${rows})`,
    )
    await db.refill('live.held', 'from live.source')
    expect(await listNumbers('select count(*) as n from live.held')).toEqual([rows])
  }
  const [held] = await db.rows(
    `select estimated_size as n from duckdb_tables() where table_name = 'held'`,
  )
  expect(held!.n).toBeLessThan(100)
})

test('each set of values has a plan of its own, also when the engine plans again', async () => {
  const sql = 'select n + $plus::integer as n from live.given'
  const plans = [1, 2, 3]
  for (const round of ROUNDS) {
    // recreated, so that every plan which reads it is, too
    await db.run('create or replace table live.given as select 100::integer as n, 10 as upto')
    for (const plus of plans) {
      await db.refill('live.plus', sql, { plus })
      expect(await listNumbers('from live.plus'), `round ${round}`).toEqual([100 + plus])
    }
  }
})

test('joins that the engine can run but once per plan are planned again', async () => {
  await db.run('create or replace table live.spans as from live.given limit 0')
  for (const round of ROUNDS) {
    await db.run('truncate live.spans')
    await db.run(`insert into live.spans select range * 3, range * 3 + 2 from range(0, 4000)`)
    await db.run('truncate live.given')
    await db.run(`insert into live.given select range + $round, 0 from range(0, 3000)`, { round })
    await db.refill(
      'live.latest',
      `select given.n, spans.n as start
       from live.given as given asof join live.spans as spans
         on given.upto = spans.upto * 0 and given.n >= spans.n`,
    )
    await db.refill(
      'live.inside',
      `select given.n
       from live.given as given
       inner join live.spans as spans on given.n > spans.n and given.n < spans.upto`,
    )
    if (round % 2 === 0) await db.makeReady()
    const wrong = 'select n from live.latest where start <> n // 3 * 3'
    expect(await listNumbers(wrong)).toEqual([])
    expect(await listNumbers('select count(*) as n from live.latest')).toEqual([3000])
    expect(await listNumbers('select count(*) as n from live.inside')).toEqual([1000])
  }
})

test('an engine that refills its tables holds no rows that were taken out', async () => {
  const small = await openDatabase({ threads: 1, cachesPlans: true, memoryLimit: '100MB' })
  try {
    for (const name of ['first', 'apart']) {
      const part = name === 'first' ? small : await small.openSeparate(name)
      await part.run('create schema live')
      for (let round = 1; round <= 40; round++) {
        await part.refill('live.filled', 'select range * 7919 % 1000003 as n from range(0, 400000)')
        await small.makeReady()
      }
      const [memory] = await small.rows(
        'select sum(memory_usage_bytes)::bigint as bytes from duckdb_memory()',
      )
      // forty fillings take 128 MB, and one 3.2 MB
      expect(Number(memory!.bytes)).toBeLessThan(60e6)
    }
  } finally {
    small.close()
  }
})

test('a database of one round is empty once the next one is made ready', async () => {
  const engine = await openDatabase({ threads: 1, cachesPlans: true })
  try {
    const round = await engine.openSeparate('round', { isOfOneRound: true })
    const stored = await engine.openSeparate('kept')
    for (const part of [round, stored]) {
      await part.run('create schema live')
      await part.make('live.constant', 'select 7 as n')
    }
    const listCounts = (part: Pick<typeof stored, 'rows'>) =>
      part.rows(`select (select count(*) from live.filled)::integer as filled,
                   (select count(*) from live.constant)::integer as constant`)
    for (let size = 1; size <= 6; size++) {
      for (const part of [round, stored]) {
        await part.refill('live.filled', `from range(${size})`)
        expect(await listCounts(part)).toEqual([{ filled: size, constant: 1 }])
      }
      await engine.makeReady()
      // the first fillings recreate the table
      const left = size > 2 ? 0 : size
      expect(await listCounts(round)).toEqual([{ filled: left, constant: 1 }])
      expect(await round.isEmpty('live.filled')).toBe(left === 0)
      expect(await listCounts(stored)).toEqual([{ filled: size, constant: 1 }])
    }
  } finally {
    engine.close()
  }
})

test('a table is empty when its rows are gone, however they went', async () => {
  const isEmpty = async () => {
    const counted = (await listNumbers('select count(*)::integer as n from live.gone'))[0] === 0
    expect(await db.isEmpty('live.gone')).toBe(counted)
    return counted
  }
  for (const round of ROUNDS) {
    await give(1, 2)
    await db.refill('live.gone', `select n from live.given where n > ${round % 2 ? 0 : 9}`)
    expect(await isEmpty(), `round ${round}`).toBe(round % 2 === 0)
    await db.append('live.gone', 'select n from live.given')
    await db.repeat('delete from live.gone where n in (select n from live.given where n = 1)')
    expect(await isEmpty()).toBe(false)
    await db.repeat(round % 3 ? 'delete from live.gone where n = 2' : 'truncate live.gone')
    expect(await isEmpty()).toBe(true)
    await db.append('live.gone', 'select n from live.given')
    expect(await isEmpty()).toBe(false)
  }
})

test('a file is read each time as it is', async () => {
  for (const round of ROUNDS) {
    const file = join(folder, 'numbers.csv')
    writeFileSync(file, `n\n${round}\n`)
    await db.refill('live.read', 'select n::integer as n from read_csv($file, header = true)', {
      file,
    })
    expect(await listNumbers('from live.read')).toEqual([round])
  }
})

test('a separate database keeps its tables, and refills those given to it', async () => {
  for (const round of ROUNDS) {
    await give(round)
    const temporary = await db.openSeparate('apart')
    await temporary.run('create schema if not exists live')
    await temporary.viewFrom('live.given', 'tape.given')
    await temporary.viewFrom('live.given')
    expect(await temporary.rows('select n from tape.given')).toEqual([{ n: round }])
    expect(await temporary.rows('select n from live.given')).toEqual([{ n: round }])
    await temporary.copyTo('tape.given', 'live.taken')
    await temporary.close()
    expect(await listNumbers('from live.taken')).toEqual([round])
  }
})

test('queries that begin together each have their own values', async () => {
  const files = ['a', 'b', 'c', 'd'].map(name => join(folder, `${name}.parquet`))
  for (const file of files) {
    await db.rows(`copy (select 1 as of_${file.at(-9)}) to '${file}' (format parquet)`)
  }
  const other = await openDatabase({ threads: 2, cachesPlans: true })
  const found = await Promise.all(
    files.map(path => other.query('import/parquet_columns', { path })),
  )
  expect(found.map(rows => rows.map(({ name }) => name))).toEqual([
    ['of_a'],
    ['of_b'],
    ['of_c'],
    ['of_d'],
  ])
  other.close()
})
