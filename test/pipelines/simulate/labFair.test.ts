import { beforeAll, describe, expect, test } from 'vitest'
import { CARRY, type LabDay, labDays } from '../../../pipelines/simulate/labPath.ts'
import { PLANTED_STATE } from '../../../pipelines/simulate/labPlanted.ts'
import { jumpOutcomes, timeValue } from '../../../pipelines/simulate/labPricing.ts'

const DAYS = 2_400
const YEAR_MS = 31_536_000_000
const TEN = 29

const listDays = (seed: number, plantedSd: number): LabDay[] => [
  ...labDays({ seed, sessionCount: DAYS, until: '2026-10-15', plantedSd }),
]

let fair: LabDay[]
beforeAll(() => {
  fair = listDays(4, 0)
})

/** Forward and price, undiscounted, of options of an expiry `dte` later. */
function pricer(day: LabDay, state: number, dte: number) {
  const next = day.next.slice(0, dte)
  const last = dte === 0 ? day.session : next.at(-1)!.session
  const atMs = day.session.opensAtMs + (state + 1) * 60_000
  const forward = day.spots[state]! * Math.exp((CARRY * (last.pmExpiresAtMs - atMs)) / YEAR_MS)
  const outcomes = jumpOutcomes({
    variance: next.reduce((sum, { variance }) => sum + variance, day.remaining[state]!),
    minutes: next.reduce((sum, { minutes }) => sum + minutes, day.spots.length - 1 - state),
    nights: dte,
  })
  const price = (type: 'C' | 'P', strike: number) => {
    const inside = type === 'C' ? forward - strike : strike - forward
    return timeValue(outcomes, forward, strike, Math.log(forward / strike)) + Math.max(0, inside)
  }
  return { forward, price }
}

const payoff = (type: 'C' | 'P', strike: number, value: number) =>
  Math.max(0, type === 'C' ? value - strike : strike - value)

type Sold = readonly (readonly [sign: 1 | -1, type: 'C' | 'P', distance: number])[]
/** Distances in straddles of what is left of the move. */
const STRUCTURES: Readonly<Record<string, Sold>> = {
  straddle: [
    [1, 'C', 0],
    [1, 'P', 0],
  ],
  strangle: [
    [1, 'C', 1.2],
    [1, 'P', -1.2],
  ],
  'put spread': [
    [1, 'P', -0.6],
    [-1, 'P', -1],
  ],
  'call spread': [
    [1, 'C', 0.6],
    [-1, 'C', 1],
  ],
  condor: [
    [1, 'P', -1],
    [-1, 'P', -1.5],
    [1, 'C', 1],
    [-1, 'C', 1.5],
  ],
}

/**
 * Profit of a structure that is sold at fair prices and settled, relative to the straddle's
 * price.
 */
