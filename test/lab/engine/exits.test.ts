import { describe, expect, test } from 'vitest'
import { formatMinute } from '../../../src/core/market/calendar.ts'
import type { Assumptions, Trade } from '../../../src/lab/engine/trade.ts'
import type { RuleCore, RuleExit } from '../../../src/lab/language/spec.ts'
import {
  findLedger,
  findMarket,
  findState,
  type Option,
  type Quote,
  rule,
  type SessionSetup,
} from './market.ts'

const [MON, TUE, WED] = ['2026-10-12', '2026-10-13', '2026-10-14'] as const
const AT = findState('10:00')

/** Mid of the short put at a state; the long one is worth 1.00; each is quoted 10 cents wide. */
type Course = (state: number) => number | null

const findQuote =
  (course: Course) =>
  ({ state, strike }: Option): Quote | null => {
    const mid = strike === 5970 ? course(state) : 1
    return mid === null ? null : { bid: mid - 0.05, ask: mid + 0.05 }
  }
const day = (date: string, course: Course, rest: Partial<SessionSetup> = {}): SessionSetup => ({
  date,
  expiries: [{ expiry: date, quote: findQuote(course) }],
  ...rest,
})

/** 3.00 at the entry, so that the spread is 2.00 at mid, sold at 1.90 and bought at 2.10. */
const then =
  (from: number, value: number | null): Course =>
  state =>
    state < from ? 3 : value

/** The one trade of a core, which is entered at 10:00 of the first session. */
function findTrade(
  core: Partial<RuleCore>,
  setups: readonly SessionSetup[],
  assume: Partial<Assumptions> = {},
): Trade {
  const { trades, missed } = findLedger(findMarket(...setups), rule(core), assume)
  expect(missed.filter(({ session }) => session === 0)).toEqual([])
  return trades[0]!
}

/** Why and when it ended, and at what. */
function ended(
  exit: readonly RuleExit[],
  course: Course,
  action: 'sell' | 'buy' = 'sell',
  rest: Partial<SessionSetup> = {},
) {
  const trade = findTrade({ action, exit: [...exit] }, [day(WED, course, rest)])
  expect(trade.net).toBeCloseTo(action === 'sell' ? 1.9 : -2.1, 12)
  const at = trade.exitAt === null ? null : formatMinute(trade.exitAt)
  return [trade.exitReason, at, trade.closeNet === null ? null : Number(trade.closeNet.toFixed(9))]
}

describe('a profit is taken at the executable price', () => {
  test.each([
    // closing at a mid of .85 costs .95, half of the credit
    ['sell', 50, 1.85, ['profit', '10:30', -0.95]],
    ['sell', 50, 1.9, ['settlement', '16:00', 0]],
    ['sell', 50, 1.8, ['profit', '10:30', -0.9]],
    // all of the credit: closing costs nothing, however little the spread is worth
    ['sell', 100, 0.9, ['profit', '10:30', 0]],
    ['sell', 100, 0.95, ['settlement', '16:00', 0]],
    // bought at 2.10: 3.15 is half more
    ['buy', 50, 4.25, ['profit', '10:30', 3.15]],
    ['buy', 50, 4.2, ['settlement', '16:00', 0]],
    ['buy', 50, 4.3, ['profit', '10:30', 3.2]],
  ] as const)('%s for %d%%, with the short put at %d', (action, profit_pct, value, expected) => {
    expect(ended([{ profit_pct }], then(AT + 30, value), action)).toEqual(expected)
  })
})

describe('a stop is judged at the mid, and filled at the executable price', () => {
  test.each([
    // twice the credit of 1.90 is 3.80
    ['sell', { stop_x_credit: 2 }, 4.8, ['stop', '10:30', -3.9]],
    ['sell', { stop_x_credit: 2 }, 4.75, ['settlement', '16:00', 0]],
    ['sell', { stop_x_credit: 2 }, 9, ['stop', '10:30', -8.1]],
    // half of the debit of 2.10 is 1.05
    ['buy', { stop_pct_debit: 50 }, 2.05, ['stop', '10:30', 0.95]],
    ['buy', { stop_pct_debit: 50 }, 2.1, ['settlement', '16:00', 0]],
    ['buy', { stop_pct_debit: 100 }, 1, ['stop', '10:30', 0]],
    ['buy', { stop_pct_debit: 100 }, 0.9, ['stop', '10:30', 0]],
    ['buy', { stop_pct_debit: 100 }, 1.05, ['settlement', '16:00', 0]],
  ] as const)('%s, %o with the short put at %d', (action, exit, value, expected) => {
    expect(ended([exit], then(AT + 30, value), action)).toEqual(expected)
  })
})

