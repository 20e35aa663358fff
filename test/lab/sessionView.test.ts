// A session as it is drawn: nothing in it was known only after its newest minute.

import { expect, test } from 'vitest'
import { formatMinute } from '../../src/core/market/calendar.ts'
import { levelsOfRule, sessionView } from '../../src/lab/desk/sessionView.ts'
import { backtest } from '../../src/lab/engine/backtest.ts'
import { ASSUMED } from '../../src/lab/engine/trade.ts'
import { reply } from '../../src/lab/language/dialog.ts'
import { runs } from '../support/runs.ts'
import { scrambledAfter } from './changedMarkets.ts'
import { randomMarket } from './randomMarket.ts'
import { randomSpec } from './randomSpec.ts'

const RULES = runs(40, 12)

test(`${RULES} rules in random days: what is drawn at a minute is the same whatever comes after`, () => {
  let [open, closed] = [0, 0]
  for (let seed = 1; seed <= RULES; seed++) {
    const market = randomMarket({ seed: 300 + seed, sessionCount: 4, dteMax: 2 })
    const spec = randomSpec(seed, 2)
    const index = market.sessions.length - 1
    const { firstMinute, stateCount } = market.sessions[index]!
    for (const state of [0, 5, 40, 100, 190, stateCount - 2]) {
      const known = scrambledAfter(market, { index, state, seed })
      const view = sessionView(market, spec, firstMinute + state)
      expect(sessionView(known, spec, firstMinute + state)).toEqual(view)
      expect(view.known).toBe(state + 1)
      expect(view.spot.slice(state + 1).every(value => value === null)).toBe(true)
      for (const { entry, exit } of view.trades) {
        expect(entry.at ?? 0).toBeLessThanOrEqual(state)
        expect(exit?.at ?? 0).toBeLessThanOrEqual(state)
        if (exit === null) open += 1
        else closed += 1
      }
    }
  }
  expect(open).toBeGreaterThan(RULES / 2)
  expect(closed).toBeGreaterThan(RULES / 2)
})

test('of a finished day it has the trades that the test of that day has', () => {
  let count = 0
  for (let seed = 1; seed <= RULES; seed++) {
    const market = randomMarket({ seed: 600 + seed, sessionCount: 5, dteMax: 2 })
    const spec = randomSpec(seed, 2)
    const last = market.sessions.length - 1
    const sessions = { from: 0, to: last + 1 }
    const { trades } = backtest(market, spec, { assume: ASSUMED, sessions, designCount: 0 })
    const view = sessionView(market, spec, 24 * 60)
    const tested = trades
      .filter(({ session }) => session === last)
      .map(({ ruleLeg, filledAt, legs, isInRule, exitAt, exitSession, r }) => {
        const strikes = legs.map(({ strike }) => strike).join()
        const end = exitSession === last ? `${formatMinute(exitAt!)} ${r}` : 'open'
        return `${ruleLeg} ${formatMinute(filledAt)} ${strikes} ${isInRule} ${end}`
      })
    const shown = view.trades
      .filter(({ entry }) => entry.at !== null)
      .map(({ ruleLeg, entry, options, isInRule, exit }) => {
        const strikes = options.map(({ strike }) => strike).join()
        const end = exit === null ? 'open' : `${exit.minute} ${exit.r}`
        return `${ruleLeg} ${entry.minute} ${strikes} ${isInRule} ${end}`
      })
    expect(shown.sort()).toEqual(tested.sort())
    // what began before and ends in it is there too
    const held = trades.filter(
      one => one.isInRule && one.session < last && one.exitSession === last,
    )
    const began = view.trades.flatMap(({ entry, exit }) =>
      entry.at === null && exit !== null ? exit.r : [],
    )
    expect(began.sort()).toEqual(held.map(({ r }) => r).sort())
    count += shown.length + began.length
  }
  expect(count).toBeGreaterThan(1.25 * RULES)
})

const findSpec = (sentence: string) => {
  const read = reply(sentence, null)
  if (read.kind !== 'spec') throw new Error(read.say)
  return read.spec
}

test('the levels of a rule are those of its strikes and of its conditions', () => {
  const spread = 'At 10:00 sell the 10-wide put spread'
  for (const [sentence, levels] of [
    [`${spread} 30 points below spot`, []],
    [`${spread} 5 points below the put wall`, ['put_wall']],
    [`${spread} 5 points below the put wall if price is above the flip`, ['put_wall', 'flip']],
    [`${spread} 30 points below spot if price is below the call wall by 10 points`, ['call_wall']],
    ['After the first cross above the flip buy the straddle', ['flip']],
  ] as const) {
    expect(levelsOfRule(findSpec(sentence))).toEqual(levels)
  }
})
