import { expect, test } from 'vitest'
import { after, reuseFoldDb } from '../../support/fold.ts'

type Leg = { us: number; strike: number; price: number; condition?: string | null; size?: number }

async function findQuality(legs: readonly Leg[]) {
  const db = await reuseFoldDb()
  const rows = legs.map(({ us, ...leg }) => ({
    printed_at: after(us),
    option_type: 'P',
    size: 70,
    condition: 'f',
    ...leg,
  }))
  await db.addPrints(rows)
  await db.fold()
  return db.query('views/fold_quality')
}

const vertical = (us: number, price: number) => [
  { us, strike: 5_900, price: 3.11 },
  { us, strike: 5_920, price },
]

test('packages whose net is on its step are not counted, packages off it are', async () => {
  expect(await findQuality([...vertical(0, 4.21), ...vertical(20_000_000, 4.26)])).toEqual([
    { package_count: 2, off_step_share: 0, orphan_share: 0 },
  ])
  expect(await findQuality([...vertical(0, 4.21), ...vertical(20_000_000, 4.22)])).toEqual([
    { package_count: 2, off_step_share: 0.5, orphan_share: 0 },
  ])
})

test('a lone leg, known by its letter or else by its price, is an orphan', async () => {
  const alone = { us: 20_000_000, strike: 5_900 }
  const orphanShare = async (leg: Leg) => {
    const [row] = await findQuality([...vertical(0, 4.21), leg])
    return row!.orphan_share
  }
  expect(await orphanShare({ ...alone, price: 3.1 })).toBeCloseTo(1 / 3, 12)
  expect(await orphanShare({ ...alone, price: 3.11, condition: null })).toBeCloseTo(1 / 3, 12)
  // a single order may have this price, and an electronic print is no leg whatever its price
  expect(await orphanShare({ ...alone, price: 3.1, condition: null })).toBe(0)
  expect(await orphanShare({ ...alone, price: 3.11, condition: 'I' })).toBe(0)
})

test('a tape without packages has no shares', async () => {
  expect(await findQuality([{ us: 0, strike: 5_900, price: 3.1, condition: 'I' }])).toEqual([
    { package_count: 0, off_step_share: null, orphan_share: null },
  ])
})
