import { describe, expect, test } from 'vitest'
import { chooseLegs } from '../../../src/lab/engine/strikes.ts'
import type { RuleCore } from '../../../src/lab/language/spec.ts'
import { rule, type SessionSetup, session } from './market.ts'

const AT = 29

/** The legs of a core at 10:00, such as "-5970P"; the requested value follows where it differs. */
function legs(core: Partial<RuleCore>, setup: Partial<SessionSetup> = {}): string {
  const one = session({ date: '2026-10-14', ...setup })
  const chosen = chooseLegs(rule(core).core, { session: one, expiry: one.expiries[0]!, state: AT })
  if (typeof chosen === 'string') return chosen
  return chosen
    .map(({ type, sign, strike, targetStrike }) => {
      const rounded = Number(targetStrike.toFixed(3))
      const requested = rounded === strike ? '' : `(${rounded})`
      return `${sign > 0 ? '+' : '-'}${strike}${type}${requested}`
    })
    .join(' ')
}
const findSpot = (spot: number) => ({ columns: { spot: () => spot } })
const from = (offset: number) => ({ strike: { ref: 'spot', offset } }) as const

describe('legs', () => {
  test.each([
    ['put_spread', -30, '+5960P -5970P', '-5960P +5970P'],
    ['call_spread', 30, '-6030C +6040C', '+6030C -6040C'],
    ['iron_condor', 30, '+5960P -5970P -6030C +6040C', '-5960P +5970P +6030C -6040C'],
    ['iron_butterfly', 0, '+5990P -6000C -6000P +6010C', '-5990P +6000C +6000P -6010C'],
    ['strangle', 30, '-5970P -6030C', '+5970P +6030C'],
    ['straddle', 10, '-6010C -6010P', '+6010C +6010P'],
  ] as const)('of a %s at %d points, sold and bought', (structure, offset, sold, bought) => {
    expect(legs({ structure, action: 'sell', ...from(offset) })).toBe(sold)
    expect(legs({ structure, action: 'buy', ...from(offset) })).toBe(bought)
  })

  test('have wings exactly their width away, or there is no trade', () => {
    const listed = (...strikes: number[]) => ({ expiries: [{ expiry: '2026-10-14', strikes }] })
    expect(legs({ width: 15 }, listed(5955, 5960, 5970))).toBe('+5955P -5970P')
    expect(legs({ width: 15 }, listed(5950, 5960, 5970))).toBe('wing_not_listed')
    const condor = { structure: 'iron_condor', ...from(30) } as const
    expect(legs(condor, listed(5960, 5970, 6030))).toBe('wing_not_listed')
    expect(legs(condor, listed(5960, 5970, 6030, 6040))).toBe('+5960P -5970P -6030C +6040C')
  })
})

describe('the requested strike', () => {
  const levels = { columns: { putWall: () => 5950, callWall: () => 6050, flip: () => 5991 } }
  test.each([
    ['put_wall', -10, '+5930P -5940P'],
    ['flip', 0, '+5980P -5990P(5991)'],
    ['call_wall', 0, '+6040P -6050P'],
  ] as const)('is %s %d', (ref, offset, expected) => {
    expect(legs({ strike: { ref, offset } }, levels)).toBe(expected)
    const unknown = { columns: { putWall: () => NaN, callWall: () => NaN, flip: () => NaN } }
    expect(legs({ strike: { ref, offset } }, unknown)).toBe('no_reference')
  })

  test('is as far from spot on both sides, whichever side the level is on', () => {
    const condor = { structure: 'iron_condor', strike: { ref: 'put_wall', offset: 0 } } as const
    expect(legs(condor, levels)).toBe('+5940P -5950P -6050C +6060C')
    const strangle = { structure: 'strangle', strike: { ref: 'spot', offset: -25 } } as const
    expect(legs(strangle)).toBe('-5975P -6025C')
  })

  test('is a multiple of what is left of the move of its own expiry', () => {
    // the straddle at the forward is 30.00001
    const deviation = 0.00626657875
    const expiries = [{ expiry: '2026-10-14', smile: () => [[6000, deviation ** 2] as const] }]
    const em = (structure: RuleCore['structure'], mult: number) =>
      legs({ structure, strike: { ref: 'em', mult } }, { expiries })
    expect(em('put_spread', -1)).toBe('+5960P -5970P')
    expect(em('put_spread', 1)).toBe('+6020P -6030P')
    expect(em('call_spread', 1)).toBe('-6030C +6040C')
    expect(em('call_spread', -1)).toBe('-5970C +5980C')
    expect(em('strangle', 1.5)).toBe('-5955P -6045C')
    expect(legs({ strike: { ref: 'em', mult: -1 } })).toBe('no_reference')
  })

  test('is not known without a spot', () => {
    expect(legs({}, findSpot(Number.NaN))).toBe('no_reference')
    expect(legs({ structure: 'strangle', ...from(30) }, findSpot(Number.NaN))).toBe('no_reference')
  })
})

