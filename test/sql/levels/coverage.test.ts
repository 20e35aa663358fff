import { expect, test } from 'vitest'
import { type BookContract, buildToyBooks, TOY_MODELS } from '../../support/books.ts'
import type { TestDb } from '../../support/db.ts'
import { openSessionDb } from '../../support/surface.ts'

const MINUTES = ['10:00', '10:01'] as const

/** A day's expiry and one of a month: at 10:01 the first has no forward. */
async function openBook(sizes: { today: number; month: number }): Promise<TestDb> {
  const db = await openSessionDb('2026-10-14')
  const market = { root: 'SPXW', vol: 0.15, forward: 6000, discount: 1 }
  const today = { ...market, expiry: '2026-10-14', seconds_left: 21_600 }
  const month = { ...market, expiry: '2026-11-13', seconds_left: 30 * 86_400 }
  const strikes: Pick<BookContract, 'strike' | 'option_type'>[] = [
    { strike: 5960, option_type: 'P' },
    { strike: 6020, option_type: 'C' },
  ]
  const contracts = MINUTES.flatMap(minute_et =>
    strikes.flatMap(contract => {
      const sign = contract.option_type === 'P' ? -1 : 1
      return [
        { ...today, ...contract, minute_et, quantity: sign * sizes.today },
        { ...month, ...contract, minute_et, quantity: -sign * sizes.month },
      ]
    }),
  )
  const spots = MINUTES.map(minute_et => ({ minute_et, spot: 6000 }))
  await buildToyBooks(db, spots, contracts)
  await db.run(
    `update surface.forwards set forward = null, reason = 'no_forward'
     where minute_et = '10:01' and expiry = date '2026-10-14';
     delete from surface.smiles
     where term_number in (select term_number from surface.forwards where forward is null)`,
  )
  for (const model of TOY_MODELS) await db.build(model)
  return db
}

const listLevels = (db: TestDb) =>
  db.rows(
    `select minute_et, priced_share, reason, net_gamma_musd_per_point as net, flip, flip_lo,
       len(flip_roots) as roots, call_wall, put_wall, regime, measured_share
     from levels.levels where book_basis = 'oi' and minute_et in ('10:00', '10:01')
     order by minute_et`,
  )

test('without its largest expiry a book has no levels: the rest has the other sign', async () => {
  const db = await openBook({ today: 4000, month: 4000 })
  const [priced, lost] = await listLevels(db)
  expect(priced).toMatchObject({ priced_share: 1, reason: null, call_wall: 6020, put_wall: 5960 })
  expect(priced!.flip).not.toBeNull()
  expect(lost).toMatchObject({
    reason: 'no_forward',
    net: null,
    flip: null,
    flip_lo: null,
    roots: 0,
    call_wall: null,
    put_wall: null,
    regime: null,
  })
  // gamma at the money goes with one over the square root of time, less off it
  const [{ share } = {}] = await db.rows(`
    with pairs as (
      select strike, seconds, 0.15 * sqrt(seconds / 31536000) as s,
        ln(6000 / strike) / s + s / 2 as d1, exp(-d1 * d1 / 2) / s as gamma
      from unnest([5960, 6020]) as a(strike), unnest([21600, 2592000]) as b(seconds))
    select sum(gamma) filter (seconds > 21600) / sum(gamma) as share from pairs`)
  expect(lost!.priced_share).toBeCloseTo(Number(share), 8)
  const scanned = await db.rows("select distinct minute_at from book.scan where bucket = 'all'")
  expect(scanned).toHaveLength(1)
})

test('a book that lacks little has its levels, and says how much', async () => {
  const [, lost] = await listLevels(await openBook({ today: 20, month: 4000 }))
  expect(lost!.reason).toBeNull()
  expect(lost!.net).not.toBeNull()
  expect(lost!.priced_share).toBeGreaterThan(0.9)
  expect(lost!.priced_share).toBeLessThan(1)
})
