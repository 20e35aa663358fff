import { expect, test } from 'vitest'
import { putCases } from '../../../src/data/published/positionTables.ts'
import { KNOWN_MINUTE, KNOWN_ORDER, openMarket } from '../../support/positionMarket.ts'

test('of 40 orders at a strike the ten of the most premium are listed, and 40 counted', async () => {
  const orders = Array.from({ length: 40 }, (_, index) => ({
    ...KNOWN_ORDER,
    order_id: `o${String(index).padStart(2, '0')}`,
    // each premium four times
    gross_premium_usd: 5_000_000 + 500_000 * (index % 10),
  }))
  const db = await openMarket([KNOWN_MINUTE], orders)
  const at = { session_date: '2026-10-14', minute_et: '13:00', base_spot: null }
  await putCases(db, [{ ...at, short_put: 5960, short_call: 6060 }])
  const rows = await db.query('positions/near_orders')
  db.close()
  expect(rows.map(({ order_id }) => order_id)).toEqual([
    'o09',
    'o19',
    'o29',
    'o39',
    'o08',
    'o18',
    'o28',
    'o38',
    'o07',
    'o17',
  ])
  expect(new Set(rows.map(({ order_count }) => order_count))).toEqual(new Set([40]))
})
