// Official settlement values: what is taken and rejected, and that twice is once.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { table } from '../../support/db.ts'
import {
  findManifest,
  findTree,
  importFiles,
  newFile,
  newFolder,
  tapeRows,
} from '../../support/import.ts'

const ROWS =
  'select session_date::varchar as day, settlement, symbol from tape.settlements order by all'
const listRows = (data: string, day: string) => tapeRows(data, day, ROWS)

test('each value goes to its session; symbol and known_at may be left out', async () => {
  const data = newFolder()
  const text = 'session_date,settlement\n2026-10-14,5911.5\n2026-10-15,5919.28\n'
  expect(await importFiles(data, 'settlements', newFile('spx.csv', text))).toMatchObject({
    code: 0,
    error: '',
  })
  for (const [day, settlement] of [
    ['2026-10-14', 5911.5],
    ['2026-10-15', 5919.28],
  ] as const) {
    expect(await listRows(data, day)).toEqual([{ day, settlement, symbol: null }])
  }
  // a session that has nothing else is no session to build
  expect(findManifest(data, '2026-10-14').batches.map(({ dataset }) => dataset)).toEqual([
    'settlements',
  ])
})

test('Parquet and CSV of the same rows are the same tape, and twice is once', async () => {
  const text = 'settlement,symbol,session_date\n5919.28,SPX,2026-10-15\n591.93,XSP,2026-10-15\n'
  const csv = newFile('both.csv', text)
  const parquet = join(newFolder(), 'both.parquet')
  const db = await openDatabase()
  await db.run(`copy (from read_csv($csv)) to $parquet (format parquet)`, { csv, parquet })
  db.close()
  const rows = table(`
    day         settlement  symbol
    2026-10-15  591.93      XSP
    2026-10-15  5919.28     SPX
  `)
  for (const file of [csv, parquet]) {
    const data = newFolder()
    expect(await importFiles(data, 'settlements', file)).toMatchObject({ code: 0 })
    expect(await listRows(data, '2026-10-15')).toEqual(rows)
    const before = findTree(data)
    for (const again of [csv, parquet]) await importFiles(data, 'settlements', again)
    expect(findTree(data)).toEqual(before)
  }
})

test.each([
  ['2026-10-17,5919.28,SPX', 'session_date is not a trading session'],
  ['someday,5919.28,SPX', 'session_date is missing or is not a date'],
  [',5919.28,SPX', 'session_date is missing or is not a date'],
  ['2026-10-15,0,SPX', 'settlement is not a number above 0'],
  ['2026-10-15,-5,SPX', 'settlement is not a number above 0'],
  ['2026-10-15,nan,SPX', 'settlement is not a number above 0'],
  ['2026-10-15,,', 'settlement is not a number above 0'],
  ['2026-10-15,5919.28,spx', 'symbol is not one such as SPX'],
  ['2026-10-15,5919.28,S&P', 'symbol is not one such as SPX'],
])('the row %s cannot be used: %s', async (row, reason) => {
  const data = newFolder()
  const file = newFile('spx.csv', `session_date,settlement,symbol\n${row}\n`)
  const { code, error } = await importFiles(data, 'settlements', file)
  expect([code, error]).toEqual([1, expect.stringContaining(reason)])
  expect(findTree(join(data, 'tape'))).toBeNull()
})

test('a value that contradicts one that was taken is rejected: the first one stands', async () => {
  const data = newFolder()
  const file = (value: number) =>
    newFile('spx.csv', `session_date,settlement\n2026-10-15,${value}\n`)
  await importFiles(data, 'settlements', file(5919.28))
  const other = await importFiles(data, 'settlements', file(5919.29))
  expect(other.code).toBe(1)
  expect(await listRows(data, '2026-10-15')).toMatchObject([{ settlement: 5919.28 }])
  const doubled = newFolder()
  const both = newFile('both.csv', 'session_date,settlement\n2026-10-15,1\n2026-10-15,2\n')
  await importFiles(doubled, 'settlements', both)
  expect(await listRows(doubled, '2026-10-15')).toEqual([])
})

test('--day and --roots skip the other rows', async () => {
  const text =
    'session_date,settlement,symbol\n2026-10-14,5911.5,SPX\n2026-10-15,5919.28,SPX\n' +
    '2026-10-15,591.93,XSP\n2026-10-15,592,\n'
  const data = newFolder()
  const args = ['--day', '2026-10-15', '--roots', 'SPXW']
  const file = newFile('spx.csv', text)
  expect(await importFiles(data, ...args, 'settlements', file)).toMatchObject({ code: 0 })
  expect(await listRows(data, '2026-10-14')).toEqual([])
  expect(await listRows(data, '2026-10-15')).toEqual(
    table(`
    day         settlement  symbol
    2026-10-15  592         -
    2026-10-15  5919.28     SPX
  `),
  )
})
