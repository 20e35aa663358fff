import { expect, test } from 'vitest'
import { type BookContract, buildToyBooks, type Spot } from '../../support/books.ts'
import { randomNumbers } from '../../support/random.ts'
import { runs } from '../../support/runs.ts'
import { openSessionDb } from '../../support/surface.ts'

const BOOKS = runs(120)
const MINUTE = (number: number) =>
  `${String(10 + Math.floor(number / 60)).padStart(2, '0')}:${String(number % 60).padStart(2, '0')}`

/** A date that no other book has. */
function findExpiry(number: number, nth: number): string {
  const month = String(1 + Math.floor(number / 28)).padStart(2, '0')
  return `${2030 + nth}-${month}-${String(1 + (number % 28)).padStart(2, '0')}`
}

/** Books from one minute to a year before expiry, some of them with many strikes and signs. */
function randomBooks(): { spots: Spot[]; contracts: BookContract[] } {
  const random = randomNumbers(20261014)
  const pick = (low: number, high: number) => low + (high - low) * random()
  const spots: Spot[] = []
  const contracts: BookContract[] = []
  for (let number = 0; number < BOOKS; number++) {
    const spot = Math.round(pick(5900, 6100) * 100) / 100
    spots.push({ minute_et: MINUTE(number), spot })
    const expiries = 1 + Math.floor(pick(0, 4))
    for (let e = 0; e < expiries; e++) {
      const seconds = Math.round(Math.exp(pick(Math.log(60), Math.log(31_536_000))))
      const forward = spot * (1 + pick(-0.001, 0.01))
      const discount = pick(0.95, 1)
      const used = new Set<string>()
      const strikes = 2 + Math.floor(pick(0, 40))
      for (let s = 0; s < strikes; s++) {
        const strike = 5 * Math.round(pick(5600, 6400) / 5)
        const option_type = random() < 0.5 ? 'C' : 'P'
        if (used.has(`${strike}`)) continue
        used.add(`${strike}`)
        contracts.push({
          minute_et: MINUTE(number),
          root: 'SPXW',
          expiry: findExpiry(number, e),
          strike,
          option_type,
          quantity: Math.round(pick(-5000, 5000)),
          vol: pick(0.08, 0.4),
          seconds_left: seconds,
          forward,
          discount,
        })
      }
    }
  }
  return { spots, contracts }
}

/** Net dealer gamma at a level of the index, straight from the Black-76 formula. */
function gammaAt(level: number, spot: number, contracts: readonly BookContract[]): number {
  let sum = 0
  for (const { forward, strike, vol, seconds_left, discount, quantity } of contracts) {
    const moved = (forward * level) / spot
    const deviation = vol * Math.sqrt(seconds_left / 31_536_000)
    const d1 = Math.log(moved / strike) / deviation + deviation / 2
    const density = Math.exp((-d1 * d1) / 2) / Math.sqrt(2 * Math.PI)
    const gamma = (discount * density * moved) / (level * level * deviation)
    sum += (quantity * 100 * gamma * level) / 1e6
  }
  return sum
}

type Scan = { point: number; gamma: number }

/** All roots of a scan over every whole point, and those left when small lobes are dropped. */
function listRoots(scan: readonly Scan[]): { roots: number[]; significant: number[] } {
  const signed = scan.filter(({ gamma }) => Math.abs(gamma) >= 1e-6)
  const highest = Math.max(...signed.map(({ gamma }) => Math.abs(gamma)))
  const found: { root: number; index: number }[] = []
  for (let index = 1; index < signed.length; index++) {
    const before = signed[index - 1]!
    const after = signed[index]!
    if (before.gamma > 0 === after.gamma > 0) continue
    const share = before.gamma / (before.gamma - after.gamma)
    const isBetween = after.point - before.point > 1
    const root = before.point + (after.point - before.point) * (isBetween ? 0.5 : share)
    found.push({ root, index })
  }
  const significant: number[] = []
  for (let i = 0; i < found.length; i++) {
    const next = found[i + 1]
    const lobe = next ? signed.slice(found[i]!.index, next.index) : []
    if (next && Math.max(...lobe.map(({ gamma }) => Math.abs(gamma))) < 0.01 * highest) i += 1
    else significant.push(found[i]!.root)
  }
  return { roots: found.map(({ root }) => root), significant }
}

