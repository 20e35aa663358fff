import { expect, test } from 'vitest'
import { createCases, putCases } from '../../src/store/markets.ts'
import { EARLIER_MINUTE, KNOWN_MINUTE, openMarket } from '../support/position_market.ts'

test('a plan made for some rows is right for others: nulls where there were none, and back', async () => {
  const db = await openMarket([EARLIER_MINUTE, KNOWN_MINUTE])
  await createCases(db)
  const { session_date, minute_et } = KNOWN_MINUTE
  const at = { session_date, minute_et, base_spot: null }
  const put = { ...at, short_put: 5960, short_call: null }
  const call = { ...at, short_put: null, short_call: 6060 }
  const both = { ...at, short_put: 5960, short_call: 6060, base_spot: 6001 }
  await putCases(db, [put])
  const run = await db.prepare('positions/conditions')
  for (const cases of [
    [put],
    [call],
    [both, put],
    [{ ...put, minute_et: '12:45' }],
    [call, both],
  ]) {
    await putCases(db, cases)
    const rows = await run()
    expect(rows).toHaveLength(cases.length)
    const other = await openMarket([EARLIER_MINUTE, KNOWN_MINUTE])
    await createCases(other)
    await putCases(other, cases)
    expect(rows).toEqual(await other.query('positions/conditions'))
    other.close()
  }
  db.close()
})
