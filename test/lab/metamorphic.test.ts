// Consequences of a known change of the market, the rule or the costs.

import { expect, test } from 'vitest'
import { backtest } from '../../src/lab/engine/backtest.ts'
import { ASSUMED, type Trade, type TradeLedger } from '../../src/lab/engine/trade.ts'
import type { RuleCondition, RuleCore, RuleSpec } from '../../src/lab/language/spec.ts'
import type { LabMarket } from '../../src/lab/market/session.ts'
import { shuffled } from '../support/random.ts'
import { runs } from '../support/runs.ts'
import {
  mirrored,
  scrambledAfter,
  withExpiries,
  withoutSmiles,
  withoutTies,
} from './changedMarkets.ts'
import { ledgerDifferences } from './ledgerDifferences.ts'
import { findDice, randomMarket } from './randomMarket.ts'
import { randomSpec } from './randomSpec.ts'

const COUNT = 14
const market = randomMarket({ seed: 77, sessionCount: COUNT })
const whole = randomMarket({ seed: 78, sessionCount: COUNT, hasHoles: false, dteMax: 2 })
const seeds = Array.from({ length: 40 }, (_, seed) => seed)
const ALL = { sessions: { from: 0, to: COUNT }, designCount: COUNT }
const FREE = { delayMin: 0, spreadFactor: 0, feeUsd: 0 }

/** Minutes between a decision and its fill. */
const DELAY_MIN = 2

/** Chances missed by a minute, entries filled by then and, of trades that ended by then, the end. */
function decided({ trades, missed }: TradeLedger, index: number, minute: number) {
  const isBy = (session: number | null, at: number | null) =>
    session !== null && at !== null && (session < index || (session === index && at <= minute))
  const entered = (trade: Trade) => ({
    ruleLeg: trade.ruleLeg,
    session: trade.session,
    decidedAt: trade.decidedAt,
    isFixed: trade.isFixed,
    isInRule: trade.isInRule,
    slot: trade.slot,
    conditions: trade.conditions,
    legs: trade.legs.map(({ exit: _, ...leg }) => leg),
    net: trade.net,
  })
  return {
    missed: missed.filter(({ session, decidedAt }) => isBy(session, decidedAt + DELAY_MIN)),
    trades: trades
      .filter(({ session, filledAt }) => isBy(session, filledAt))
      .map(trade => (isBy(trade.exitSession, trade.exitAt) ? trade : entered(trade))),
  }
}

test('with all that comes after a minute scrambled, no entry and no exit by then is another', () => {
  let [count, endCount] = [0, 0]
  let changed = market
  let [index, state] = [0, 0]
  for (const seed of seeds) {
    // one scramble serves some rules
    if (seed % 5 === 0) {
      const dice = findDice(seed + 900)
      ;[index, state] = [dice.whole(6, COUNT - 1), dice.whole(150, 205)]
      changed = scrambledAfter(market, { index, state, seed })
    }
    const assume = { ...ASSUMED, delayMin: DELAY_MIN }
    const run = { ...ALL, assume, designCount: index }
    const minute = market.sessions[index]!.firstMinute + state
    const spec = randomSpec(seed)
    const [before, after] = [market, changed].map(one =>
      decided(backtest(one, spec, run), index, minute),
    )
    expect(after).toEqual(before)
    const ofSession = before!.trades.filter(({ session }) => session === index)
    count += ofSession.length
    endCount += ofSession.filter(trade => 'exitAt' in trade).length
  }
  expect(count).toBeGreaterThan(10)
  expect(endCount).toBeGreaterThan(0)
})

test('with the sealed sessions scrambled, no trade that ended before them is another', () => {
  let count = 0
  const holdout = 10
  const changed = scrambledAfter(market, { index: holdout, state: -1, seed: 5 })
  for (const seed of seeds) {
    const run = { assume: ASSUMED, sessions: { from: 0, to: holdout }, designCount: holdout }
    const spec = randomSpec(seed, 0)
    const [before, after] = [market, changed].map(one => backtest(one, spec, run))
    expect(after).toEqual(before)
    count += before!.trades.length
  }
  expect(count).toBeGreaterThan(runs(300))
})

