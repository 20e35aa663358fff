import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Trade, TradeLedger } from '../../../src/lab/engine/trade.ts'
import type { RuleSpec } from '../../../src/lab/language/spec.ts'
import type { LabMarket } from '../../../src/lab/market/session.ts'
import { runs } from '../../support/runs.ts'
import { findLedger } from './market.ts'
import { randomMarket, randomRule } from './randomMarket.ts'

const SEEDS = [1, 2, 3]
const MARKETS = SEEDS.map(seed => randomMarket(() => seed))
const market = fc.constantFrom(...MARKETS)
const RUNS = { numRuns: runs(60) }

/** Runs a property and counts the trades it has seen: one without any shows nothing. */
function checked(check: (spec: RuleSpec, market: LabMarket) => number, numRuns = runs(60)): void {
  let seen = 0
  fc.assert(
    fc.property(randomRule, market, (spec, on) => {
      seen += check(spec, on)
    }),
    { ...RUNS, numRuns, seed: 20261126 },
  )
  expect(seen).toBeGreaterThan(runs(200))
}

const findKey = (one: Pick<Trade, 'ruleLeg' | 'session' | 'decidedAt'>) =>
  `${one.ruleLeg} ${one.session} ${one.decidedAt}`

describe('what comes later changes nothing', () => {
  test('of a decision and its fill, and of an exit that was there already', () => {
    const [cutSession, cutState] = [2, 170]
    const later = randomMarket((session, state) =>
      session > cutSession || (session === cutSession && state > cutState) ? 99 : 1,
    )
    const cut = 571 + cutState
    const isKnown = (session: number | null, minute: number | null) =>
      session !== null &&
      minute !== null &&
      (session < cutSession || (session === cutSession && minute <= cut))
    // sessions behind the design part that have just been cut
    const known = ({ trades, missed }: TradeLedger) => ({
      missed: missed.filter(one => isKnown(one.session, one.decidedAt)),
      trades: trades
        .filter(one => isKnown(one.session, one.filledAt))
        .map(one => {
          const { legs, exitReason, exitSession, exitAt, isLate, closeNet, ...rest } = one
          const { settlement, feesUsd, pnlUsd, r, worstUsd, ...entered } = rest
          const end = { exitReason, exitAt, isLate, closeNet, feesUsd, pnlUsd, r, settlement }
          return {
            ...entered,
            legs: legs.map(({ exit, ...leg }) => leg),
            end: isKnown(exitSession, exitAt) && exitReason !== 'settlement' ? end : null,
            worst: isKnown(exitSession, exitAt) ? worstUsd : null,
          }
        }),
    })
    checked(spec => {
      const before = known(findLedger(MARKETS[0]!, spec, { delayMin: 2 }, 2))
      const after = known(findLedger(later, spec, { delayMin: 2 }, 2))
      // a chance at the edge may be filled after it
      const undecided = (ledger: TradeLedger['missed']) =>
        ledger.filter(one => one.session < cutSession || one.decidedAt + 2 <= cut)
      expect(after.trades).toEqual(before.trades)
      expect(undecided(after.missed)).toEqual(undecided(before.missed))
      return before.trades.length
    })
  })
})

test('the order of sessions changes no trade that ends on its day', () => {
  checked((spec, on) => {
    const core = { ...spec.core, dte: 0 }
    const reversed = { ...on, sessions: [...on.sessions].reverse() }
    const there = (session: number | null) => (session === null ? null : 3 - session)
    const back = findLedger(reversed, { ...spec, core }).trades.map(one => ({
      ...one,
      session: there(one.session)!,
      exitSession: there(one.exitSession),
    }))
    const { trades } = findLedger(on, { ...spec, core })
    const byKey = (rows: readonly Trade[]) => new Map(rows.map(one => [findKey(one), one]))
    expect(byKey(back)).toEqual(byKey(trades))
    return trades.length
  })
})

test('a condition that always holds changes nothing but that it is there', () => {
  const always = { f: 'abs_gap', op: '<', v: 20, u: 'pct' } as const
  checked((spec, on) => {
    // a gap that is not known does not hold: this market always has one
    const gapped = {
      ...on,
      sessions: on.sessions.map(one => ({
        ...one,
        market: {
          ...one.market,
          open: one.market.open.map(() => 6000),
          previousClose: one.market.open.map(() => 6000),
        },
      })),
    }
    const plain = findLedger(gapped, spec)
    const more = findLedger(gapped, { ...spec, when: [...spec.when, always] })
    if (spec.when.length === 0) return 0
    expect(more.missed).toEqual(plain.missed)
    expect(more.trades.map(one => ({ ...one, conditions: one.conditions.slice(0, -1) }))).toEqual(
      plain.trades,
    )
    return plain.trades.length
  }, 100)
})

test('a core is the same whatever its conditions, at times of the clock', () => {
  checked((spec, on) => {
    const { entry } = spec.core
    if (!('at' in entry) && !('every_min' in entry)) return 0
    const bare = ({ trades }: TradeLedger) =>
      trades.map(({ conditions, isInRule, ...one }) => ({ ...one }))
    const without = findLedger(on, { ...spec, when: [] })
    expect(bare(findLedger(on, spec))).toEqual(bare(without))
    expect(without.trades.every(one => one.isInRule)).toBe(true)
    return without.trades.length
  }, 150)
})