describe('the nearest listed strike', () => {
  test.each([
    [6002.49, '+5960P -5970P(5972.49)', '-6030C(6032.49) +6040C'],
    [6002.5, '+5960P -5970P(5972.5)', '-6035C(6032.5) +6045C'],
    [6002.51, '+5965P -5975P(5972.51)', '-6035C(6032.51) +6045C'],
  ])('with spot at %d: a tie goes further out', (spot, put, call) => {
    expect(legs({}, findSpot(spot))).toBe(put)
    expect(legs({ structure: 'call_spread', ...from(30) }, findSpot(spot))).toBe(call)
  })

  test('of one centre a tie goes down', () => {
    expect(legs({ structure: 'straddle', ...from(0) }, findSpot(6002.5))).toBe(
      '-6000C(6002.5) -6000P(6002.5)',
    )
  })

  test('is listed by the minute of the decision', () => {
    const listedAt = (state: number) => ({
      expiries: [
        {
          expiry: '2026-10-14',
          strikes: [5960, 5970, 5980, 5990],
          listedFrom: (strike: number) => (strike === 5970 ? state : 0),
        },
      ],
    })
    expect(legs({}, listedAt(AT))).toBe('+5960P -5970P')
    // 5960 and 5980 are as near; the lower has no wing
    expect(legs({}, listedAt(AT + 1))).toBe('wing_not_listed')
    expect(legs({ width: 20, ...from(-20) }, listedAt(AT + 1))).toBe('+5960P -5980P')
    const wing = { ...from(-20) }
    expect(legs(wing, listedAt(AT))).toBe('+5970P -5980P')
    expect(legs(wing, listedAt(AT + 1))).toBe('wing_not_listed')
  })

  test('may be the last one, however far, and without any there is no reference', () => {
    const strikes = (...listed: number[]) => ({
      expiries: [{ expiry: '2026-10-14', strikes: listed }],
    })
    expect(legs({}, strikes(5700, 5710))).toBe('+5700P -5710P(5970)')
    expect(legs({}, strikes(6200, 6210))).toBe('wing_not_listed')
    expect(legs({}, strikes())).toBe('no_reference')
  })
})

describe('a strike by delta', () => {
  // s = .01: a strike 60 points away has d1 of 1.0 or so
  const expiries = [{ expiry: '2026-10-14', smile: () => [[6000, 0.0001] as const] }]
  const delta = (structure: RuleCore['structure'], value: number) =>
    legs({ structure, strike: { ref: 'delta', value } }, { expiries })

  test('is the listed one whose forward delta is nearest', () => {
    // cdf(-ln(6000 / K) / .01 - .005): .1601 at 5940, .1402 at 5935; above .1612 at 6060
    expect(delta('put_spread', 0.16)).toBe('+5930P -5940P')
    expect(delta('call_spread', 0.16)).toBe('-6060C +6070C')
    expect(delta('strangle', 0.16)).toBe('-5940P -6060C')
    expect(delta('iron_condor', 0.5)).toBe('+5990P -6000C -6000P +6010C')
  })

  test('is not known without a smile', () => {
    expect(legs({ strike: { ref: 'delta', value: 0.16 } })).toBe('no_reference')
  })

  test('goes further out where two are as near', () => {
    // no time left: every call above spot has a delta of 0, every put below as well
    const spent = [{ expiry: '2026-10-14', smile: () => [[6000, 1e-14] as const] }]
    const requested = { strike: { ref: 'delta', value: 0.1 }, width: 5 } as const
    const strikes = [5980, 5985, 5990, 5995, 6005, 6010, 6015, 6020]
    const setup = { expiries: [{ ...spent[0]!, strikes }] }
    expect(legs({ structure: 'strangle', strike: requested.strike }, setup)).toBe('-5980P -6020C')
  })
})
