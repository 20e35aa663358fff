// Prices of futures: what is taken, skipped and rejected, and that twice is once.

import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { loadTape } from '../../../src/data/tape/tables.ts'
import { table } from '../../support/db.ts'
import {
  findManifest,
  findTree,
  importFiles,
  newFile,
  newFolder,
  tapeRows,
} from '../../support/import.ts'

const DAY = '2026-10-15' // 10:00 ET is 14:00 UTC
const ROWS = `select contract, priced_at::varchar as priced_at, price, volume,
  (known_at - priced_at)::varchar as later from tape.futures order by contract, priced_at`

/** A CSV of a text table: `-` is an empty cell. */
function findCsv(text: string): string {
  const rows = table(text)
  const cell = (value: unknown) => (value === null ? '' : String(value))
  const header = Object.keys(rows[0]!).join(',')
  return `${[header, ...rows.map(row => Object.values(row).map(cell).join(','))].join('\n')}\n`
}

const listCounts = (data: string, day = DAY) =>
  findManifest(data, day).batches.map(({ dataset, counts }) => ({ dataset, ...counts }))

test('a year of one, two or four digits is one contract; volume may be left out', async () => {
  const data = newFolder()
  const text = findCsv(`
    contract  priced_at                      price    volume
    ESZ6      2026-10-15T14:00:59.900001Z    5921.25  3
    ESZ26     2026-10-15T10:01:00-04:00      5921.5   -
    ESZ2026   2026-10-15T14:02:00            5921.75  0
    ESH7      2026-10-14T20:15:00-04:00      5975     12.0  # the evening before
  `)
  expect(await importFiles(data, 'futures', newFile('es.csv', text))).toMatchObject({ code: 0 })
  expect(await tapeRows(data, DAY, ROWS)).toEqual(
    table(`
    contract  priced_at                     price    volume  later
    ESH7      2026-10-15 00:15:00           5975     12      00:00:00
    ESZ6      2026-10-15 14:00:59.900001    5921.25  3       00:00:00
    ESZ6      2026-10-15 14:01:00           5921.5   -       00:00:00
    ESZ6      2026-10-15 14:02:00           5921.75  0       00:00:00
    `),
  )
  const bare = newFolder()
  const file = newFile('bare.csv.gz', gzipSync(text.replaceAll(/,[^,\n]*$/gm, '')))
  expect(await importFiles(bare, 'futures', file)).toMatchObject({ code: 0 })
  const [known] = await tapeRows(bare, DAY, 'select count(volume) as n from tape.futures')
  expect(known!.n).toBe(0)
})

test('Parquet and CSV of the same rows are the same tape', async () => {
  const folder = newFolder()
  const db = await openDatabase()
  const path = `${folder}/es.parquet`
  await db.run(
    `copy (
       select 'ESZ6' as contract, timestamp '2026-10-15 14:00:00' + to_seconds(i) as priced_at,
         5900 + i / 4 as price, i as volume
       from range(100) as rows(i)
     ) to '${path}' (format parquet)`,
  )
  const csv = `${folder}/es.csv`
  await db.run(`copy (from '${path}') to '${csv}' (header)`)
  db.close()
  const [one, other] = [newFolder(), newFolder()]
  expect(await importFiles(one, 'futures', path)).toMatchObject({ code: 0 })
  expect(await importFiles(other, 'futures', csv)).toMatchObject({ code: 0 })
  const rows = await tapeRows(one, DAY, ROWS)
  expect(rows).toHaveLength(100)
  expect(await tapeRows(other, DAY, ROWS)).toEqual(rows)
})

