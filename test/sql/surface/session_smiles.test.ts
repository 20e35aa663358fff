import { expect, test } from 'vitest'
import { openStagesDb } from '../../support/stages.ts'

const TABLES = {
  'surface.forwards': `minute_et varchar, term_number integer, root varchar, expiry date,
    forward double, discount double, reason varchar`,
  'surface.expected_moves': `minute_et varchar, root varchar, expiry date,
    expected_move_points double, reason varchar`,
  'surface.smiles': 'term_number integer, strike double, total_variance double',
  'surface.quotes': 'term_number integer, strike double, call_ask double, put_ask double',
  'tape.expiries': `root varchar, expiry date, settlement varchar,
    ends_on date as (expiry), known_at timestamp default '-infinity'`,
}

/** The session's own surface at 10:00, for what expires as given. */
async function buildSmiles(expiries: string, changes = 'select 1') {
  const db = await openStagesDb()
  for (const [name, columns] of Object.entries(TABLES)) {
    await db.run(`create table ${name} (${columns})`)
  }
  await db.fill('tape.expiries', expiries)
  await db.fill(
    'surface.forwards',
    `
    minute_et  term_number  root  expiry      forward  discount
    10:00      1            SPXW  2026-10-14  6000     0.9999
    10:00      2            SPXW  2026-10-15  6001     0.9998
  `,
  )
  await db.fill(
    'surface.expected_moves',
    `
    minute_et  root  expiry      expected_move_points
    10:00      SPXW  2026-10-14  20
  `,
  )
  await db.fill(
    'surface.smiles',
    `
    term_number  strike  total_variance
    1            5800    9   # ten expected moves away
    1            6080    3
    1            5920    1
    1            6000    2
    2            6000    7
  `,
  )
  await db.fill(
    'surface.quotes',
    `
    term_number  strike  call_ask  put_ask
    1            5500    -         0.05
    1            5495    -         -      # listed, but nobody offers it
    1            6500    0.05      -
    2            7000    0.05      -
  `,
  )
  await db.run(changes)
  await db.build('surface/session_smiles')
  const [row] = await db.rows("from surface.session_smiles where minute_et = '10:00'")
  return row!
}

const OWN = `
  root  expiry      settlement
  SPXW  2026-10-14  PM
  SPXW  2026-10-15  PM
`

test('the smile is that of the PM expiry of the session, whole', async () => {
  expect(await buildSmiles(OWN)).toEqual({
    minute_et: '10:00',
    forward: 6000,
    discount: 0.9999,
    expected_move_points: 20,
    quoted_strike_low: 5500,
    quoted_strike_high: 6500,
    smile_strikes: [5800, 5920, 6000, 6080],
    smile_total_variances: [9, 1, 2, 3],
    reason: null,
  })
})

test.each([
  ['no contracts of today', 'SPXW  2026-10-15  PM', 'no_session_expiry'],
  ['AM contracts of today alone', 'SPX   2026-10-14  AM', 'no_session_expiry'],
])('%s: there is nothing to judge a position by', async (_, expiry, reason) => {
  const row = await buildSmiles(`root  expiry      settlement\n${expiry}`)
  expect(row).toMatchObject({
    forward: null,
    expected_move_points: null,
    smile_strikes: [],
    reason,
  })
})

test('what is missing has the reason of what it is made from', async () => {
  expect(
    await buildSmiles(OWN, "update surface.forwards set forward = null, reason = 'no_forward'"),
  ).toMatchObject({ forward: null, expected_move_points: null, reason: 'no_forward' })
  expect(
    await buildSmiles(
      OWN,
      "update surface.expected_moves set expected_move_points = null, reason = 'no_smile'",
    ),
  ).toMatchObject({ forward: 6000, expected_move_points: null, reason: 'no_smile' })
  expect(await buildSmiles(OWN, 'delete from surface.forwards')).toMatchObject({
    reason: 'expired',
  })
})