function earned(days: readonly LabDay[], index: number, at: { state: number; dte: number }) {
  const [day, end] = [days[index]!, days[index + at.dte]]
  if (end === undefined || at.state >= day.spots.length - 1) return null
  const { forward, price } = pricer(day, at.state, at.dte)
  const straddle = 2 * price('C', forward)
  return (sold: Sold) =>
    sold.reduce((sum, [sign, type, distance]) => {
      const strike = forward + distance * straddle
      return sum + sign * (price(type, strike) - payoff(type, strike, end.spots.at(-1)!))
    }, 0) / straddle
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const deviation = (values: readonly number[]) => {
  const middle = mean(values)
  return Math.sqrt(mean(values.map(value => (value - middle) ** 2)))
}
const findT = (values: readonly number[]) =>
  (mean(values) / deviation(values)) * Math.sqrt(values.length)

/** Observations at 10:00 of a day, above or below its middle. */
const SEEN: Readonly<Record<string, (day: LabDay, before: LabDay) => number>> = {
  'net gamma': day => day.levels.netGamma[TEN]!,
  'distance to the flip': day => day.spots[TEN]! - day.levels.flip[TEN]!,
  'distance to the put wall': day => day.spots[TEN]! - day.levels.putWall[TEN]!,
  'distance to the call wall': day => day.levels.callWall[TEN]! - day.spots[TEN]!,
  gap: day => day.spots[0]! / day.previousClose - 1,
  'size of the gap': day => Math.abs(day.spots[0]! / day.previousClose - 1),
  'move from the open': day => day.spots[TEN]! / day.spots[0]! - 1,
  'size of the move': day => Math.abs(day.spots[TEN]! / day.spots[0]! - 1),
  'implied variance': day => day.remaining[TEN]!,
  'change of it': day => day.remaining[TEN]! / day.remaining[0]!,
  'variance of next week': day => day.next.at(-1)!.variance,
  'move of the day before': (_, before) => before.spots.at(-1)! / before.previousClose - 1,
}

describe('what is sold at fair prices earns nothing', () => {
  test.each([0, TEN, 150, 300, 380])('from state %i to the close', state => {
    for (const [name, sold] of Object.entries(STRUCTURES)) {
      const all = fair.flatMap((_, index) => earned(fair, index, { state, dte: 0 })?.(sold) ?? [])
      expect(all.length).toBeGreaterThan(0.95 * DAYS)
      expect.soft(Math.abs(findT(all)), name).toBeLessThan(3.5)
    }
  })

  test.each([1, 2, 3, 4, 5])('over %i nights', dte => {
    for (const [name, sold] of Object.entries(STRUCTURES)) {
      // each night but once: sums that overlap would count it more often
      const apart = fair.flatMap((_, index) =>
        index % (dte + 1) === 0 ? (earned(fair, index, { state: TEN, dte })?.(sold) ?? []) : [],
      )
      expect.soft(Math.abs(findT(apart)), name).toBeLessThan(3.5)
    }
  })

  test.each(Object.keys(SEEN))('whatever is seen of the %s', name => {
    const seen = fair.map((day, index) => SEEN[name]!(day, fair[Math.max(0, index - 1)]!))
    const known = seen.filter(value => !Number.isNaN(value)).sort((a, b) => a - b)
    const middle = known[Math.floor(known.length / 2)]!
    for (const sold of Object.values(STRUCTURES)) {
      for (const isHigh of [true, false]) {
        const some = fair.flatMap((_, index) =>
          seen[index]! > middle === isHigh && !Number.isNaN(seen[index]!)
            ? earned(fair, index, { state: TEN, dte: 0 })!(sold)
            : [],
        )
        expect(some.length).toBeGreaterThan(0.4 * DAYS)
        expect.soft(Math.abs(findT(some)), name).toBeLessThan(3.5)
      }
    }
  })
})

describe('the paths', () => {
  test('the index is a martingale but for its carry, by night, by minute and by day', () => {
    const nights = fair.map(day => day.spots[0]! / day.previousClose - 1)
    const days = fair.map(day => day.spots.at(-1)! / day.spots[0]! - 1)
    const minutes = fair.map(day => day.spots[31]! / day.spots[30]! - 1)
    for (const moves of [nights, days, minutes]) expect(Math.abs(findT(moves))).toBeLessThan(3.5)
  })

  test('quiet and wild weeks follow each other', () => {
    const sizes = fair.map(day => Math.abs(day.spots.at(-1)! / day.spots[0]! - 1))
    const middle = mean(sizes)
    const together = mean(sizes.slice(5).map((size, i) => (size - middle) * (sizes[i]! - middle)))
    // of days that know nothing of each other it is 0, give or take 0.02
    expect(together / deviation(sizes) ** 2).toBeGreaterThan(0.08)
  })

  test('falls of three deviations are more frequent than rises: jumps go down', () => {
    const moves = fair.map(
      day => Math.log(day.spots.at(-1)! / day.spots[0]!) / Math.sqrt(day.remaining[0]!),
    )
    const falls = moves.filter(move => move < -2.5).length
    const rises = moves.filter(move => move > 2.5).length
    expect(falls).toBeGreaterThan(2 * rises)
  })
})

describe('what is planted', () => {
  test.each([0.3, 0.5, 1])('%f deviations between days on and off', plantedSd => {
    const days = listDays(5, plantedSd)
    const sold = (isOn: boolean) =>
      days.flatMap((day, index) =>
        day.levels.netGamma[PLANTED_STATE]! > 0 === isOn &&
        !Number.isNaN(day.levels.netGamma[PLANTED_STATE]!)
          ? earned(days, index, { state: PLANTED_STATE, dte: 0 })!(STRUCTURES.straddle!)
          : [],
      )
    const [on, off] = [sold(true), sold(false)]
    expect(on.length / (on.length + off.length)).toBeGreaterThan(0.42)
    expect(on.length / (on.length + off.length)).toBeLessThan(0.58)
    const pooled = Math.sqrt((deviation(on) ** 2 + deviation(off) ** 2) / 2)
    // a difference of means of 1,200 days each is known to 1 / sqrt(600) deviations
    expect(Math.abs((mean(on) - mean(off)) / pooled - plantedSd)).toBeLessThan(0.13)
    expect(Math.abs(findT([...on, ...off]))).toBeLessThan(3.5)
  })

  test('it changes nothing before 10:00, and nothing that is priced or shown until then', () => {
    const before = { seed: 6, sessionCount: 1, until: '2026-10-15' }
    const [plain] = labDays({ ...before, plantedSd: 0 })
    const [planted] = labDays({ ...before, plantedSd: 0.5 })
    expect(planted!.spots.slice(0, TEN + 1)).toEqual(plain!.spots.slice(0, TEN + 1))
    expect(planted!.remaining).toEqual(plain!.remaining)
    for (const name of ['netGamma', 'flip', 'callWall', 'putWall'] as const) {
      const known = planted!.levels[name].slice(0, TEN + 1)
      expect(known).toEqual(plain!.levels[name].slice(0, TEN + 1))
    }
    expect(planted!.spots.at(-1)).not.toBe(plain!.spots.at(-1))
  })
})
