import { describe, expect, test } from 'vitest'
import type { RuleCondition } from '../../../src/lab/language/spec.ts'
import { findLedger, findMarket, findState, rule, type SessionSetup, SPOT } from './market.ts'

const AT = findState('10:00')

/** Result of one condition at 10:00 of one session. */
function text(condition: RuleCondition, setup: Partial<SessionSetup> = {}) {
  const market = findMarket({ date: '2026-10-14', ...setup })
  const { trades } = findLedger(market, rule({ action: 'buy' }, { when: [condition] }))
  const [trade] = trades
  expect(trades).toHaveLength(1)
  expect(trade!.isInRule).toBe(trade!.conditions[0]!.holds === true)
  return trade!.conditions[0]!
}

describe('a condition compares what is known at the minute of the decision', () => {
  const flip = (v: number, op: '<' | '<=' | '>' | '>=') =>
    text(
      { f: 'spot_minus_flip', op, v, u: 'pt' },
      { columns: { flip: state => (state === AT ? SPOT - 10 : SPOT + 50) } },
    )

  test.each([
    ['>', 9.99, true],
    ['>', 10, false],
    ['>', 10.01, false],
    ['>=', 9.99, true],
    ['>=', 10, true],
    ['>=', 10.01, false],
    ['<', 10.01, true],
    ['<', 10, false],
    ['<', 9.99, false],
    ['<=', 10.01, true],
    ['<=', 10, true],
    ['<=', 9.99, false],
  ] as const)('10 points are %s %d: %s', (op, v, holds) => {
    expect(flip(v, op)).toEqual({ value: 10, holds })
  })

  test.each([
    ['abs<', 10, false],
    ['abs<', 10.01, true],
    ['abs<=', 10, true],
    ['abs<=', 9.99, false],
    ['abs>', 10, false],
    ['abs>', 9.99, true],
    ['abs>=', 10, true],
    ['abs>=', 10.01, false],
  ] as const)('-10 points are %s %d: %s', (op, v, holds) => {
    const condition = { f: 'spot_minus_flip', op, v, u: 'pt' } as const
    const columns = { flip: () => SPOT + 10 }
    expect(text(condition, { columns })).toEqual({ value: -10, holds })
  })

  test('each field has its own formula and unit', () => {
    const columns = {
      spot: () => 6012,
      open: () => 6000,
      previousClose: () => 5970,
      sessionExpectedMove: () => 48,
      putWall: () => 5950,
      callWall: () => 6050,
      netGamma: () => -250,
      flip: () => 6020,
    }
    const value = (condition: RuleCondition) => text(condition, { columns }).value
    expect(value({ f: 'spot_minus_flip', op: '<', v: 0, u: 'pt' })).toBe(-8)
    expect(value({ f: 'spot_minus_put_wall', op: '<', v: 0, u: 'pt' })).toBe(62)
    expect(value({ f: 'call_wall_minus_spot', op: '<', v: 0, u: 'pt' })).toBe(38)
    expect(value({ f: 'net_gamma', op: '<', v: 0, u: 'musd_pt' })).toBe(-250)
    // 30 of 5970 points, and 12 of 6000
    expect(value({ f: 'abs_gap', op: '<', v: 0, u: 'pct' })).toBeCloseTo(0.502512562814, 12)
    expect(value({ f: 'move_from_open', op: '<', v: 0, u: 'pct' })).toBeCloseTo(0.2, 12)
    expect(value({ f: 'abs_move_from_open', op: '<', v: 0, u: 'em' })).toBe(0.25)
  })

  test('a gap and a move have no sign where their names say so', () => {
    const columns = { spot: () => 5988, open: () => 6000, previousClose: () => 6030 }
    const value = (condition: RuleCondition) => text(condition, { columns }).value!
    expect(value({ f: 'abs_gap', op: '>', v: 0, u: 'pct' })).toBeCloseTo(0.497512437811, 12)
    expect(value({ f: 'move_from_open', op: '>', v: 0, u: 'pct' })).toBeCloseTo(-0.2, 12)
    expect(value({ f: 'abs_move_from_open', op: '>', v: 0, u: 'em' })).toBeCloseTo(0.3, 12)
  })

  test('implied volatility is compared with that of 09:31, in points a year', () => {
    // .0001 of variance over a year at the open, four times as much over half of it at 10:00
    const years = (state: number) => (state === AT ? 0.5 : 1)
    const smile = (state: number) => [[6000, state === AT ? 0.0004 : 0.0001] as const]
    const expiries = [{ expiry: '2026-10-14', years, smile }]
    const condition = { f: 'atm_iv_change', op: '>', v: 0, u: 'vol_pt' } as const
    // 2.828 % less 1 %
    expect(text(condition, { expiries }).value).toBeCloseTo(1.8284271247462, 10)
    const unknownOpen = (state: number) => (state === 0 ? [] : smile(state))
    const without = [{ expiry: '2026-10-14', years, smile: unknownOpen }]
    expect(text(condition, { expiries: without })).toEqual({ value: null, holds: null })
  })

  test.each([
    ['spot_minus_flip', 'pt', 'flip'],
    ['spot_minus_put_wall', 'pt', 'putWall'],
    ['call_wall_minus_spot', 'pt', 'callWall'],
    ['net_gamma', 'musd_pt', 'netGamma'],
    ['abs_gap', 'pct', 'previousClose'],
    ['abs_move_from_open', 'em', 'sessionExpectedMove'],
    ['move_from_open', 'pct', 'open'],
  ] as const)('%s in %s is not known, and does not hold, without %s', (f, u, column) => {
    const condition = { f, op: '<', v: 5, u } as RuleCondition
    const columns = { [column]: () => Number.NaN }
    expect(text(condition, { columns })).toEqual({ value: null, holds: null })
  })

  test('a move of an expected move of zero is not known', () => {
    const condition = { f: 'abs_move_from_open', op: '>=', v: 0, u: 'em' } as const
    const columns = { sessionExpectedMove: () => 0 }
    expect(text(condition, { columns })).toEqual({ value: null, holds: null })
  })
})

