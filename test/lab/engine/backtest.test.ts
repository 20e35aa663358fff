import { describe, expect, test } from 'vitest'
import type { Assumptions, MissedReason, Trade } from '../../../src/lab/engine/trade.ts'
import type { RuleCore, RuleSpec } from '../../../src/lab/language/spec.ts'
import { findLedger, findMarket, type Option, rule, type SessionSetup } from './market.ts'

const DAY = '2026-10-14'

const oneTrade = (
  core: Partial<RuleCore> = {},
  setup: Partial<SessionSetup> = {},
  assume: Partial<Assumptions> = {},
): Trade => {
  const { trades, missed } = findLedger(findMarket({ date: DAY, ...setup }), rule(core), assume)
  expect(missed).toEqual([])
  expect(trades).toHaveLength(1)
  return trades[0]!
}

describe('a chance that is no trade has its reason', () => {
  const quoted = (quote: (option: Option) => { bid: number; ask: number } | null) => ({
    expiries: [{ expiry: DAY, quote }],
  })
  const findMissed = (
    core: Partial<RuleCore>,
    setup: Partial<SessionSetup> = {},
    assume: Partial<Assumptions> = {},
  ): MissedReason[] => {
    const { trades, missed } = findLedger(findMarket({ date: DAY, ...setup }), rule(core), assume)
    expect(trades).toEqual([])
    return missed.map(one => one.reason)
  }
  const even = quoted(() => ({ bid: 1, ask: 1.1 }))

  test.each([
    ['no_expiry', { dte: 1 }, {}, {}],
    ['no_reference', {}, { columns: { spot: () => Number.NaN } }, {}],
    ['wing_not_listed', { width: 200 }, {}, {}],
    ['after_hours', { entry: { at: '15:45' } }, {}, { delayMin: 15 }],
    ['no_price', {}, quoted(({ strike }) => (strike === 5970 ? null : { bid: 1, ask: 2 })), {}],
    ['no_credit', {}, even, {}],
    ['half_day', { entry: { at: '13:00' } }, { isHalfDay: true }, {}],
  ] as const)('%s', (reason, core, setup, assume) => {
    expect(findMissed(core as Partial<RuleCore>, setup, assume)).toEqual([reason])
  })

  test('the last minute of a day can be decided at, and filled at', () => {
    expect(oneTrade({ entry: { at: '15:45' } }, {}, { delayMin: 14 }).filledAt).toBe(959)
    const half = { isHalfDay: true }
    expect(oneTrade({ entry: { at: '12:59' } }, half).filledAt).toBe(779)
    expect(findMissed({ entry: { at: '12:50' } }, half, { delayMin: 10 })).toEqual(['after_hours'])
  })

  test('a spread that is sold for all its width risks nothing: its price is wrong', () => {
    const wrong = (mid: number) =>
      quoted(({ strike }) => (strike === 5970 ? { bid: mid, ask: mid } : { bid: 1, ask: 1 }))
    expect(findMissed({}, wrong(11))).toEqual(['no_price'])
    expect(oneTrade({}, wrong(10.95)).riskUsd).toBeCloseTo(5, 9)
  })

  test('a credit of one step is one, and what is bought for nothing costs one', () => {
    const worth = (value: number) =>
      quoted(({ strike }) => {
        const mid = strike === 5970 ? value : 1
        return { bid: mid, ask: mid }
      })
    expect(oneTrade({}, worth(1.05)).net).toBeCloseTo(0.05, 12)
    expect(findMissed({}, worth(1))).toEqual(['no_credit'])
    expect(oneTrade({ action: 'buy' }, worth(1)).net).toBe(-0.05)
    expect(oneTrade({ action: 'buy' }, worth(0.5)).net).toBe(-0.05)
  })

  test('it states whether the rule requested it', () => {
    const market = findMarket(
      { date: '2026-10-13', ...even },
      { date: DAY, columns: { netGamma: () => -1 }, ...even },
      { date: '2026-10-15', isHalfDay: true, ...even },
    )
    const positive = { f: 'net_gamma', op: '>', v: 0, u: 'musd_pt' } as const
    const at = (minute: string, spec: Partial<RuleSpec>) =>
      findLedger(market, rule({ entry: { at: minute } }, spec)).missed.map(one => [
        one.session,
        one.isInRule,
        one.reason,
      ])
    expect(at('10:00', { when: [positive] })).toEqual([
      [0, true, 'no_credit'],
      [1, false, 'no_credit'],
      [2, true, 'no_credit'],
    ])
    // after the close of a half day nothing is known to hold
    expect(at('14:00', { when: [positive] })[2]).toEqual([2, false, 'half_day'])
    expect(at('14:00', {})[2]).toEqual([2, true, 'half_day'])
  })
})

