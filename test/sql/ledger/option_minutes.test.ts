// Real minutes as tests of rules read them, worked out a second time from the quotes themselves.

import { expect, test } from 'vitest'
import { buildModel } from '../../../pipelines/build/steps.ts'
import { buildSurface } from '../../../pipelines/build/surface.ts'
import { addDays, findTradingSession, wallTimeEt } from '../../../src/core/market/calendar.ts'
import type { TestDb } from '../../support/db.ts'
import { impliedSpots, openLeanDb } from '../../support/lean.ts'
import { hasSharedData } from '../../support/shared.ts'

const DAYS: readonly [date: string, hasIndex: boolean][] = [
  ['2021-01-04', true],
  ['2021-01-06', false],
  ['2023-06-26', true],
]

async function buildDay(date: string, hasIndex: boolean): Promise<TestDb> {
  const db = await openLeanDb(date, quotes => (hasIndex ? null : impliedSpots(quotes)))
  // one or two strikes an expiry: three pairs never exist
  await buildSurface(db, 1)
  for (const name of ['option_minutes', 'smiles']) await buildModel(db, `ledger/${name}`)
  return db
}

/** Sessions from one day to another, counted on the calendar; null: further than five. */
function findDte(date: string, expiry: string): number | null {
  let day = date
  for (let dte = 0; dte <= 5; dte++) {
    if (day === expiry) return dte
    do day = addDays(day, 1)
    while (!findTradingSession(day))
  }
  return null
}

const epochMs = (at: unknown) => Date.parse(`${String(at).replace(' ', 'T')}Z`)

/** The quotes of the day by minute, expiry and strike, as a plain loop finds them. */
async function expectedRows(db: TestDb, date: string): Promise<Map<string, unknown>> {
  const closeMs = findTradingSession(date)!.pmExpiresAtMs
  const texts = 'spotted_at::varchar as at, spot'
  const spots = await db.rows(`select ${texts} from tape.spots order by spotted_at`)
  const spotBefore = (ms: number) => {
    const known = spots.filter(({ at }) => epochMs(at) < ms && epochMs(at) >= ms - 300_000)
    return known.length > 0 ? Number(known.at(-1)!.spot) : null
  }
  const findSpot = new Map<number, number | null>()
  const expected = new Map<string, Record<string, unknown>>()
  for (const quote of await db.rows(
    `select minute_at::varchar as minute_at, quoted_at::varchar as quoted_at,
       expiry::varchar as expiry, strike, option_type, best_bid, best_ask from tape.quotes`,
  )) {
    const [minuteMs, quotedMs] = [epochMs(quote.minute_at), epochMs(quote.quoted_at)]
    const dte = findDte(date, String(quote.expiry))
    if (dte === null || minuteMs > closeMs || minuteMs < findTradingSession(date)!.opensAtMs)
      continue
    if (!findSpot.has(minuteMs)) findSpot.set(minuteMs, spotBefore(minuteMs))
    const spot = findSpot.get(minuteMs)!
    if (spot === null || Math.abs(Number(quote.strike) - spot) > 700) continue
    const minute = wallTimeEt(minuteMs).minute
    const key = `${minute} ${quote.expiry} ${quote.strike}`
    const none = { bid: null, ask: null, age: null }
    const row = expected.get(key) ?? { dte, C: none, P: none }
    expected.set(key, {
      ...row,
      [String(quote.option_type)]: {
        bid: quote.best_bid,
        ask: quote.best_ask,
        age: Math.ceil((minuteMs - quotedMs) / 1000),
      },
    })
  }
  return expected
}

test.skipIf(!hasSharedData).each(DAYS)(
  'each quote of %s is there, once',
  async (date, hasIndex) => {
    const db = await buildDay(date, hasIndex)
    const rows = await db.rows(
      'select * replace (expiry::varchar as expiry) from ledger.option_minutes',
    )
    const found = rows.map(row => [
      `${row.minute_et} ${row.expiry} ${row.strike}`,
      {
        dte: row.dte,
        C: { bid: row.call_bid, ask: row.call_ask, age: row.call_age_s },
        P: { bid: row.put_bid, ask: row.put_ask, age: row.put_age_s },
      },
    ])
    expect(found.length).toBeGreaterThan(300)
    const expected = await expectedRows(db, date)
    expect(found.length).toBe(expected.size)
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
  },
)

test.skipIf(!hasSharedData).each(DAYS)(
  'smiles of %s are those of surface',
  async (date, hasIndex) => {
    const db = await buildDay(date, hasIndex)
    const [reported] = await db.rows(`
    select count(*) as rows, count(reason) as without
    from ledger.smiles`)
    expect(Number(reported!.rows)).toBeGreaterThan(300)
    expect(Number(reported!.rows) - Number(reported!.without)).toBeGreaterThan(100)
    const points = `select minute_et, expiry, unnest(strikes) as strike,
      unnest(total_variances) as total_variance from ledger.smiles`
    const own = `select forwards.minute_et, forwards.expiry, smiles.strike, smiles.total_variance
    from surface.smiles as smiles inner join surface.forwards as forwards using (term_number)
    semi join surface.near_terms using (term_number)`
    expect(
      await db.rows(`(${points}) except (${own}) union all ((${own}) except (${points}))`),
    ).toEqual([])
    expect(await db.rows(`select count(*) as n from (${points})`)).not.toEqual([{ n: 0 }])
    for (const audit of ['smiles_have_reasons', 'option_minutes_are_of_their_time']) {
      expect(await db.audit(audit)).toEqual([])
    }
  },
)