/** Each row with why it stays out; each is next to rows that are fine. */
const REJECTED = `
  contract  priced_at                  price    volume  session_date  known_at              reason
  -         2026-10-15T14:00:00Z       5921     1       -             -                     contract is missing
  SPX       2026-10-15T14:00:00Z       5921     1       -             -                     contract is SPX, not a dated future such as ESZ6
  ES        2026-10-15T14:00:00Z       5921     1       -             -                     contract is ES, not a dated future such as ESZ6
  ESX6      2026-10-15T14:00:00Z       5921     1       -             -                     contract is ESX6, not a dated future such as ESZ6
  esz6      2026-10-15T14:00:00Z       5921     1       -             -                     contract is esz6, not a dated future such as ESZ6
  ESU6      2026-10-15T14:00:00Z       5921     1       -             -                     contract is ESU6, which had expired by then
  ESZ25     2026-10-15T14:00:00Z       5921     1       -             -                     contract is ESZ25, which had expired by then
  ESZ36     2026-10-15T14:00:00Z       5921     1       -             -                     contract is ESZ36, which expires more than nine years later
  ESZ6      -                          5921     1       -             -                     priced_at is missing or is not a time
  ESZ6      2026-10-15                 5921     1       -             -                     priced_at is missing or is not a time
  ESZ6      1996-10-15T14:00:00Z       5921     1       -             -                     priced_at is not between 2000 and 2100
  ESZ6      2026-10-15T14:00:00Z       -        1       -             -                     price is not a number above 0
  ESZ6      2026-10-15T14:00:00Z       0        1       -             -                     price is not a number above 0
  ESZ6      2026-10-15T14:00:00Z       -5921    1       -             -                     price is not a number above 0
  ESZ6      2026-10-15T14:00:00Z       nan      1       -             -                     price is not a number above 0
  ESZ6      2026-10-15T14:00:00Z       5.9e12   1       -             -                     price is not a number above 0
  ESZ6      2026-10-15T14:00:00Z       5921     1.5     -             -                     volume is 1.5, not a whole number such as 1234567
  ESZ6      2026-10-15T14:00:00Z       5921     many    -             -                     volume is many, not a whole number such as 1234567
  ESZ6      2026-10-15T14:00:00Z       5921     -1      -             -                     volume is below 0 or too large
  ESZ6      2026-10-15T14:00:00Z       5921     1       2026-10-14    -                     session_date is not the session of priced_at
  ESZ6      2026-10-15T14:00:00Z       5921     1       -             2026-10-15T13:59:59Z  known_at is before priced_at
`

const GOOD = Array.from({ length: 150 }, (_, second) => ({
  contract: 'ESZ6',
  priced_at: new Date(Date.UTC(2026, 9, 15, 15, 0, second)).toISOString(),
  price: 5921,
}))

test.each(table(REJECTED))('$contract $priced_at $price $volume: $reason', async row => {
  const { reason, ...cells } = row
  const lines = [...GOOD, cells].map(each => {
    const names = ['contract', 'priced_at', 'price', 'volume', 'session_date', 'known_at'] as const
    return names.map(name => (each as Record<string, unknown>)[name] ?? '').join(',')
  })
  const header = 'contract,priced_at,price,volume,session_date,known_at'
  const data = newFolder()
  const file = newFile('es.csv', `${[header, ...lines].join('\n')}\n`)
  expect(await importFiles(data, 'futures', file)).toMatchObject({ code: 0, error: '' })
  expect((await tapeRows(data, DAY, ROWS)).length).toBe(GOOD.length)
  const rejects = Object.keys(findTree(`${data}/rejects`)!)
  const db = await openDatabase()
  const reported = await db.rows(`from read_csv('${data}/rejects/${rejects[0]}')`)
  db.close()
  expect(reported.map(one => [one.line_number, one.reason])).toEqual([[GOOD.length + 2, reason]])
})