describe('the money of a trade', () => {
  /** 5970 puts at 3.00 to 3.30, 5960 at 1.00 to 1.20: half spreads of .15 and .10. */
  const setup = {
    expiries: [
      {
        expiry: DAY,
        quote: ({ strike }: Option) =>
          strike === 5970 ? { bid: 3, ask: 3.3 } : { bid: 1, ask: 1.2 },
      },
    ],
  }

  test.each([
    // mid 2.05; half spreads of .25
    ['sell', 0, 2.05],
    ['sell', 0.5, 1.9],
    ['sell', 1, 1.8],
    ['sell', 2, 1.55],
    ['buy', 0, -2.05],
    ['buy', 0.5, -2.2],
    ['buy', 1, -2.3],
    ['buy', 2, -2.55],
  ] as const)(
    '%s with %d of the half spread nets %d, rounded against us',
    (action, spreadFactor, net) => {
      expect(oneTrade({ action }, setup, { spreadFactor }).net).toBeCloseTo(net, 12)
    },
  )

  test('is of all its units, with fees on what is traded and none on what settles', () => {
    const held = oneTrade({ qty: 3 }, { ...setup, settlement: 5966 })
    // (1.80 - 4.00) * 300 less 3 * 2 * 1.30
    expect(held.feesUsd).toBeCloseTo(7.8, 9)
    expect(held.pnlUsd).toBeCloseTo(-667.8, 9)
    expect(held.riskUsd).toBeCloseTo(2460, 9)
    expect(held.r).toBeCloseTo(-667.8 / 2460, 12)
    const closed = oneTrade({ qty: 3, exit: [{ at: '11:00' }] }, setup)
    // (1.80 - 2.30) * 300 less twice as many fees
    expect(closed.feesUsd).toBeCloseTo(15.6, 9)
    expect(closed.pnlUsd).toBeCloseTo(-165.6, 9)
    expect(closed.legs.map(leg => leg.exit?.mid)).toEqual([
      expect.closeTo(1.1, 12),
      expect.closeTo(3.15, 12),
    ])
  })

  test('is measured in the maximum loss, the distance of the stop, or the credit', () => {
    const risk = (core: Partial<RuleCore>) => oneTrade(core, setup).riskUsd
    expect(risk({})).toBeCloseTo(820, 9)
    expect(risk({ action: 'buy' })).toBeCloseTo(230, 9)
    expect(risk({ exit: [{ stop_x_credit: 3 }] })).toBeCloseTo(820, 9)
    // both at 5970: 6.00 sold, 6.60 bought
    const straddle = { structure: 'straddle', strike: { ref: 'spot', offset: -30 } } as const
    expect(risk({ ...straddle })).toBeCloseTo(600, 9)
    expect(risk({ ...straddle, action: 'buy' })).toBeCloseTo(660, 9)
    expect(risk({ ...straddle, exit: [{ profit_pct: 50 }, { stop_x_credit: 3 }] })).toBeCloseTo(
      1200,
      9,
    )
    expect(risk({ ...straddle, exit: [{ stop_x_credit: 1.5 }] })).toBeCloseTo(300, 9)
  })

  test('is of the prices of the fill, by the strikes of the decision', () => {
    const [decided, filled] = [29, 34]
    const moving: Partial<SessionSetup> = {
      columns: { spot: state => (state === decided ? 6000 : 5900) },
      expiries: [
        {
          expiry: DAY,
          quote: ({ state, strike }) => {
            const mid = strike === 5970 ? (state === filled ? 5 : 3) : 1
            return { bid: mid, ask: mid }
          },
        },
      ],
    }
    expect(oneTrade({}, moving, { delayMin: 5 })).toMatchObject({
      decidedAt: 600,
      filledAt: 605,
      net: 4,
      legs: [{ strike: 5960 }, { strike: 5970 }],
    })
  })
})

test('a ledger is by rule leg, session and minute', () => {
  const market = findMarket({ date: '2026-10-13' }, { date: DAY })
  const straddle = rule({
    structure: 'straddle',
    action: 'buy',
    strike: { ref: 'spot', offset: 0 },
  })
  const spec = rule(
    { entry: { window: ['10:00', '11:00'], every_min: 60 } },
    { more: [{ core: straddle.core, when: [] }] },
  )
  const { trades } = findLedger(market, spec)
  expect(trades.map(one => [one.ruleLeg, one.session, one.decidedAt, one.legs.length])).toEqual([
    [0, 0, 600, 2],
    [0, 0, 660, 2],
    [0, 1, 600, 2],
    [0, 1, 660, 2],
    [1, 0, 600, 2],
    [1, 1, 600, 2],
  ])
})
