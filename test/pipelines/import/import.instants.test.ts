// Time zone and unit of a time: from the cell where it has them, else by format and file.

import { expect, test } from 'vitest'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'

const DAY = '2026-10-14'
const AT = 'select printed_at::varchar as at from tape.prints order by printed_at'

const MASSIVE = 'ticker,conditions,correction,exchange,price,sip_timestamp,size'
const massive = (at: string) => `O:SPXW261014C06000000,232,0,302,4.2,${at},1`
const DATABENTO = 'ts_recv,ts_event,publisher_id,action,price,size,sequence,symbol'
const databento = (at: string, receivedAt = '', sequence = '1') =>
  `${receivedAt},${at},30,T,4.2,1,${sequence},SPXW  261014C06000000`

const importRows = async (format: string, ...rows: string[]) => {
  const data = newFolder()
  const outcome = await importFiles(data, format, newFile('x.csv', `${rows.join('\n')}\n`))
  return { data, ...outcome }
}

const FORMS = [
  '2026-10-14T14:00:00.250Z',
  '2026-10-14T14:00:00.250000000Z',
  '2026-10-14 14:00:00.25+00:00',
  '2026-10-14T10:00:00.250-04:00',
  '2026-10-14T14:00:00.25',
  '1791986400250000000',
  '1791986400250000000.0',
  '1791986400250000',
  '1791986400250',
  '1791986400.25',
]

test.each(FORMS)('Massive and Databento read %s as 14:00:00.25 UTC', async at => {
  const files = {
    'massive-trades': [MASSIVE, massive(at)],
    'databento-trades': [DATABENTO, databento(at)],
  }
  for (const [format, rows] of Object.entries(files)) {
    const { data, error } = await importRows(format, ...rows)
    expect(error).toBe('')
    expect(await tapeRows(data, DAY, AT), format).toEqual([{ at: '2026-10-14 14:00:00.25' }])
  }
})

test("where Databento's own time is undefined, that of its receipt stands", async () => {
  const row = databento('18446744073709551615', '1791986400250000000')
  const { data } = await importRows('databento-trades', DATABENTO, row)
  expect(await tapeRows(data, DAY, AT)).toEqual([{ at: '2026-10-14 14:00:00.25' }])
})

test('a cell of another unit than its file is rejected, not read in its own', async () => {
  const good = Array.from({ length: 199 }, (_, at) => massive(`17919864${10 + (at % 50)}250000000`))
  const rows = [...good, massive('1791986400250')]
  const { data, out } = await importRows('massive-trades', MASSIVE, ...rows)
  expect(out).toMatch(/- +prints +1 +0 +0 +1 .*\n2026-10-14 +prints +199 +199 /)
  const first = await tapeRows(data, DAY, `${AT} limit 1`)
  expect(first).toEqual([{ at: '2026-10-14 14:00:10.25' }])
  const mixed = await importRows('massive-trades', MASSIVE, ...rows.slice(-3))
  expect(mixed.error).toContain(
    'sip_timestamp is 1791986400250, which counts another unit than the other rows do',
  )
})

test('lost digits refuse a file, in a time as in a sequence', async () => {
  const time = await importRows('massive-trades', MASSIVE, massive('1.79199E+18'))
  expect(time).toMatchObject({ code: 1, out: '' })
  expect(time.error).toContain(
    'sip_timestamp is 1.79199E+18, whose digits are lost (a spreadsheet shortens them); ' +
      'give one such as 1791986400123456789',
  )
  const row = databento('2026-10-14T14:00:00Z', '', '1.2E+09')
  const sequence = await importRows('databento-trades', DATABENTO, row)
  expect(sequence.error).toContain('sequence is 1.2E+09, not a whole number such as 1234567')
})
