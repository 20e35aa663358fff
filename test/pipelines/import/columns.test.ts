// Files in the columns that their sources have today, as their documents list them.

import { expect, test } from 'vitest'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

test('tcbbo of Databento, which has no sequence', async () => {
  const file = newFile(
    'tcbbo.csv',
    lines(
      'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,price,size,flags,ts_in_delta,' +
        'bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,bid_pb_00,ask_pb_00,symbol',
      '2026-10-14T14:00:00.000200000Z,2026-10-14T14:00:00.000100000Z,194,22,1,T,A,4.200000000,5,128,0,' +
        '4.100000000,4.300000000,7,8,22,22,SPXW  261014C06000000',
    ),
  )
  const data = newFolder()
  expect((await importFiles(data, 'databento-tcbbo', file)).error).toBe('')
  const print = 'select price, size, exchange, best_bid as bid, best_ask as ask from tape.prints'
  expect(await tapeRows(data, '2026-10-14', print)).toEqual([
    { price: 4.2, size: 5, exchange: '22', bid: 4.1, ask: 4.3 },
  ])
})

test('the dates of releases, as FRED lists them with their names', async () => {
  const text = JSON.stringify({
    realtime_start: '2026-10-01',
    realtime_end: '2026-12-31',
    order_by: 'release_date',
    sort_order: 'asc',
    count: 2,
    offset: 0,
    limit: 1000,
    release_dates: [
      { release_id: 10, release_name: 'Consumer Price Index', date: '2026-10-14' },
      { release_id: 999, release_name: 'Another', date: '2026-10-14' },
    ],
  })
  const file = newFile('releases.json', text)
  const { out, error } = await importFiles(newFolder(), 'fred-release-dates', file)
  expect(error).toBe('')
  expect(out).toMatch(/geo_records +2 +1 +0 +0 +1/)
})