describe('an order counts from the minute it was known until better was known', () => {
  const holds = (
    condition: Omit<Extract<RuleCondition, { f: 'order' }>, 'f' | 'premium_musd_min'>,
    ...orders: NonNullable<SessionSetup['orders']>
  ) => text({ f: 'order', premium_musd_min: 25, ...condition }, { orders }).holds

  test.each([
    [{ from: AT, premiumUsd: 25e6 }, true],
    [{ from: AT + 1, premiumUsd: 25e6 }, false],
    [{ from: AT, premiumUsd: 24_999_999 }, false],
    [{ from: 0, premiumUsd: 25e6, until: AT }, false],
    [{ from: 0, premiumUsd: 25e6, until: AT + 1 }, true],
  ])('%o: %s', (order, expected) => expect(holds({}, order)).toBe(expected))

  test.each([
    ['adds', 0.001, true],
    ['adds', 0, false],
    ['adds', -0.001, false],
    ['adds', Number.NaN, null],
    ['removes', -0.001, true],
    ['removes', 0, false],
    ['removes', 0.001, false],
    ['removes', Number.NaN, null],
  ] as const)('an order that %s gamma, with %d: %s', (gamma, value, expected) => {
    const order = { from: 0, premiumUsd: 30e6, gamma: value }
    expect(holds({ gamma }, order)).toBe(expected)
    // one that is known to fit is enough
    expect(holds({ gamma }, order, { ...order, gamma: gamma === 'adds' ? 1 : -1 })).toBe(true)
    const none = expected === null ? null : !expected
    expect(holds({ gamma, not: true }, order)).toBe(none)
  })

  test('an order without gamma is nothing unknown where its premium is too small', () => {
    expect(holds({ gamma: 'adds' }, { from: 0, premiumUsd: 24e6 })).toBe(false)
  })

  test.each([
    [AT - 4, true],
    [AT - 5, false],
    [AT, true],
  ])('printed at state %d is within the last 5 minutes of 29: %s', (printed, expected) => {
    expect(holds({ since_min: 5 }, { from: printed, printed, premiumUsd: 30e6 })).toBe(expected)
  })
})

describe('a cross is a change of side since the last state that had one', () => {
  const crossed = (nth: number, dir: 'above' | 'below', sides: readonly number[]) => {
    // the sides are those of the last minutes up to 10:00
    const flip = (state: number) => {
      const side = sides[state - (AT - sides.length + 1)] ?? sides[0]!
      return SPOT - side
    }
    return text({ f: 'cross_flip', dir, nth }, { columns: { flip } }).holds
  }
  test.each([
    [1, 'above', [-1, 1], true],
    [1, 'above', [-1, 1, 1, 1], true],
    [1, 'above', [1, 1], false],
    [1, 'above', [-1, 0, 1], true],
    [1, 'above', [-1, Number.NaN, 0, 1], true],
    [1, 'above', [1, 0, 1], false],
    [1, 'above', [Number.NaN, 1], false],
    [1, 'above', [-1, 0], false],
    [1, 'below', [1, -1], true],
    [1, 'below', [-1, 1], false],
    [2, 'above', [-1, 1, -1], false],
    [2, 'above', [-1, 1, -1, 1], true],
    [2, 'above', [-1, 1, -1, 1, -1], true],
    [2, 'below', [1, -1, 1, -1], true],
  ] as const)('number %d %s of %o: %s', (nth, dir, sides, expected) => {
    expect(crossed(nth, dir, sides)).toBe(expected)
  })
})

test('all conditions have to hold', () => {
  const market = findMarket({ date: '2026-10-14' })
  const when: RuleCondition[] = [
    { f: 'net_gamma', op: '>', v: 0, u: 'musd_pt' },
    { f: 'spot_minus_flip', op: '>', v: 10, u: 'pt' },
  ]
  const { trades } = findLedger(market, rule({}, { when }))
  expect(trades[0]).toMatchObject({
    isInRule: false,
    isFixed: true,
    conditions: [
      { value: 100, holds: true },
      { value: 10, holds: false },
    ],
  })
})
