// Vendors' real files, where they lie next to the repository.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runImport } from '../../../pipelines/import/import.ts'
import { table } from '../../support/db.ts'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'
import { hasSharedData, SHARED_DATA } from '../../support/shared.ts'

const ALL = 'select * from tape.prints order by printed_at, sequence'
const VIX = join(SHARED_DATA, 'tape/UnderlyingOptionsTrades_2016-06-01.csv')

test.skipIf(!hasSharedData)('the VIX tape of 2016-06-01: every print and condition', async () => {
  const data = newFolder()
  expect((await importFiles(data, '--roots', 'VIX', 'cboe-trades', VIX)).out).toMatch(
    /2295 +2295 +0 +0 +0 +0/,
  )
  const counts = `select vendor_condition as id, condition as letter, count(*)::int as prints
    from tape.prints group by all order by prints desc, id`
  expect(await tapeRows(data, '2016-06-01', counts)).toEqual(
    table(`
    id   letter  prints
    0    _       1493
    35   L       719
    106  R       49
    13   D       22
    95   S       9
    2    B       2
    40   A       1
  `).map(row => ({ ...row, id: String(row.id), letter: row.letter === '_' ? ' ' : row.letter })),
  )
  const cancelled = `select sequence, printed_at::varchar as at, condition, price from tape.prints
    where strike = 18 and size = 180 and expiry = date '2016-07-20' and option_type = 'P'`
  expect(await tapeRows(data, '2016-06-01', cancelled)).toEqual([
    { sequence: 81100456, at: '2016-06-01 18:07:28.4', condition: 'L', price: 2.2 },
    { sequence: 81458186, at: '2016-06-01 18:09:16.05', condition: 'L', price: 2.25 },
    { sequence: 84292740, at: '2016-06-01 18:22:21.275', condition: 'A', price: 2.2 },
    { sequence: 84365192, at: '2016-06-01 18:22:45.6', condition: 'B', price: 2.25 },
  ])
  const own = 'select count(distinct sequence) as n from tape.prints where sequence < 4294967296'
  expect(await tapeRows(data, '2016-06-01', own)).toEqual([{ n: 2295 }])
})

test.skipIf(!hasSharedData)(
  'the VIX tape in overlapping, reversed pieces is the same tape',
  async () => {
    const lines = readFileSync(VIX, 'utf8').trim().split('\n')
    const pieces = [lines.slice(1, 900), lines.slice(700, 1800).reverse(), lines.slice(1500)]
    const [whole, mended] = [newFolder(), newFolder()]
    await importFiles(whole, '--roots', 'VIX', 'cboe-trades', VIX)
    for (const piece of pieces.reverse()) {
      const file = newFile('p.csv', [lines[0], ...piece].join('\r\n'))
      await importFiles(mended, '--roots', 'VIX', 'cboe-trades', file)
    }
    expect(await tapeRows(mended, '2016-06-01', ALL)).toEqual(
      await tapeRows(whole, '2016-06-01', ALL),
    )
  },
)

test.skipIf(!hasSharedData)('ThetaData and LEAN files of vendors import whole', async () => {
  const data = newFolder()
  const theta = 'opra-fixtures/thetadata_option_history_trade_quote_SPY240621C500_2024-06-14.csv'
  const file = join(SHARED_DATA, theta)
  const outcome = await importFiles(data, '--roots', 'SPY', 'thetadata-trade-quote', file)
  expect(outcome.out).toMatch(/2024-06-14 +prints +98 +98 +0 +0 +0 +0/)
  const lean = ['20210104_quote_european.zip', '20210104_openinterest_european.zip.zip']
  const files = lean.map(name => join(SHARED_DATA, 'lean/indexoption/spxw', name))
  const index = join(SHARED_DATA, 'lean/index/spx/20210104_trade.zip')
  const report = await runImport({
    dataFolder: data,
    format: 'lean-index-options',
    files: [...files, index],
  })
  expect(report.rows).toMatchObject([
    { dataset: 'quotes', read: 4565, imported: 4565 },
    { dataset: 'open_interest', read: 12, imported: 12 },
    { dataset: 'spots', read: 411, imported: 411 },
  ])
})