const ALWAYS: RuleCondition = { f: 'net_gamma', op: '>=', v: -100_000, u: 'musd_pt' }
const plain = (trades: readonly Trade[]) => trades.map(({ conditions: _, ...trade }) => trade)

test('a condition that always holds changes no trade', () => {
  let count = 0
  for (const seed of seeds) {
    const { more: _, ...spec } = randomSpec(seed, 2)
    const run = { ...ALL, assume: ASSUMED }
    const before = backtest(whole, spec, run)
    const after = backtest(whole, { ...spec, when: [...spec.when, ALWAYS] }, run)
    expect(plain(after.trades)).toEqual(plain(before.trades))
    count += before.trades.length
  }
  expect(count).toBeGreaterThan(runs(300))
})

test('a core is the same whatever its conditions, at times of the clock', () => {
  let count = 0
  const bare = ({ trades }: TradeLedger) =>
    trades.map(({ conditions: _, isInRule: __, ...trade }) => trade)
  for (const seed of seeds) {
    const { more: _, ...spec } = randomSpec(seed)
    const { entry } = spec.core
    if (!('at' in entry) && !('every_min' in entry)) continue
    const run = { ...ALL, assume: ASSUMED }
    const without = backtest(market, { ...spec, when: [] }, run)
    expect(bare(backtest(market, spec, run))).toEqual(bare(without))
    expect(without.trades.every(({ isInRule }) => isInRule)).toBe(true)
    count += without.trades.length
  }
  expect(count).toBeGreaterThan(100)
})

const held = (spec: RuleSpec): RuleSpec => {
  const { more: _, ...one } = spec
  return { ...one, core: { ...one.core, exit: [{ at: 'expiry' }] } }
}

test('twice the fee costs each trade the fee again, and twice the spread never pays', () => {
  let count = 0
  for (const seed of seeds) {
    const spec = held(randomSpec(seed))
    const at = (spreadFactor: number, feeUsd: number) =>
      backtest(market, spec, { ...ALL, assume: { delayMin: 0, spreadFactor, feeUsd } }).trades
    const [once, fees, spreads] = [at(1, 1.3), at(1, 2.6), at(2, 1.3)]
    const findKey = (trade: Trade) => `${trade.session} ${trade.decidedAt}`
    const dearer = new Map(spreads.map(trade => [findKey(trade), trade]))
    for (const [index, trade] of once.entries()) {
      if (trade.pnlUsd === null) continue
      const cost = trade.legs.length * spec.core.qty * 1.3
      expect(fees[index]!.pnlUsd).toBeCloseTo(trade.pnlUsd - cost, 6)
      const other = dearer.get(findKey(trade))
      if (other) expect(other.pnlUsd).toBeLessThanOrEqual(trade.pnlUsd + 1e-6)
      count += 1
    }
  }
  expect(count).toBeGreaterThan(runs(300))
})

test('sessions in another order give the same trades of each session', () => {
  const indexes = shuffled([...market.sessions.keys()], findDice(3).random)
  const other: LabMarket = { ...market, sessions: indexes.map(index => market.sessions[index]!) }
  for (const seed of seeds) {
    const spec = randomSpec(seed, 0)
    const run = { ...ALL, assume: ASSUMED }
    const back = <Row extends { readonly session: number }>(row: Row) => {
      const moved = { ...row, session: indexes[row.session]! }
      if (!('exitSession' in row)) return moved
      return { ...moved, exitSession: row.exitSession === null ? null : moved.session }
    }
    const ofPlace = (a: { ruleLeg: number; session: number }, b: typeof a) =>
      a.ruleLeg - b.ruleLeg || a.session - b.session
    const ledger = backtest(other, spec, run)
    const returned = {
      trades: ledger.trades.map(back).sort(ofPlace) as Trade[],
      missed: ledger.missed.map(back).sort(ofPlace),
    }
    expect(returned).toEqual(backtest(market, spec, run))
  }
})

const OTHER_SIDE = { put_spread: 'call_spread', call_spread: 'put_spread' } as const
const OTHER_REF = { put_wall: 'call_wall', call_wall: 'put_wall' } as const
const OTHER_OP = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' } as const