describe('of exits', () => {
  test('none is judged at the fill, and all from the minute after it', () => {
    expect(ended([{ stop_x_credit: 2 }], state => (state > AT ? 9 : 3))).toEqual([
      'stop',
      '10:01',
      -8.1,
    ])
    // a wide market can be stopped at once, but not in its own minute
    expect(ended([{ profit_pct: 1 }], () => 3)).toEqual(['settlement', '16:00', 0])
  })

  test('the first minute counts, and in it a time goes before a price', () => {
    const course = then(AT + 30, 1.5)
    const both: RuleExit[] = [{ at: '10:30' }, { profit_pct: 50 }]
    expect(ended(both, course)).toEqual(['time', '10:30', -0.6])
    expect(ended([{ at: '10:31' }, { profit_pct: 50 }], course)).toEqual(['profit', '10:30', -0.6])
    expect(ended([{ at: '10:29' }, { profit_pct: 50 }], course)).toEqual(['time', '10:29', -2.1])
  })

  test('15:59 is the last minute, and at the close it settles', () => {
    const last = findState('15:59')
    expect(ended([{ stop_x_credit: 2 }], then(last, 9))).toEqual(['stop', '15:59', -8.1])
    expect(ended([{ stop_x_credit: 2 }], then(last + 1, 9))).toEqual(['settlement', '16:00', 0])
    expect(ended([{ at: '15:59' }], () => 3)).toEqual(['time', '15:59', -2.1])
  })

  test('a time before the fill is reached in the minute after it', () => {
    const trade = findTrade(
      { exit: [{ at: '10:05' }], entry: { at: '10:00' } },
      [day(WED, () => 3)],
      { delayMin: 10 },
    )
    expect([trade.filledAt, trade.exitAt]).toEqual([610, 611])
    expect(trade.isLate).toBe(false)
  })
})

describe('without a price', () => {
  const holes =
    (from: number, until: number, value = 3): Course =>
    state =>
      state >= from && state < until ? null : value

  test('a time goes on to the next minute that has one, and is late', () => {
    const exit: RuleExit[] = [{ at: '10:30' }]
    const late = findTrade({ exit }, [day(WED, holes(AT + 30, AT + 33))])
    expect(late).toMatchObject({ exitReason: 'time', exitAt: 633, isLate: true })
    // a hole that ends in time does no harm
    const inTime = findTrade({ exit }, [day(WED, holes(AT + 20, AT + 30))])
    expect(inTime).toMatchObject({ exitReason: 'time', exitAt: 630, isLate: false })
    const never = findTrade({ exit }, [day(WED, holes(AT + 30, 390))])
    expect(never).toMatchObject({ exitReason: 'settlement', exitAt: 960, isLate: true })
  })

  test('profit and stop are not judged', () => {
    const course: Course = state =>
      state < AT + 30 ? 3 : state < AT + 40 ? null : state < AT + 50 ? 9 : 3
    expect(ended([{ stop_x_credit: 2 }], course)).toEqual(['stop', '10:40', -8.1])
    expect(ended([{ stop_x_credit: 2 }], holes(AT + 1, 390))).toEqual(['settlement', '16:00', 0])
  })
})

describe('a settlement', () => {
  const settledAt = (settlement: number | null, action: 'sell' | 'buy' = 'sell') =>
    findTrade({ action }, [day(WED, () => 3, { settlement })])

  test.each([
    [5970, 0],
    [5969.99, -0.01],
    [5965.5, -4.5],
    [5960, -10],
    [5900, -10],
    [6100, 0],
  ])('at %d a spread that is short 5970 and long 5960 puts pays %d', (settlement, pays) => {
    const sold = settledAt(settlement)
    expect(sold.closeNet).toBeCloseTo(pays, 9)
    expect(sold).toMatchObject({ exitReason: 'settlement', settlement, exitSession: 0 })
    expect(sold.legs.map(leg => leg.exit)).toEqual([null, null])
    expect(settledAt(settlement, 'buy').closeNet).toBeCloseTo(-pays, 9)
  })

  test('an unknown exit leaves the trade open and reports what it can lose', () => {
    const none = { exitSession: null, exitAt: null, closeNet: null, pnlUsd: null, r: null }
    expect(settledAt(null)).toMatchObject({
      ...none,
      exitReason: 'unresolved',
      settlement: null,
      feesUsd: 2.6,
      worstUsd: expect.closeTo(-810, 9),
    })
    expect(settledAt(null, 'buy').worstUsd).toBeCloseTo(-210, 9)
    const straddle = findTrade({ structure: 'straddle' }, [day(WED, () => 3, { settlement: null })])
    expect(straddle).toMatchObject({ ...none, worstUsd: null })
  })
})

describe('a half day', () => {
  const half = { isHalfDay: true }
  test('has its last minute at 12:59, and a later time is the expiry', () => {
    const at = (minute: string) => ended([{ at: minute }], () => 3, 'sell', half)
    expect(at('12:59')).toEqual(['time', '12:59', -2.1])
    expect(at('13:00')).toEqual(['settlement', '13:00', 0])
    expect(at('15:45')).toEqual(['settlement', '13:00', 0])
  })
})

