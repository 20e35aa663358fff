// The archive's JSON: nulls stay null, numbers keep their digits, a busy session is not too large.

import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderArchive } from '../../src/archive/render.ts'
import type { LevelRow, ProfileRows, StrikeRows } from '../../src/archive/rows.ts'
import { gammaWire, type LedgerPart, sessionWire, strikesWire } from '../../src/archive/wire.ts'
import { minutesAfter } from '../../src/core/market/calendar.ts'
import { wireLedger } from '../../src/orders/wire.ts'
import { ledgerInput, ledgerOrder, VARIED_ORDERS } from '../support/published.ts'
import { randomNumbers } from '../support/random.ts'

const BOOKS = ['measured', 'vol', 'oi'] as const
const MINUTES = Array.from({ length: 405 }, (_, index) => minutesAfter('09:30', index + 1))
const LEDGER: LedgerPart = wireLedger(ledgerInput(VARIED_ORDERS))
const value = fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }))

const level: fc.Arbitrary<Omit<LevelRow, 'book_basis' | 'minute_et'>> = fc.record({
  spot: value,
  flip: value,
  flip_lo: value,
  flip_hi: value,
  call_wall: value,
  put_wall: value,
  net_gamma_musd_per_point: value,
  reason: fc.option(fc.string()),
})
const NONE: ProfileRows = {
  book_basis: [],
  minute_et: [],
  index_point: [],
  dealer_gamma_musd_per_point: [],
}

test('every level is given to a hundredth, every gamma to six digits, every null as null', () => {
  const rows = fc.array(fc.tuple(fc.constantFrom(...BOOKS), fc.constantFrom(...MINUTES), level), {
    minLength: 1,
    maxLength: 40,
  })
  fc.assert(
    fc.property(rows, given => {
      const byKey = new Map(
        given.map(([book_basis, minute_et, rest]) => [
          `${book_basis} ${minute_et}`,
          { book_basis, minute_et, ...rest },
        ]),
      )
      const levels = [...byKey.values()]
      const wire = sessionWire({ ledger: LEDGER, revision: 'r', levels, profiles: NONE })
      expect(wire.minutes).toEqual([...new Set(levels.map(row => row.minute_et))].sort())
      for (const book of BOOKS) {
        for (const [index, minute] of wire.minutes.entries()) {
          const row = byKey.get(`${book} ${minute}`)
          const reported = wire.books[book]!
          for (const name of [
            'spot',
            'flip',
            'flip_lo',
            'flip_hi',
            'call_wall',
            'put_wall',
          ] as const) {
            const [seen, real] = [reported[name][index]!, row?.[name] ?? null]
            expect(seen === null).toBe(real === null)
            if (real !== null) expect(Math.abs(seen - real)).toBeLessThanOrEqual(0.00500001)
            expect(Object.is(seen, -0)).toBe(false)
          }
          const [seen, real] = [reported.net_gamma[index]!, row?.net_gamma_musd_per_point ?? null]
          expect(seen === null).toBe(real === null)
          // however small, it does not become zero
          if (real !== null)
            expect(Math.abs(seen - real)).toBeLessThanOrEqual(Math.abs(real) * 5e-6)
          expect(reported.reason[index]).toBe(row?.reason ?? null)
        }
      }
    }),
  )
})

