// The quotes and smiles that tests of rules trade at: which expiries, minutes and strikes.

import { expect, test } from 'vitest'
import { buildSpots } from '../../../pipelines/build/surface.ts'
import { loadExpiries } from '../../../src/data/tape/session.ts'
import { table } from '../../support/db.ts'
import { addRows, keepMinutes, openSessionDb } from '../../support/surface.ts'

const DAY = '2026-11-24' // a Tuesday, 10:00 ET is 15:00 UTC; Thursday is Thanksgiving
const HALF_DAY = '2026-11-27'

/** Every call and put of an expiry at some strikes, quoted each minute a second before it. */
type Listed = { readonly root: string; readonly expiry: string; readonly strikes: number[] }

async function buildNear(
  listed: readonly Listed[],
  minutes: readonly string[],
  change = 'select 1',
  day = DAY,
) {
  const db = await openSessionDb(day)
  const at = (minute: string) =>
    `${day} ${String(Number(minute.slice(0, 2)) + 5)}${minute.slice(2)}`
  const quotes = listed.flatMap(({ root, expiry, strikes }) =>
    minutes.flatMap(minute =>
      strikes.flatMap(strike =>
        (['C', 'P'] as const).map(option_type => {
          // parity at 6000 and a time value that the strikes share
          const inside = option_type === 'C' ? 6000 - strike : strike - 6000
          const mid = Math.max(inside, 0) + 10
          const minute_at = `${at(minute)}:00`
          const quoted_at = new Date(Date.parse(`${minute_at.replace(' ', 'T')}Z`) - 1000)
          return {
            session_date: day,
            minute_at,
            root,
            expiry,
            strike,
            option_type,
            best_bid: mid - 0.05,
            best_ask: mid + 0.05,
            quoted_at: quoted_at.toISOString().replace('T', ' ').replace('Z', ''),
          }
        }),
      ),
    ),
  )
  await addRows(db, 'tape.quotes', quotes)
  await addRows(
    db,
    'tape.spots',
    minutes.map(minute => ({
      session_date: day,
      spot: 6000,
      spotted_at: `${at(minute)}:00`,
    })),
  )
  await db.run(`update tape.spots set spotted_at = spotted_at - interval 1 second,
    known_at = spotted_at - interval 1 second`)
  await db.run(change)
  await loadExpiries(db)
  await keepMinutes(db, ...minutes)
  await buildSpots(db, 1)
  for (const name of ['terms', 'pairs', 'forwards']) {
    await db.build(`surface/${name}`, { min_pairs: 1 })
  }
  for (const name of ['implied_vols', 'smiles', 'near_terms', 'near_quotes', 'near_smiles']) {
    await db.build(`surface/${name}`)
  }
  return db
}

const NEAR = [5990, 6000, 6010]
const spxw = (expiry: string, strikes = NEAR): Listed => ({ root: 'SPXW', expiry, strikes })

test('dte counts sessions to a PM expiry; AM ones and a sixth session stay out', async () => {
  const db = await buildNear(
    [
      '2026-11-24',
      '2026-11-25',
      '2026-11-27',
      '2026-11-30',
      '2026-12-01',
      '2026-12-02',
      '2026-12-03',
      '2026-11-26',
      '2026-12-31',
    ]
      .map(expiry => spxw(expiry))
      .concat({ root: 'SPX', expiry: '2026-11-27', strikes: NEAR }),
    ['10:00'],
  )
  const found = await db.rows(
    'select dte, expiry::varchar as expiry, root from surface.near_terms order by dte',
  )
  expect(found).toEqual(
    table(`
    dte  expiry      root
    0    2026-11-24  SPXW
    1    2026-11-25  SPXW
    2    2026-11-27  SPXW
    3    2026-11-30  SPXW
    4    2026-12-01  SPXW
    5    2026-12-02  SPXW
  `),
  )
  expect(await db.rows('select count(distinct expiry) as n from surface.near_quotes')).toEqual([
    { n: 6 },
  ])
})

test.each([
  [DAY, ['15:59', '16:00', '16:01'], ['15:59', '16:00']],
  [HALF_DAY, ['12:59', '13:00', '13:01'], ['12:59', '13:00']],
])('on %s the last minute is that of the PM close', async (day, minutes, stored) => {
  const db = await buildNear([spxw('2026-11-30')], minutes, 'select 1', day)
  for (const name of ['near_quotes', 'near_smiles']) {
    const rows = await db.rows(`select distinct minute_et from surface.${name} order by all`)
    expect(rows.map(row => row.minute_et)).toEqual(stored)
  }
})

