// Compares verdicts and counts of runs with a second form, written from the definition alone.

import { expect, test } from 'vitest'
import { addDays, isWeekend } from '../../src/core/market/calendar.ts'
import { type RuleSpec, ruleHash } from '../../src/lab/language/spec.ts'
import type { LabMarket } from '../../src/lab/market/session.ts'
import { computeRun } from '../../src/lab/verdict/computeRun.ts'
import { runWith } from '../../src/lab/verdict/run.ts'
import { madeMarket, madeReplay, madeRequest } from '../support/labLedger.ts'
import { runs } from '../support/runs.ts'
import { otherVerdict } from './otherVerdict.ts'
import { findDice, randomMarket } from './randomMarket.ts'
import { randomSpec } from './randomSpec.ts'
import { minuteNumber } from './referenceWhen.ts'

const market = randomMarket({ seed: 4, sessionCount: 126, dteMax: 1 })
const HISTORIES = runs(80, 24)
const LOOKS = { versions: 1, trials: 3, looks: 1, family_trials: 3, family_looks: 1 }

const findHoldout = ({ sessions }: LabMarket, from: string) => ({
  from: sessions.findIndex(({ date }) => date === from),
  to: sessions.length,
})

test('the placebo of rules by clock, window and event puts each trigger on each other session', () => {
  let compared = 0
  for (const seed of [8, 29, 34, 56, 66, 97, 99, 112]) {
    const spec = randomSpec(seed, 1)
    const { result, ledger } = computeRun(market, madeRequest({ spec, ruleHash: ruleHash(spec) }))
    const stretch = findHoldout(market, result.holdout!.from)
    for (const [ruleLeg, { placebo, verdict }] of result.legs.entries()) {
      const trades = ledger.trades.filter(trade => trade.ruleLeg === ruleLeg)
      const requested = { familyLooks: 1, legCount: result.legs.length, isReal: false }
      const other = otherVerdict({ trades }, stretch, requested)
      expect(verdict!.interesting).toBe(other.interesting)
      if (other.t === null) {
        expect(verdict!.net_rr_t).toBeNull()
        continue
      }
      expect(verdict!.net_rr_t).toBeCloseTo(other.t, 9)
      expect(placebo!.p).toBeCloseTo(other.p!, 12)
      const { arrangements, shuffles, histogram } = placebo!
      expect([arrangements, shuffles]).toEqual([other.placebo.length, 0])
      expect(histogram.counts.reduce((sum, count) => sum + count)).toBe(arrangements)
      expect(placebo!.quantiles.at(0)).toBeCloseTo(other.placebo.at(0)!, 9)
      expect(placebo!.quantiles.at(-1)).toBeCloseTo(other.placebo.at(-1)!, 9)
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(7)
})

test(`of ${HISTORIES} made histories, planted and fair, the same ones are interesting`, () => {
  const text = { interesting: 0, lucky: 0, dull: 0 }
  for (let seed = 0; seed < HISTORIES; seed++) {
    const { between, whole, isHit } = findDice(seed)
    const [effect, share, slots] = [between(0, 0.9), between(0.2, 0.8), whole(1, 2)]
    const days = Array.from({ length: 140 }, () => {
      const isOn = isHit(share)
      const value = Array.from({ length: slots }, () => (isOn !== isHit(0.1) ? 500 : -500))
      const r = value.map(one => between(-1, 1) + (one > 0 ? effect : 0) - 0.1)
      return { r, value }
    })
    const made = madeMarket(days)
    const family_looks = whole(1, 3)
    const request = madeRequest({ lineage: { ...LOOKS, family_looks } })
    const { result, ledger } = runWith({ market: made, request, replay: madeReplay })
    const stretch = findHoldout(made, result.holdout!.from)
    const requested = { familyLooks: family_looks, legCount: 1, isReal: false }
    const other = otherVerdict(ledger, stretch, requested)
    const verdict = result.legs[0]!.verdict!
    expect([seed, verdict.interesting]).toEqual([seed, other.interesting])
    expect(verdict.placebo_p).toBeCloseTo(other.p!, 12)
    expect(verdict.interesting).toBe(verdict.gates.every(({ ok }) => ok))
    if (other.interesting) text.interesting += 1
    else if (other.isLucky && other.t! >= 2) text.lucky += 1
    else text.dull += 1
  }
  expect(text.interesting).toBeGreaterThan(0.1875 * HISTORIES)
  expect(text.lucky).toBeGreaterThan(0)
  expect(text.dull).toBeGreaterThan(0.1875 * HISTORIES)
})

test('every weekday of a market without holidays is used or named', () => {
  const { data, legs } = computeRun(market, madeRequest({ spec: randomSpec(66, 1) })).result
  const named = new Map(data.left_out.map(({ day, reason }) => [day, reason]))
  const used = new Set(legs[0]!.series.day)
  expect(named.size).toBeGreaterThan(3)
  expect(used.size).toBe(data.used)
  for (let day = data.from; day <= data.to; day = addDays(day, 1)) {
    if (!isWeekend(day)) expect([day, used.has(day) !== named.has(day)]).toEqual([day, true])
  }
})

/** Slots of a rule by the clock on a whole session. */
function slotCount({ entry }: RuleSpec['core']): number | null {
  if ('at' in entry) return 1
  if (!('every_min' in entry)) return null
  const [from, to] = entry.window.map(minuteNumber) as [number, number]
  return Math.floor((to - from) / entry.every_min) + 1
}

test('each slot of each session is a trade or a reason, but for the last, of unknown end', () => {
  let count = 0
  for (let seed = 0; seed < 25; seed++) {
    const { more: _, ...spec } = randomSpec(seed, 1)
    const slots = slotCount(spec.core)
    if (slots === null) continue
    const { result, ledger } = computeRun(market, madeRequest({ spec, ruleHash: ruleHash(spec) }))
    const rows = [...ledger.trades, ...ledger.missed]
    const bySession = Map.groupBy(rows, ({ session }) => session)
    expect([...bySession.values()].every(of => of.length === slots)).toBe(true)
    const { rule, unresolved, missed } = result.legs[0]!.eras.all
    const inRule = rows.filter(({ isInRule }) => isInRule).length
    const reported = Object.values(missed).reduce((sum, one) => sum + one, rule.n + unresolved)
    expect([seed, reported]).toEqual([seed, inRule])
    // a trade of the last sessions would end after those that are known
    const decided = result.legs[0]!.series.day.length - spec.core.dte
    if (!spec.days) expect(bySession.size).toBe(decided)
    count += rows.length
  }
  expect(count).toBeGreaterThan(500)
})