describe('a trade of later expiry', () => {
  /** Three sessions, of which the contracts that expire on Wednesday are quoted on all. */
  const days = (monday: Course, tuesday: Course, wednesday: Course): SessionSetup[] => [
    {
      date: MON,
      settlement: 1,
      expiries: [null, null, { expiry: WED, quote: findQuote(monday) }],
    },
    { date: TUE, settlement: 2, expiries: [null, { expiry: WED, quote: findQuote(tuesday) }] },
    { date: WED, settlement: 5965, expiries: [{ expiry: WED, quote: findQuote(wednesday) }] },
  ]
  const flat: Course = () => 3
  const run = (exit: RuleExit[], setups: SessionSetup[]) => {
    const trade = findTrade({ dte: 2, exit }, setups)
    const at = trade.exitAt === null ? null : formatMinute(trade.exitAt)
    return [trade.exitReason, trade.exitSession, at, trade.isLate]
  }

  test('goes on in the next sessions, by their prices of the same contracts', () => {
    const stop: RuleExit[] = [{ stop_x_credit: 2 }]
    expect(run(stop, days(flat, then(0, 9), flat))).toEqual(['stop', 1, '09:31', false])
    expect(run(stop, days(flat, then(200, 9), flat))).toEqual(['stop', 1, '12:51', false])
    expect(run(stop, days(flat, flat, then(0, 9)))).toEqual(['stop', 2, '09:31', false])
    expect(run(stop, days(flat, flat, then(389, 9)))).toEqual(['settlement', 2, '16:00', false])
    // at 16:00 of a day before the expiry nothing settles
    expect(run(stop, days(then(389, 9), flat, flat))).toEqual(['stop', 0, '16:00', false])
  })

  test('settles on the session of its expiry', () => {
    const trade = findTrade({ dte: 2 }, days(flat, flat, flat))
    expect(trade).toMatchObject({ exitReason: 'settlement', exitSession: 2, settlement: 5965 })
    expect(trade.closeNet).toBe(-5)
  })

  test.each([
    [{ at: '10:30' }, ['time', 0, '10:30', false]],
    [{ at: '10:30', day: 1 }, ['time', 1, '10:30', false]],
    [{ at: '09:31', day: 2 }, ['time', 2, '09:31', false]],
  ] as const)('is out at %o', (exit, expected) => {
    expect(run([exit], days(flat, flat, flat))).toEqual(expected)
  })

  test('that has no price until the next session is late', () => {
    const none: Course = () => null
    const hole: Course = state => (state > AT ? null : 3)
    expect(run([{ at: '10:30' }], days(hole, flat, flat))).toEqual(['time', 1, '09:31', true])
    expect(run([{ at: '10:30' }], days(hole, none, flat))).toEqual(['time', 2, '09:31', true])
    const [monday, , wednesday] = days(hole, flat, flat)
    const gone = [monday!, { date: TUE, expiries: [] }, wednesday!]
    expect(run([{ at: '10:30' }], gone)).toEqual(['time', 2, '09:31', true])
    expect(run([{ at: '10:30', day: 1 }], gone)).toEqual(['time', 2, '09:31', true])
    expect(run([{ at: '10:30', day: 2 }], gone)).toEqual(['time', 2, '10:30', false])
    const spent = [monday!, { date: TUE, expiries: [] }, { ...wednesday!, expiries: [] }]
    expect(run([{ at: '10:30' }], spent)).toEqual(['settlement', 2, '16:00', true])
    expect(run([{ at: '10:30', day: 2 }], spent)).toEqual(['settlement', 2, '16:00', true])
    expect(run([{ profit_pct: 50 }], spent)).toEqual(['settlement', 2, '16:00', false])
  })

  test('is not judged by contracts of another expiry, where a day is missing', () => {
    const [monday, , wednesday] = days(flat, flat, then(0, 9))
    const other = { expiry: '2026-10-15', quote: findQuote(then(0, 9)) }
    const next = { ...wednesday!, expiries: [wednesday!.expiries![0]!, other] }
    const stop: RuleExit[] = [{ stop_x_credit: 2 }]
    expect(run(stop, [monday!, next])).toEqual(['settlement', 1, '16:00', false])
    const [, , , ...rest] = days(flat, flat, flat)
    expect(run(stop, [monday!, ...rest])).toEqual(['unresolved', null, null, false])
    const thursday = { date: '2026-10-15', expiries: [null, other] }
    expect(run(stop, [monday!, thursday])).toEqual(['unresolved', null, null, false])
  })

  test('on a half day before the expiry has a later time at its expiry', () => {
    const [monday, tuesday, wednesday] = days(flat, flat, flat)
    const short = [monday!, { ...tuesday!, isHalfDay: true }, wednesday!]
    expect(run([{ at: '15:00', day: 1 }], short)).toEqual(['settlement', 2, '16:00', false])
    expect(run([{ at: '12:59', day: 1 }], short)).toEqual(['time', 1, '12:59', false])
  })
})
