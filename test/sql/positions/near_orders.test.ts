import fc from 'fast-check'
import { expect, test } from 'vitest'
import { putCases } from '../../../src/data/published/positionTables.ts'
import { KNOWN_MINUTE, KNOWN_ORDER, openMarket } from '../../support/positionMarket.ts'

const CASE = {
  session_date: '2026-10-14',
  minute_et: '13:00',
  short_put: 5960,
  short_call: 6060,
  base_spot: null,
}

test('of up to 40 orders at a strike the ten largest are listed, and all of them counted', async () => {
  // $0.5M apart, so that some are equal
  const premiums = fc.array(fc.integer({ min: 10, max: 30 }), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(premiums, async halves => {
      const orders = halves.map((half, index) => ({
        ...KNOWN_ORDER,
        order_id: `o${String(index).padStart(2, '0')}`,
        gross_premium_usd: half * 500_000,
        strikes: [index % 2 ? 5955 : 5965],
      }))
      const db = await openMarket([KNOWN_MINUTE], orders)
      await putCases(db, [CASE])
      const rows = await db.query('positions/near_orders')
      db.close()
      const largest = orders.toSorted(
        (a, b) => b.gross_premium_usd - a.gross_premium_usd || (a.order_id < b.order_id ? -1 : 1),
      )
      expect(
        rows.map(row => [row.leg, row.order_id, row.distance_points, row.order_count]),
      ).toEqual(
        largest
          .slice(0, 10)
          .map(({ order_id, strikes }) => ['sp', order_id, strikes[0]! - 5960, orders.length]),
      )
    }),
    { numRuns: 6 },
  )
})
