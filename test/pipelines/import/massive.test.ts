// Massive's flat files: index values, and the present columns of trades.

import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'

const DAY = '2026-10-14'
const lines = (...rows: string[]) => `${rows.join('\n')}\n`
const at = (time: string) => `${Date.parse(`${DAY}T${time}Z`)}000000`
const values = (...rows: string[]) =>
  newFile('values.csv.gz', gzipSync(lines('ticker,value,timestamp', ...rows)))
const SPOTS = 'select spotted_at::varchar as spotted_at, spot, symbol from tape.spots order by 1, 3'

test('the values of the S&P 500 are stored, those of other indices skipped unless named', async () => {
  const data = newFolder()
  const file = values(
    `I:SPX,6001.25,${at('14:00:00')}`,
    `I:SPX,6001.5,${at('14:00:01.250')}`,
    `I:VIX,17.31,${at('14:00:00')}`,
    `I:NDX,0,${at('14:00:00')}`,
  )
  const { out } = await importFiles(data, 'massive-index-values', file)
  expect(out).toMatch(/2026-10-14 +spots +4 +2 +0 +0 +2 +0/)
  expect(await tapeRows(data, DAY, SPOTS)).toEqual([
    { spotted_at: `${DAY} 14:00:00`, spot: 6001.25, symbol: 'SPX' },
    { spotted_at: `${DAY} 14:00:01.25`, spot: 6001.5, symbol: 'SPX' },
  ])
  expect((await importFiles(data, 'massive-index-values', file)).out).toMatch(/spots +4 +0 +2/)
  const vix = newFolder()
  await importFiles(vix, '--roots', 'VIX', 'massive-index-values', file)
  expect(await tapeRows(vix, DAY, SPOTS)).toMatchObject([{ spot: 17.31, symbol: 'VIX' }])
})

test('a few broken values are rejected, a file of them is refused', async () => {
  const sound = Array.from(
    { length: 400 },
    (_, n) => `I:SPX,6000.${n},${at(`14:0${n % 10}:00.${100 + n}`)}`,
  )
  const broken = [`SPX,6000,${at('15:00:00')}`, 'I:SPX,6000,soon', `I:SPX,NaN,${at('15:00:01')}`]
  const { out } = await importFiles(
    newFolder(),
    'massive-index-values',
    values(...sound, ...broken),
  )
  expect(out).toMatch(/- +spots +1 +0 +0 +1/)
  expect(out).toMatch(/2026-10-14 +spots +402 +400 +0 +2/)
  const { error } = await importFiles(newFolder(), 'massive-index-values', values(...broken))
  expect(error).toContain('line 2: ticker is SPX, not one such as I:SPX')
})

test.each([
  ['ticker,open,close,high,low,window_start', 'holds bars; take us_indices/values_v1'],
  ['ticker,conditions,correction,exchange,price,sip_timestamp,size', 'import it as massive-trades'],
])('another flat file is named: %s', async (header, says) => {
  const file = newFile('a.csv', lines(header, '1'))
  const { code, error } = await importFiles(newFolder(), 'massive-index-values', file)
  expect([code, error]).toEqual([1, expect.stringContaining(says)])
})

test('option trades are read in the columns of the present flat file', async () => {
  const header = 'ticker,conditions,correction,exchange,price,sip_timestamp,size'
  const file = newFile(
    't.csv',
    lines(header, `O:SPXW261014C06000000,232,0,302,4.2,${at('14:00:00')},5`),
  )
  const data = newFolder()
  expect((await importFiles(data, 'massive-trades', file)).error).toBe('')
  const [print] = await tapeRows(data, DAY, 'select price, size, condition from tape.prints')
  expect(print).toEqual({ price: 4.2, size: 5, condition: 'f' })
})
