import { expect, test } from 'vitest'
import { openSessionDb } from '../../support/surface.ts'

test.each([
  ['an index by parity', 6001.5, 'parity', 0.25],
  ['no index', null, null, null],
])('the minute of the PM close hands on %s', async (_, spot, source, error) => {
  const db = await openSessionDb('2026-10-15')
  await db.run(
    `create table surface.spots as
     select *
     from (values
       ('15:59', timestamp '2026-10-15 19:59:00', 5999.0, 'index', null),
       ('16:00', timestamp '2026-10-15 20:00:00', $spot::double, $source, $error::double),
       ('16:01', timestamp '2026-10-15 20:01:00', null, null, null)
     ) as spots (minute_et, minute_at, spot, spot_source, spot_error)`,
    { spot, source, error },
  )
  await db.build('ledger/closing_index')
  const rows = await db.rows(
    'select symbol, minute_et, seconds_left, spot, spot_source, spot_error from ledger.closing_index',
  )
  expect(rows).toEqual([
    {
      symbol: 'SPX',
      minute_et: '16:00',
      seconds_left: 0,
      spot,
      spot_source: source,
      spot_error: error,
    },
  ])
})