describe('costs', () => {
  const held = (spec: RuleSpec): RuleSpec => ({
    ...spec,
    core: { ...spec.core, exit: [{ at: '15:45' }] },
  })

  test('fees go off what is earned, and change no trade', () => {
    checked((spec, on) => {
      const [free, dear] = [0, 2.6].map(feeUsd => findLedger(on, spec, { feeUsd }))
      expect(dear!.missed).toEqual(free!.missed)
      for (const [index, one] of free!.trades.entries()) {
        const other = dear!.trades[index]!
        const sides = one.exitReason === 'settlement' || one.exitReason === 'unresolved' ? 1 : 2
        expect(other.feesUsd).toBeCloseTo(2.6 * one.legs.length * spec.core.qty * sides, 9)
        if (one.pnlUsd === null) expect(other.pnlUsd).toBeNull()
        else expect(other.pnlUsd).toBeCloseTo(one.pnlUsd - other.feesUsd, 9)
      }
      return free!.trades.length
    })
  })

  test('twice the half spreads cost twice, but for a step of rounding on each side', () => {
    checked((spec, on) => {
      const [once, twice] = [1, 2].map(spreadFactor => findLedger(on, held(spec), { spreadFactor }))
      const others = new Map(twice!.trades.map(one => [findKey(one), one]))
      let compared = 0
      for (const one of once!.trades) {
        const other = others.get(findKey(one))
        const isFloored = [one, other].some(each => each?.closeNet === 0 || each?.net === -0.05)
        if (!other || one.pnlUsd === null || isFloored) continue
        const halves = (side: 'entry' | 'exit') =>
          one.legs.reduce((sum, leg) => sum + (leg[side]?.halfSpread ?? 0), 0)
        const dearer = (halves('entry') + halves('exit')) * 100 * spec.core.qty
        const gap = one.pnlUsd - other.pnlUsd! - dearer
        expect(Math.abs(gap)).toBeLessThanOrEqual(10 * spec.core.qty + 1e-6)
        compared++
      }
      return compared
    }, 150)
  })

  test('at mid and without fees the seller and the buyer share nothing', () => {
    checked((spec, on) => {
      const sides = (['sell', 'buy'] as const).map(action =>
        findLedger(
          on,
          { ...held(spec), core: { ...held(spec).core, action } },
          { spreadFactor: 0, feeUsd: 0 },
        ),
      )
      const bought = new Map(sides[1]!.trades.map(one => [findKey(one), one]))
      let compared = 0
      for (const sold of sides[0]!.trades) {
        const other = bought.get(findKey(sold))
        const isFloored = sold.closeNet === 0 || other?.closeNet === 0
        if (!other || sold.pnlUsd === null || isFloored) continue
        // each side rounds its two prices against itself
        const lost = -(sold.pnlUsd + other.pnlUsd!) / (100 * spec.core.qty)
        expect(lost).toBeGreaterThan(-1e-9)
        expect(lost).toBeLessThan(0.1 + 1e-9)
        compared++
      }
      return compared
    }, 150)
  })
})

test('puts and calls of a mirrored market swap', () => {
  checked((spec, on) => {
    const { structure, strike } = spec.core
    if (structure !== 'put_spread' || strike.ref === 'delta' || strike.ref === 'em') return 0
    if (spec.when.some(({ f }) => f !== 'net_gamma' && f !== 'order')) return 0
    const quoted = { ...on, sessions: on.sessions.map(withoutSmiles) }
    const turned = { ...on, sessions: quoted.sessions.map(turnedOver) }
    const walls = {
      put_wall: 'call_wall',
      call_wall: 'put_wall',
      flip: 'flip',
      spot: 'spot',
    } as const
    const core = {
      ...spec.core,
      structure: 'call_spread' as const,
      strike: { ref: walls[strike.ref], offset: -strike.offset },
    }
    const there = findLedger(quoted, spec)
    const back = findLedger(turned, { ...spec, core })
    expect(back.missed).toEqual(there.missed)
    const money = ({ trades }: TradeLedger) =>
      trades.map(one => [findKey(one), one.net, one.exitReason, one.exitAt, one.closeNet])
    for (const [index, row] of money(back).entries()) {
      const [key, net, reason, at, closeNet] = money(there)[index]!
      expect(row).toEqual([
        key,
        net,
        reason,
        at,
        closeNet === null ? null : expect.closeTo(closeNet as number, 9),
      ])
    }
    return there.trades.length
  }, 1_500)
})

type Session = LabMarket['sessions'][number]
const CENTRE = 6000

function withoutSmiles(one: Session): Session {
  return {
    ...one,
    expiries: one.expiries.map(
      expiry => expiry && { ...expiry, smileFrom: expiry.smileFrom.map(() => 0) },
    ),
  }
}

/** Every price as far on the other side of the centre, and puts as calls. */
function turnedOver(one: Session): Session {
  const level = (column: Float64Array) => column.map(value => 2 * CENTRE - value)
  return {
    ...one,
    market: {
      ...one.market,
      spot: level(one.market.spot),
      flip: level(one.market.flip),
      putWall: level(one.market.callWall),
      callWall: level(one.market.putWall),
    },
    settlement: one.settlement === null ? null : 2 * CENTRE - one.settlement,
    expiries: one.expiries.map(expiry => {
      if (!expiry) return null
      const count = expiry.strikes.length
      const turned = <T extends Uint8Array | Uint32Array>(plane: T): T =>
        plane.map((_, at) => {
          const index = at % count
          return plane[at - index + (count - 1 - index)]!
        }) as T
      return {
        ...expiry,
        strikes: level(expiry.strikes).reverse(),
        listedFrom: expiry.listedFrom.slice().reverse(),
        callBid: turned(expiry.putBid),
        callAsk: turned(expiry.putAsk),
        putBid: turned(expiry.callBid),
        putAsk: turned(expiry.callAsk),
        callAge: turned(expiry.putAge),
        putAge: turned(expiry.callAge),
      }
    }),
  }
}