test('other roots, spreads and hours without a session are skipped, not rejected', async () => {
  const data = newFolder()
  const text = findCsv(`
    contract   priced_at              price
    ESZ6       2026-10-15T14:00:00Z   5921
    MESZ6      2026-10-15T14:00:00Z   5921
    NQZ6       2026-10-15T14:00:00Z   21000
    6EZ6       2026-10-15T14:00:00Z   1.12
    CLX6       2026-10-15T14:00:00Z   70
    ESZ6-ESH7  2026-10-15T14:00:00Z   53.5
    ESZ6       2026-10-11T22:30:00Z   5921     # Sunday, 18:30 ET
    ESZ6       2026-10-15T14:00:00Z   5921.25  # the same order at the next price
    ESZ6       2026-10-15T14:00:00Z   5921     # the same row
  `)
  const outcome = await importFiles(data, 'futures', newFile('es.csv', text))
  expect(outcome).toMatchObject({ code: 0, error: '' })
  expect(await tapeRows(data, DAY, ROWS)).toMatchObject([{ contract: 'ESZ6', price: 5921 }])
  expect(listCounts(data)).toMatchObject([
    { dataset: 'futures', read: 8, imported: 1, already_there: 1, rejected: 0, skipped: 6 },
  ])
  expect(findTree(`${data}/rejects`)).toBe(null)
  const none = newFile(
    'nq.csv',
    findCsv('contract  priced_at  price\nNQZ6  2026-10-15T14:00:00Z  21000'),
  )
  const before = findTree(data)
  expect(await importFiles(data, 'futures', none)).toMatchObject({
    code: 1,
    error: expect.stringMatching(/nq\.csv holds no rows of ES \(see --roots\)\.$/),
  })
  expect(findTree(data)).toEqual(before)
})

test('twice is once, and what contradicts the tape is rejected', async () => {
  const data = newFolder()
  const file = (name: string, from: number, to: number, price = 5921) => {
    const rows = GOOD.slice(from, to).map(row => `ESZ6,${row.priced_at},${price}`)
    return newFile(name, `contract,priced_at,price\n${rows.join('\n')}\n`)
  }
  await importFiles(data, 'futures', file('one.csv', 0, 100))
  const once = findTree(data)
  await importFiles(data, 'futures', file('again.csv', 0, 100))
  expect(findTree(data)).toEqual(once)
  await importFiles(data, 'futures', file('two.csv', 50, 150))
  expect(listCounts(data)[1]).toMatchObject({ read: 100, imported: 50, already_there: 50 })
  expect(await tapeRows(data, DAY, ROWS)).toHaveLength(150)
  const both = findTree(data)
  expect(await importFiles(data, 'futures', file('other.csv', 0, 10, 5922))).toMatchObject({
    code: 1,
    error: expect.stringMatching(
      /other.csv: 10 of 10 rows \(100.0 %\) cannot be used.+ line 2: contradicts a row that is /,
    ),
  })
  expect(findTree(data)).toEqual(both)
})

test('one broken file of two, or a page instead of a table: nothing is written', async () => {
  const data = newFolder()
  const good = newFile(
    'good.csv',
    findCsv('contract  priced_at  price\nESZ6  2026-10-15T14:00:00Z  5921'),
  )
  const broken = newFile('broken.csv', 'contract,price\nESZ6,5921\n')
  const page = newFile('page.csv', '<!DOCTYPE html><html><body>Sign in</body></html>\n')
  for (const [bad, error] of [
    [broken, /broken\.csv .*priced_at/],
    [page, /page\.csv .*web page/],
  ] as const) {
    const outcome = await importFiles(data, 'futures', good, bad)
    expect(outcome).toMatchObject({ code: 1, error: expect.stringMatching(error) })
    expect(findTree(data)).toEqual({})
  }
})

test('futures belong to the sessions of SPX alone', async () => {
  const data = newFolder()
  const text = findCsv('contract  priced_at  price\nESZ6  2026-10-15T14:00:00Z  5921')
  await importFiles(data, 'futures', newFile('es.csv', text))
  const db = await openDatabase()
  for (const [symbol, count] of [
    ['SPX', 1],
    ['VIX', 0],
  ] as const) {
    await loadTape(db, data, DAY, symbol)
    expect(await db.rows('select count(*) as n from tape.futures')).toEqual([{ n: count }])
  }
  db.close()
})

test('a real session takes no simulated futures', async () => {
  const data = newFolder()
  const text = (at: string) => findCsv(`contract  priced_at  price\nESZ6  ${at}  5921`)
  await importFiles(data, 'futures', newFile('real.csv', text('2026-10-15T14:00:00Z')))
  const file = newFile('made.csv', text('2026-10-15T14:01:00Z'))
  expect(await importFiles(data, '--simulated', 'futures', file)).toMatchObject({
    code: 1,
    error: expect.stringContaining('made.csv has simulated data of 2026-10-15'),
  })
})
