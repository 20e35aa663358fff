import { expect, test } from 'vitest'
import { buildBook, buildLevels, buildSurface } from '../../../pipelines/build/surface.ts'
import type { TestDb } from '../../support/db.ts'
import { openMarket } from '../../support/market.ts'
import { loadExpiries, openSessionDb } from '../../support/surface.ts'

async function build(db: TestDb): Promise<void> {
  await loadExpiries(db)
  await buildSurface(db)
  await buildBook(db)
  await buildLevels(db)
}

const listReasons = (db: TestDb) =>
  db.rows(`
    select book_basis, reason, expected_move_reason, count(*) as minutes,
      count(net_gamma_musd_per_point) as nets, count(flip) as flips,
      count(regime) as regimes, count(expected_move_points) as moves
    from levels.levels group by all order by all`)

const NOTHING = { nets: 0, flips: 0, regimes: 0, moves: 0 }

test('a session without any data builds: every level is null and says why', async () => {
  const db = await openSessionDb('2026-11-27')
  await build(db)
  const bases = ['measured', 'oi', 'vol']
  expect(await listReasons(db)).toEqual(
    bases.map(book_basis => ({
      book_basis,
      reason: 'no_spot',
      expected_move_reason: 'no_pm_expiry',
      minutes: 225,
      ...NOTHING,
    })),
  )
})

test('without open interest the book starts empty and says so', async () => {
  const db = await openMarket('minute quotes')
  await db.run(`
    delete from tape.open_interest; delete from tape.dealer_positions;
    delete from tape.carried_positions; delete from fold.legs`)
  await build(db)
  const rows = await listReasons(db)
  expect(new Set(rows.map(row => row.reason))).toEqual(new Set(['empty_book']))
  for (const row of rows) expect(row).toMatchObject({ nets: 0, flips: 0, regimes: 0 })
  expect(Math.max(...rows.map(row => Number(row.moves)))).toBeGreaterThan(0)
})

test('without any quote positions are there but not priced', async () => {
  const db = await openMarket('minute quotes')
  await db.run('delete from tape.quotes')
  await build(db)
  expect(await listReasons(db)).toMatchObject([
    { book_basis: 'measured', reason: 'no_forward', nets: 0 },
    { book_basis: 'oi', reason: 'no_forward', nets: 0 },
    // before the first order it holds nothing
    { book_basis: 'vol', reason: 'empty_book', minutes: 1, nets: 0 },
    { book_basis: 'vol', reason: 'no_forward', nets: 0 },
  ])
})
