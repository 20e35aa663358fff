import { expect, test } from 'vitest'
import { type BookContract, buildToyBooks } from '../../support/books.ts'
import { openTestDb, type TestDb, table } from '../../support/db.ts'
import { openSessionDb } from '../../support/surface.ts'

const AT: Omit<BookContract, 'minute_et' | 'strike' | 'option_type' | 'quantity'> = {
  root: 'SPXW',
  expiry: '2026-10-14',
  vol: 0.2,
  seconds_left: 10_800,
  forward: 6000,
  discount: 1,
}

/** A scan given by hand, one row a whole point. */
async function listFlips(gammas: readonly number[], spot: number) {
  const db = await openTestDb()
  await db.run(`
    create table surface.spots as
    select timestamp '2026-10-14 14:00:00' as minute_at, ${spot}::double as spot;
    create table book.scan as
    select timestamp '2026-10-14 14:00:00' as minute_at, 'oi' as book_basis, 'all' as bucket,
      step - 1 as step,
      (5999 + step)::double as index_point, gamma as dealer_gamma_musd_per_point
    from (select unnest(${JSON.stringify(gammas)}::double[]) as gamma,
      generate_subscripts(${JSON.stringify(gammas)}::double[], 1) as step)`)
  await db.build('levels/lobes')
  await db.build('levels/flips')
  return (await db.all('levels.flips'))[0]
}

test.each([
  ['one crossing', [-10, -5, 5, 10], 6000, [6001.5], [6001.5], 6001.5],
  ['the nearer of two', [10, -10, -10, 30], 6002.9, [6000.5, 6002.25], [6000.5, 6002.25], 6002.25],
  ['as near: the lower', [10, -10, -10, 10], 6001.5, [6000.5, 6002.5], [6000.5, 6002.5], 6000.5],
  ['a zero step is the root', [-10, 0, 4], 6000, [6001], [6001], 6001],
  ['a lobe under 1 %', [100, -0.99, 50], 6000, [6000.9902, 6001.0194], [], null],
  ['a lobe of 1 %', [100, -1, 50], 6000, [6000.9901, 6001.0196], [6000.9901, 6001.0196], 6000.9901],
  ['no crossing', [1, 2, 3], 6000, [], [], null],
  ['dollars have no sign', [5, -9e-7, 5], 6000, [], [], null],
])('%s', async (_, gammas, spot, roots, significant, flip) => {
  const row = await listFlips(gammas as number[], spot as number)
  const rounded = (list: unknown) => (list as number[]).map(root => Math.round(root * 1e4) / 1e4)
  expect(rounded(row!.roots)).toEqual(roots)
  expect(rounded(row!.significant_roots)).toEqual(significant)
  expect(row!.flip === null ? null : rounded([row!.flip])[0]).toBe(flip)
})

async function openToy(contracts: BookContract[], spots = ['10:00', '10:01', '10:02', '10:03']) {
  const db = await openSessionDb('2026-10-14')
  const rows = spots.map(minute_et => ({ minute_et, spot: 6000 }))
  await buildToyBooks(db, rows, contracts)
  return db
}

const levelAt = async (db: TestDb, minute: string, basis = 'oi') =>
  (
    await db.rows(`select * from levels.levels where minute_et = $minute and book_basis = $basis`, {
      minute,
      basis,
    })
  )[0]!

test('walls with equal gamma: the lower call strike, the higher put strike', async () => {
  const minute_et = '10:00'
  const twins = (option_type: string, quantity: number) =>
    [5990, 6010].map(strike => ({ ...AT, minute_et, strike, option_type, quantity }))
  const db = await openToy([
    ...twins('C', 100),
    ...twins('P', -100),
    { ...AT, minute_et, strike: 6000, option_type: 'C', quantity: 1 },
  ])
  // gammas of 5990 and 6010 differ slightly: make them equal
  await db.run(`update book.gammas set call_oi_musd = 2, put_oi_musd = -2 where strike <> 6000`)
  for (const model of ['strikes', 'walls', 'expiry_levels', 'levels'])
    await db.build(`levels/${model}`)
  expect(await levelAt(db, minute_et)).toMatchObject({ call_wall: 5990, put_wall: 6010 })
})

test('a regime of exactly zero keeps the one before; an empty book has none', async () => {
  const contract = (minute_et: string, option_type: string, quantity: number, day: number) => ({
    ...AT,
    expiry: `2026-11-0${day}`,
    minute_et,
    strike: 6000,
    option_type,
    quantity,
  })
  const db = await openToy([
    contract('10:00', 'P', -10, 1),
    // calls and puts of one strike that cancel
    contract('10:01', 'C', 10, 2),
    contract('10:01', 'P', -10, 2),
    contract('10:02', 'C', 10, 3),
  ])
  const seen = await db.rows(
    `select minute_et, net_gamma_musd_per_point <> 0 as is_not_zero, regime, reason
     from levels.levels where book_basis = 'oi' and minute_et between '10:00' and '10:03'
     order by minute_et`,
  )
  expect(seen.map(row => ({ ...row, is_not_zero: String(row.is_not_zero) }))).toEqual(
    table(`
    minute_et  is_not_zero  regime    reason
    10:00      true         negative  no_root
    10:01      false        negative  no_root
    10:02      true         positive  no_root
    10:03      null         -         empty_book
  `).map(row => ({ ...row, is_not_zero: String(row.is_not_zero) })),
  )
})

test('a book that no minute can price is null with the reason, never zero', async () => {
  const minute_et = '10:00'
  const db = await openToy([{ ...AT, minute_et, strike: 6000, option_type: 'C', quantity: 10 }])
  await db.run('delete from surface.smiles')
  for (const model of ['book/positions', 'book/gammas', 'book/coverage', 'book/scan_sums']) {
    await db.build(model)
  }
  await db.build('book/scan')
  for (const model of ['lobes', 'flips', 'strikes', 'walls', 'expiry_levels', 'levels']) {
    await db.build(`levels/${model}`)
  }
  expect(await levelAt(db, minute_et)).toMatchObject({
    net_gamma_musd_per_point: null,
    regime: null,
    flip: null,
    flip_roots: [],
    reason: 'no_forward',
    priced_share: 0,
  })
})

test('an index of 15 is scanned in hundredths of a point', async () => {
  const minute_et = '10:00'
  const vix = { ...AT, root: 'VIX', forward: 15, seconds_left: 864_000, vol: 0.9 }
  const db = await openSessionDb('2026-10-14')
  await buildToyBooks(
    db,
    [{ minute_et, spot: 15 }],
    [
      { ...vix, minute_et, strike: 14, option_type: 'P', quantity: -500 },
      { ...vix, minute_et, strike: 16, option_type: 'C', quantity: 500 },
    ],
  )
  const level = await levelAt(db, minute_et)
  expect(level.reason).toBeNull()
  expect(level.flip).toBeGreaterThan(14)
  expect(level.flip).toBeLessThan(16)
})
