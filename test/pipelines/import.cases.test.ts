// Files as vendors and spreadsheets really hand them over, each with its right answer.

import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { importFiles, newFile, newFolder, tapeRows } from '../support/import.ts'

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

const COUNT = 'select count(*)::int as prints from tape.prints'
const MASSIVE = 'ticker,conditions,correction,exchange,price,sip_timestamp,size'
const massive = (second: number) =>
  `O:SPXW260918P07600000,232,0,302,41.5,17879240${18 + second}759000000,2`
const massiveRows = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => massive(from + at))

test('a line that repeats the header is no row', async () => {
  const data = newFolder()
  const file = newFile(
    'joined.csv',
    lines(MASSIVE, ...massiveRows(0, 10), MASSIVE, ...massiveRows(10, 10)),
  )
  const outcome = await importFiles(data, 'massive-trades', file)
  expect(outcome.out).toMatch(/2026-08-28 +prints +20 +20 +0 +0 +0 +0/)
  expect(await tapeRows(data, '2026-08-28', COUNT)).toEqual([{ prints: 20 }])
})

test('two gzip members, each with the header and a byte order mark, are one file', async () => {
  const data = newFolder()
  const parts = [massiveRows(0, 10), massiveRows(10, 10)]
  const bytes = parts.map(part => gzipSync(`\uFEFF${lines(MASSIVE, ...part)}`))
  const file = newFile('members.csv.gz', Buffer.concat(bytes))
  const outcome = await importFiles(data, 'massive-trades', file)
  expect(outcome.out).toMatch(/2026-08-28 +prints +20 +20 +0 +0 +0 +0/)
})

test('empty cells that pad every row of a spreadsheet say nothing', async () => {
  const data = newFolder()
  const padded = [...massiveRows(0, 3).map(row => `${row},,,`), ',,,,,,,,,', massive(9)]
  for (const header of [MASSIVE, `${MASSIVE},,,`]) {
    const file = newFile('padded.csv', lines(header, ...padded))
    expect((await importFiles(data, 'massive-trades', file)).code).toBe(0)
  }
  expect(await tapeRows(data, '2026-08-28', COUNT)).toEqual([{ prints: 4 }])
})