test(`the scan finds what all 601 whole points of ${BOOKS} random books show`, async () => {
  const { spots, contracts } = randomBooks()
  const db = await openSessionDb('2026-10-14')
  await buildToyBooks(db, spots, contracts)
  const scanned = await db.rows(`
    select minute_et, index_point, dealer_gamma_musd_per_point as gamma
    from book.scan join tape.minutes using (minute_at) where book_basis = 'oi' and bucket = 'all'`)
  const flips = await db.rows(`
    select minute_et, flip, roots, significant_roots from levels.flips
    join tape.minutes using (minute_at) where book_basis = 'oi' and bucket = 'all'`)
  const byMinute = Map.groupBy(scanned, row => String(row.minute_et))
  let worst = { error: 0, name: '' }
  let rootCount = 0
  for (const { minute_et, spot } of spots) {
    const own = contracts.filter(contract => contract.minute_et === minute_et)
    const low = Math.ceil(spot! - 300)
    const high = Math.floor(spot! + 300)
    const full = Array.from({ length: high - low + 1 }, (_, i) => ({
      point: low + i,
      gamma: gammaAt(low + i, spot!, own),
    }))
    const got = new Map(byMinute.get(minute_et)!.map(row => [row.index_point, Number(row.gamma)]))
    const highest = Math.max(...full.map(({ gamma }) => Math.abs(gamma)))
    for (const { point, gamma } of full) {
      const error = Math.abs((got.get(point) ?? 0) - gamma) / highest
      if (!(error <= worst.error)) worst = { error, name: `${minute_et} at ${point}: ${gamma}` }
    }
    const wanted = listRoots(full)
    const row = flips.find(flip => flip.minute_et === minute_et)!
    const near = (list: unknown, expected: number[], tolerance: number) => {
      expect((list as number[]).length, `${minute_et}: ${list} for ${expected}`).toBe(
        expected.length,
      )
      for (const [i, root] of (list as number[]).entries()) {
        expect(Math.abs(root - expected[i]!), minute_et).toBeLessThan(tolerance)
      }
    }
    // where gamma is a few dollars a point, rounding to 1e-10 moves a root a little
    near(row.roots, wanted.roots, 0.01)
    near(row.significant_roots, wanted.significant, 0.01)
    const nearest = wanted.significant.toSorted(
      (a, b) => Math.abs(a - spot!) - Math.abs(b - spot!) || a - b,
    )
    near(row.flip === null ? [] : [row.flip], nearest.slice(0, 1), 0.01)
    rootCount += wanted.roots.length
  }
  expect(worst.error, `worst share of the window's highest gamma: ${worst.name}`).toBeLessThan(1e-8)
  expect(rootCount).toBeGreaterThan(BOOKS)
})

test('a book that no market can hold is refused in a sentence, not added up wrong', async () => {
  const db = await openSessionDb('2026-10-14')
  const held = (quantity: number) =>
    buildToyBooks(
      db,
      [{ minute_et: '10:00', spot: 6000 }],
      [
        {
          minute_et: '10:00',
          root: 'SPXW',
          expiry: '2026-10-21',
          strike: 6000,
          option_type: 'C',
          quantity,
          vol: 0.15,
          seconds_left: 7 * 86_400,
          forward: 6000,
          discount: 1,
        },
      ],
    )
  // a contract at the money adds 0.0019 $M per point
  await held(100_000_000)
  await expect(held(110_000_000)).rejects.toThrow(
    /give open interest and positions in contracts, such as 1500/,
  )
})
