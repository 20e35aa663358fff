// Rules that know nothing, on fair trades: how many of them are called interesting.

import { expect, test } from 'vitest'
import type { Trade } from '../../../src/lab/engine/trade.ts'
import { computeEra } from '../../../src/lab/verdict/era.ts'
import { computePlacebo } from '../../../src/lab/verdict/placebo.ts'
import { isResolved } from '../../../src/lab/verdict/sample.ts'
import { judge } from '../../../src/lab/verdict/verdict.ts'
import { ledgerTrade } from '../../support/labLedger.ts'
import { randomNumbers } from '../../support/random.ts'

type Setting = {
  readonly sessions: number
  /** Chance that a short spread is lost; what it wins makes up for it. */
  readonly delta: number
  /** Share of the days on which the rule is on. */
  readonly on: number
  /** Days on come in runs of about so many. */
  readonly run: number
  /** Fixed trades a session. */
  readonly slots: number
  /** The rule has triggers of its own between the fixed ones. */
  readonly hasTriggers: boolean
}

/** A trade wins delta / (1 - delta) of its risk or loses all: fair. Rough days lose together. */
function findLedger({ sessions, delta, on, run, slots, hasTriggers }: Setting, seed: number) {
  const random = randomNumbers(seed)
  const trades: Trade[] = []
  let [isOn, isRough] = [random() < on, false]
  for (let session = 0; session < sessions; session++) {
    if (random() < 1 / run) isOn = random() < on
    if (random() < 0.1) isRough = !isRough
    // of a rough stretch risk is paid for twice: still fair
    const risk = isRough ? Math.min(0.45, 2 * delta) : delta
    const isLost = random() < risk
    const outcome = (slot: number) => {
      const isOwnLost = slot === 0 || random() < 0.7 ? isLost : random() < risk
      return isOwnLost ? -1 : risk / (1 - risk)
    }
    for (let slot = 0; slot < slots; slot++) {
      const isInRule = isOn && !hasTriggers
      trades.push(ledgerTrade({ session, slot, decidedAt: 600 + slot, r: outcome(slot), isInRule }))
    }
    if (!isOn || !hasTriggers) continue
    const slot = Math.floor(random() * slots)
    trades.push(ledgerTrade({ session, slot, r: outcome(slot), isFixed: false }))
  }
  return trades
}

function isInteresting(setting: Setting, seed: number) {
  const trades = findLedger(setting, seed)
  const dates = Array.from({ length: setting.sessions }, () => ({ date: '2026-10-15' }))
  const stretch = { from: 0, to: setting.sessions }
  const record = { trades, missed: [], hasConditions: true }
  const era = computeEra({ record, stretch, dates, seed: 1n })
  const sessions = [...dates.keys()]
  const core = trades.filter(isResolved)
  const query = { core, sessions, ownT: era.net_rr_t, threshold: 0.025, seed: 1n }
  const placebo = computePlacebo(query)
  return { verdict: judge({ era, trades, placebo, threshold: 0.025, isReal: false }), p: placebo.p }
}

const SETTINGS: readonly Setting[] = [
  { sessions: 60, delta: 0.16, on: 0.4, run: 1, slots: 1, hasTriggers: false },
  { sessions: 100, delta: 0.16, on: 0.3, run: 5, slots: 1, hasTriggers: false },
  { sessions: 200, delta: 0.16, on: 0.25, run: 1, slots: 1, hasTriggers: false },
  { sessions: 200, delta: 0.05, on: 0.15, run: 10, slots: 1, hasTriggers: false },
  { sessions: 100, delta: 0.3, on: 0.5, run: 3, slots: 8, hasTriggers: true },
]

test('of 400 rules that know nothing at most 2.5% are interesting, though many have t 2', () => {
  const found = SETTINGS.flatMap((setting, at) =>
    Array.from({ length: 80 }, (_, rule) => isInteresting(setting, 1000 * at + rule)),
  )
  expect(found.length).toBe(400)
  const open = (name: string) =>
    found.filter(one => one.verdict.gates.some(({ gate, ok }) => gate === name && ok)).length
  const interesting = found.filter(({ verdict }) => verdict.interesting).length
  expect(interesting).toBeLessThanOrEqual(10)
  // the t alone would have let through far more
  expect(open('net_rr_t')).toBeGreaterThan(2 * interesting)
  expect(open('net_rr_t')).toBeGreaterThan(10)
})

test('the p of a placebo is even for rules that know nothing', () => {
  const setting = { sessions: 100, delta: 0.3, on: 0.5, run: 3, slots: 1, hasTriggers: false }
  const p = Array.from({ length: 200 }, (_, seed) => isInteresting(setting, 7000 + seed).p!)
  for (const share of [0.05, 0.25, 0.5, 0.75]) {
    const below = p.filter(one => one <= share).length
    expect(Math.abs(below - 200 * share)).toBeLessThan(4 * Math.sqrt(200 * share * (1 - share)))
  }
})