test('at the PM close its own expiry has expired: quotes and no smile', async () => {
  const db = await buildNear([spxw(DAY)], ['15:59', '16:00'])
  expect(
    await db.rows(`select minute_et, seconds_left, forward is not null as has_forward,
      discount is not null as has_discount, len(strikes) as points, reason
      from surface.near_smiles order by minute_et`),
  ).toEqual([
    {
      minute_et: '15:59',
      seconds_left: 60,
      has_forward: true,
      has_discount: true,
      points: 3,
      reason: null,
    },
    {
      minute_et: '16:00',
      seconds_left: 0,
      has_forward: false,
      has_discount: false,
      points: 0,
      reason: 'expired',
    },
  ])
})

test('strikes lie within 700 points of the index of the minute, bounds included', async () => {
  const strikes = [5299, 5300, 5301, ...NEAR, 6699, 6700, 6701]
  const db = await buildNear([spxw(DAY, strikes)], ['10:00'])
  const rows = await db.rows('select strike from surface.near_quotes order by strike')
  expect(rows.map(row => row.strike)).toEqual([5300, 5301, ...NEAR, 6699, 6700])
  // the smile is whole
  const [smile] = await db.rows('select strikes from surface.near_smiles')
  expect(smile!.strikes).toEqual(strikes)
})

test('the age of a quote is in whole seconds, a begun one counting', async () => {
  const quotedAt = (strike: number, type: string, at: string) =>
    `when strike = ${strike} and option_type = '${type}' then timestamp '${DAY} ${at}'`
  const db = await buildNear(
    [spxw(DAY)],
    ['10:00'],
    `update tape.quotes set quoted_at = case
       ${quotedAt(5990, 'C', '14:59:59.999999')}
       ${quotedAt(5990, 'P', '14:59:59')}
       ${quotedAt(6000, 'C', '14:59:58.999999')}
       ${quotedAt(6000, 'P', '14:59:00.000001')}
       ${quotedAt(6010, 'C', '14:59:00')}
       ${quotedAt(6010, 'P', '14:58:59.999999')}
     end`,
  )
  expect(
    await db.rows('select strike, call_age_s, put_age_s from surface.near_quotes order by strike'),
  ).toEqual(
    table(`
    strike  call_age_s  put_age_s
    5990    1           1
    6000    2           60
    6010    60          -          # too old to be a quote
  `),
  )
  const [row] = await db.rows('from surface.near_quotes where strike = 6010')
  expect(row).toMatchObject({ call_bid: 9.95, put_bid: null, put_ask: null })
})

test('of two PM roots the first counts, from the minute on that knew it', async () => {
  const db = await buildNear(
    [spxw(DAY), { root: 'SPXQ', expiry: DAY, strikes: NEAR }],
    ['10:00', '10:01', '10:02'],
    `delete from tape.quotes where root = 'SPXQ' and minute_at = timestamp '${DAY} 15:00:00'`,
  )
  for (const name of ['near_terms', 'near_quotes', 'near_smiles']) {
    const rows = await db.rows(`select distinct minute_et, root from surface.${name} order by all`)
    expect(rows, name).toEqual(
      table(`
      minute_et  root
      10:00      SPXW
      10:01      SPXQ
      10:02      SPXQ
    `),
    )
  }
})

test('without any index a minute has no quotes, and its smiles say why', async () => {
  // without puts there is none by parity either
  const change =
    "delete from tape.spots; update tape.quotes set best_bid = 0 where option_type = 'P'"
  const db = await buildNear([spxw(DAY)], ['10:00'], change)
  expect(await db.all('surface.near_quotes')).toEqual([])
  expect(await db.rows('select forward, strikes, reason from surface.near_smiles')).toEqual([
    { forward: null, strikes: [], reason: 'no_spot' },
  ])
})

test('a forward without a volatility is a surface without a smile', async () => {
  // the pairs are there, and each out-of-the-money market is below what its option can be worth
  const db = await buildNear([spxw(DAY)], ['10:00'])
  await db.run('delete from surface.smiles')
  await db.build('surface/near_smiles')
  expect(
    await db.rows('select forward > 0 as is_known, strikes, reason from surface.near_smiles'),
  ).toEqual([{ is_known: true, strikes: [], reason: 'no_smile' }])
})