/** The same rule in a mirror; null where one of its parts has none. */
function mirroredSpec({ core, when, days }: RuleSpec): RuleSpec | null {
  const conditions = when.map(mirroredCondition)
  const { strike, structure } = core
  if (strike.ref === 'em' || strike.ref === 'delta') return null
  if (conditions.some(one => one === null)) return null
  const isTwoSided = structure === 'iron_condor' || structure === 'strangle'
  const ref = OTHER_REF[strike.ref as 'put_wall'] ?? strike.ref
  const offset = isTwoSided && strike.ref === 'spot' ? strike.offset : -strike.offset || 0
  const other: RuleCore = {
    ...core,
    structure: OTHER_SIDE[structure as 'put_spread'] ?? structure,
    strike: { ref, offset },
  }
  return {
    v: 1,
    core: other,
    when: conditions as RuleCondition[],
    ...(days ? { days } : {}),
  }
}

function mirroredCondition(one: RuleCondition): RuleCondition | null {
  if (one.f === 'order' || one.f === 'net_gamma') return one
  if (one.f === 'cross_flip') return { ...one, dir: one.dir === 'above' ? 'below' : 'above' }
  if (one.f === 'spot_minus_put_wall') return { ...one, f: 'call_wall_minus_spot' }
  if (one.f === 'call_wall_minus_spot') return { ...one, f: 'spot_minus_put_wall' }
  if (one.f !== 'spot_minus_flip') return null
  return one.op.startsWith('abs') ? one : { ...one, op: OTHER_OP[one.op as '<'], v: -one.v || 0 }
}

test('puts for calls, below for above: the mirrored rule makes the same money', () => {
  const straight = withExpiries(withoutTies(market), withoutSmiles)
  const turned = mirrored(straight, 5_000)
  const figures = ({ trades, missed }: TradeLedger) => ({
    missed,
    trades: trades.map(trade => ({
      session: trade.session,
      decidedAt: trade.decidedAt,
      isInRule: trade.isInRule,
      net: trade.net.toFixed(6),
      exitReason: trade.exitReason,
      exitAt: trade.exitAt,
      pnlUsd: trade.pnlUsd?.toFixed(4),
      riskUsd: trade.riskUsd.toFixed(4),
    })),
  })
  let count = 0
  for (let seed = 0; seed < runs(150); seed++) {
    const { more: _, ...spec } = randomSpec(seed)
    const other = mirroredSpec(spec)
    if (!other) continue
    const run = { ...ALL, assume: ASSUMED }
    const before = figures(backtest(straight, spec, run))
    expect(figures(backtest(turned, other, run))).toEqual(before)
    count += before.trades.length
  }
  expect(count).toBeGreaterThan(runs(300))
})

test('sold and bought at once at the mid, only the steps of 0.05 are lost', () => {
  let count = 0
  for (const seed of seeds) {
    const spec = held(randomSpec(seed))
    const both = (['sell', 'buy'] as const).map(action => {
      const run = { ...ALL, assume: FREE }
      return backtest(market, { ...spec, core: { ...spec.core, action } }, run).trades
    })
    const bought = new Map(both[1]!.map(trade => [`${trade.session} ${trade.decidedAt}`, trade]))
    for (const sold of both[0]!) {
      const other = bought.get(`${sold.session} ${sold.decidedAt}`)
      if (!other || sold.pnlUsd === null || other.pnlUsd === null) continue
      const middle = sold.legs.reduce((sum, { sign, entry }) => sum - sign * entry.mid, 0)
      const isStep = Math.abs(middle * 20 - Math.round(middle * 20)) < 1e-6
      const lost = -(sold.pnlUsd + other.pnlUsd) / (100 * spec.core.qty)
      expect(lost).toBeCloseTo(isStep ? 0 : 0.05, 6)
      count += 1
    }
  }
  expect(count).toBeGreaterThan(runs(300))
})

test('ledgers that differ in one figure by 1e-6, or by one row, compare unequal', () => {
  const ledger = backtest(market, randomSpec(2), { ...ALL, assume: ASSUMED })
  const [first, ...rest] = ledger.trades
  const changed = { ...ledger, trades: [{ ...first!, net: first!.net + 1e-6 }, ...rest] }
  expect(ledgerDifferences(ledger, ledger)).toEqual([])
  expect(ledgerDifferences(changed, ledger)).toHaveLength(1)
  expect(ledgerDifferences({ ...ledger, trades: rest }, ledger)).toHaveLength(1)
})