test('a curve stands on the grid of all minutes, null outside the range of a scan', () => {
  const scan = fc.record({
    first: fc.integer({ min: 0, max: 40 }),
    gammas: fc.array(value, { minLength: 2, maxLength: 30 }),
  })
  fc.assert(
    fc.property(
      fc.array(scan, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(0.5, 1, 2.5, 10),
      (scans, step) => {
        const rows = scans.flatMap(({ first, gammas }, minute) =>
          gammas.map((gamma, index) => ({ minute, point: 5000 + (first + index) * step, gamma })),
        )
        const profiles: ProfileRows = {
          book_basis: rows.map(() => 'vol'),
          minute_et: rows.map(({ minute }) => MINUTES[minute]!),
          index_point: rows.map(({ point }) => point),
          dealer_gamma_musd_per_point: rows.map(({ gamma }) => gamma),
        }
        const levels = scans.map((_, minute) => levelAt('vol', MINUTES[minute]!))
        const reported = gammaWire({ ledger: LEDGER, revision: 'r', levels, profiles }, 'vol')
        const { from, net } = reported
        expect(reported.step).toBe(step)
        const seen = net.flatMap((curve, minute) =>
          curve.flatMap((gamma, index) =>
            gamma === null ? [] : [{ minute, point: from! + index * step, gamma }],
          ),
        )
        const known = rows.filter(({ gamma }) => gamma !== null)
        expect(seen.map(({ minute, point }) => [minute, point])).toEqual(
          known.map(({ minute, point }) => [minute, point]),
        )
        for (const [index, { gamma }] of seen.entries()) {
          const real = known[index]!.gamma!
          expect(Math.abs(gamma - real)).toBeLessThanOrEqual(Math.abs(real) * 0.00501)
        }
        const other = gammaWire({ ledger: LEDGER, revision: 'r', levels, profiles }, 'oi')
        expect([other.from, other.step]).toEqual([null, null])
      },
    ),
  )
})

test('a number that is none is never sent as null', () => {
  const levels = [{ ...levelAt('vol', '09:31'), flip: Number.NaN }]
  const input = { ledger: LEDGER, revision: 'r', levels, profiles: NONE }
  expect(() => sessionWire(input)).toThrow('a number of the archive is NaN')
})

const levelAt = (book_basis: string, minute_et: string): LevelRow => ({
  book_basis,
  minute_et,
  spot: 5900.25,
  flip: 5890.13,
  flip_lo: 5880.77,
  flip_hi: 5899.9,
  call_wall: 6000,
  put_wall: 5800,
  net_gamma_musd_per_point: -857.412,
  reason: null,
})

test('a strike is rounded to a hundredth of the largest of its minute or less, and never to zero', () => {
  const ladder = (minute_et: string, calls: (number | null)[], puts: (number | null)[]) =>
    calls.map((call_musd, index) => ({
      book_basis: 'vol',
      minute_et,
      strike: 5900 + 5 * index,
      call_musd,
      put_musd: puts[index]!,
    }))
  const rows = [
    ...ladder('09:31', [1480.4, -134.9, 14.9, 5.21], [null, 0, -0.0456, 999.6]),
    ...ladder('09:32', [0.2, 0.01234, 0.00012, null], [-0.9999, null, null, null]),
  ]
  const strikes: StrikeRows = {
    book_basis: rows.map(row => row.book_basis),
    minute_et: rows.map(row => row.minute_et),
    strike: rows.map(row => row.strike),
    call_musd: rows.map(row => row.call_musd),
    put_musd: rows.map(row => row.put_musd),
  }
  const levels = [levelAt('vol', '09:31'), levelAt('vol', '09:32')]
  const input = { ledger: LEDGER, revision: 'r', levels, profiles: NONE, strikes }
  expect(strikesWire(input, 'vol')).toMatchObject({
    strikes: [5900, 5905, 5910, 5915],
    calls: [
      [1480, -130, 10, 5],
      [0.2, 0.01, 0.0001, null],
    ],
    puts: [
      [null, 0, -0.05, 1000],
      [-1, null, null, null],
    ],
  })
  const broken = { ...strikes, put_musd: rows.map(() => Number.NaN) }
  const noNumber = () => strikesWire({ ...input, strikes: broken }, 'vol')
  expect(noNumber).toThrow('a number of the archive is NaN')
})

test('a busy session is at most 450 KB, 60 KB compressed, its curves and strikes 65 KB', async () => {
  const random = randomNumbers(11)
  const walk = (start: number, size: number) => {
    let at = start
    return () => {
      at += (random() - 0.5) * size
      return at
    }
  }
  const levels = BOOKS.flatMap(book_basis => {
    const [spot, flip, lo, hi, net] = [6000, 5950, 5930, 5970, -400].map(start => walk(start, 8))
    return MINUTES.map(minute_et => ({
      book_basis,
      minute_et,
      spot: spot!(),
      flip: flip!(),
      flip_lo: lo!(),
      flip_hi: hi!(),
      call_wall: 6050,
      put_wall: 5900,
      net_gamma_musd_per_point: net!(),
      reason: null,
    }))
  })
  // 61 points of ten around an index that goes by 300 points over the day, as a wild one does
  const points = MINUTES.flatMap((minute, index) =>
    Array.from({ length: 61 }, (_, point) => ({
      minute,
      point: 5700 + 10 * (point + Math.round((30 * index) / 405)),
    })),
  )
  const gammas = points.map(({ point }, index) => {
    const shape = Math.sin(point / 90 + index / 40_000)
    return 600 * shape + index / 500
  })
  const profiles: ProfileRows = {
    book_basis: BOOKS.flatMap(book => points.map(() => book)),
    minute_et: BOOKS.flatMap(() => points.map(({ minute }) => minute)),
    index_point: BOOKS.flatMap(() => points.map(({ point }) => point)),
    dealer_gamma_musd_per_point: BOOKS.flatMap(() => gammas),
  }
  // 97 strikes of a book that changes slowly, under an index that goes by ten points over the day
  const inventories = Array.from({ length: 2 * 97 }, () => walk(400 * (random() - 0.5), 8))
  const cells = MINUTES.flatMap((minute, index) =>
    Array.from({ length: 97 }, (_, place) => {
      const strike = 5760 + 5 * place
      const density = Math.exp(-(((strike - 6000 - index / 40) / 60) ** 2) / 2)
      const [call_musd, put_musd] = [place, 97 + place].map(at => density * inventories[at]!())
      return { minute, strike, call_musd: call_musd!, put_musd: put_musd! }
    }),
  )
  const strikes: StrikeRows = {
    book_basis: BOOKS.flatMap(book => cells.map(() => book)),
    minute_et: BOOKS.flatMap(() => cells.map(({ minute }) => minute)),
    strike: BOOKS.flatMap(() => cells.map(({ strike }) => strike)),
    call_musd: BOOKS.flatMap(() => cells.map(({ call_musd }) => call_musd)),
    put_musd: BOOKS.flatMap(() => cells.map(({ put_musd }) => put_musd)),
  }
  // an iron condor each, with four legs that nobody else has
  const orders = Array.from({ length: 13_705 }, (_, index) => {
    const low = 5 * Math.round(1000 + 200 * random())
    const strikes = [low, low + 25, low + 75, low + 100]
    return ledgerOrder({
      order_id: `20261015-${String(93_000_000_000 + index * 1_234_567)}-${index}`,
      minute_et: MINUTES[Math.floor(405 * random())]!,
      dealer_gamma_musd_per_point: 40 * (1 - (index + random() / 2) / 13_705),
      structure: 'iron_condor',
      legs_text: `2026-10-22 ${strikes.join('/')} PPCC`,
      legs: strikes.map((strike, leg) => ({
        strike,
        option_type: leg < 2 ? 'P' : 'C',
        customer_sign: leg % 3 === 0 ? 1 : -1,
      })),
      flip_distance_points: 100 * random(),
      fold_confidence: Number(random().toFixed(6)),
      side_probability: Number(random().toFixed(4)),
      size: Math.floor(5000 * random()),
      contracts: Math.floor(20_000 * random()),
      net_premium_usd: Math.floor(30_000_000 * random()),
    })
  })
  const ledger = wireLedger(ledgerInput(orders))
  const revision = '9f2b61c0a7d4e835'
  const forms = await renderArchive({ ledger, revision, levels, profiles, strikes })
  const { session, ...curves } = forms
  const json = brotliDecompressSync(session!.data)
  expect(JSON.parse(json.toString()).orders).toHaveLength(500)
  expect(json.byteLength).toBeLessThanOrEqual(450_000)
  expect(session!.data.byteLength).toBeLessThanOrEqual(60_000)
  for (const { data } of Object.values(curves)) expect(data.byteLength).toBeLessThanOrEqual(65_000)
})
