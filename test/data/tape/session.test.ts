import { expect, test } from 'vitest'
import { findTradingSession } from '../../../src/core/market/calendar.ts'
import { loadExpiries, loadSession } from '../../../src/data/tape/session.ts'
import { openTestDb, table } from '../../support/db.ts'

test('the calendar becomes tables: a half day has 225 minutes in UTC', async () => {
  const db = await openTestDb()
  const session = findTradingSession('2026-11-27')!
  const known = { symbol: 'SPX', knownUntilMs: session.closesAtMs, minPremiumUsd: 100_000 }
  await loadSession(db, { session, ...known })
  const minutes = await db.all('tape.minutes', 'minute_at')
  expect(minutes).toHaveLength(225)
  expect(minutes[0]).toEqual({ minute_et: '09:30', minute_at: '2026-11-27 14:30:00' })
  expect(await db.all('tape.session')).toMatchObject([
    { session_date: '2026-11-27', is_half_day: true, closes_at: '2026-11-27 18:15:00' },
  ])
})

async function openWith(symbol: string) {
  const db = await openTestDb()
  const session = findTradingSession('2026-10-15')!
  await loadSession(db, { session, symbol, knownUntilMs: session.closesAtMs, minPremiumUsd: 0 })
  await db.fill(
    'tape.open_interest',
    `
    session_date  root   expiry      strike  option_type  open_interest
    2026-10-15    SPX    2026-10-16  6000    C            10
    2026-10-15    SPXW   2026-10-16  6000    C            10
    2026-10-15    SPXW   2026-11-27  6000    C            10
    2026-10-15    SPXPM  2026-10-16  6000    C            10
    2026-10-15    SPXQ   2026-10-16  6000    C            10
    2026-10-15    VIX    2026-10-21  20      C            10
    2026-10-15    VIXW   2026-10-28  20      C            10
    2026-10-15    SPY    2026-10-16  600     C            10
  `,
  )
  await loadExpiries(db)
  return db.all('tape.expiries')
}

test('an SPX expiry is settled at 09:30, one of SPXW, SPXPM or SPXQ at 16:00', async () => {
  expect(await openWith('SPX')).toEqual(
    table(`
    root   expiry      settlement  ends_on     expires_at           known_at
    SPX    2026-10-16  AM          2026-10-16  2026-10-16 13:30:00  -infinity
    SPXPM  2026-10-16  PM          2026-10-16  2026-10-16 20:00:00  -infinity
    SPXQ   2026-10-16  PM          2026-10-16  2026-10-16 20:00:00  -infinity
    SPXW   2026-10-16  PM          2026-10-16  2026-10-16 20:00:00  -infinity
    SPXW   2026-11-27  PM          2026-11-27  2026-11-27 18:00:00  -infinity  # half day
  `),
  )
})

test('every VIX expiry is settled in the morning; other symbols have none', async () => {
  expect(await openWith('VIX')).toEqual(
    table(`
    root  expiry      settlement  ends_on     expires_at           known_at
    VIX   2026-10-21  AM          2026-10-21  2026-10-21 13:30:00  -infinity
    VIXW  2026-10-28  AM          2026-10-28  2026-10-28 13:30:00  -infinity
  `),
  )
})
