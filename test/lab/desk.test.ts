// A monitored rule: minute by minute it reports the same as its test does for the finished day.

import { expect, test } from 'vitest'
import { findIdeaEvents, type IdeaEvent } from '../../src/lab/desk/deskEvents.ts'
import { backtest } from '../../src/lab/engine/backtest.ts'
import { ASSUMED } from '../../src/lab/engine/trade.ts'
import { runs } from '../support/runs.ts'
import { scrambledAfter } from './changedMarkets.ts'
import { randomMarket } from './randomMarket.ts'
import { randomSpec } from './randomSpec.ts'

const RULES = runs(40, 12)

const reported = ({ type, minute, session, trade }: IdeaEvent) => ({
  type,
  minute,
  session,
  ruleLeg: trade.ruleLeg,
  decidedAt: trade.decidedAt,
  strikes: trade.legs.map(({ strike }) => strike),
  // what becomes of it is known when it is closed
  r: type === 'idea_closed' ? trade.r : null,
})

test(`${RULES} rules in random days: a minute reports the same whatever comes after it`, () => {
  let seen = 0
  for (let seed = 1; seed <= RULES; seed++) {
    const market = randomMarket({ seed: 300 + seed, sessionCount: 4, dteMax: 2 })
    const spec = randomSpec(seed, 2)
    const whole = findIdeaEvents(market, spec).map(reported)
    seen += whole.length
    const index = market.sessions.length - 1
    const { firstMinute, stateCount } = market.sessions[index]!
    for (const state of [5, 40, 100, 190, stateCount - 2]) {
      const known = scrambledAfter(market, { index, state, seed })
      const until = firstMinute + state
      const by = (event: { readonly minute: number }) => event.minute <= until
      expect(findIdeaEvents(known, spec).filter(by).map(reported)).toEqual(whole.filter(by))
    }
  }
  expect(seen).toBeGreaterThan(1.5 * RULES)
})

test('what triggers in a day are the trades of the rule that its test has of that day', () => {
  for (let seed = 1; seed <= RULES; seed++) {
    const market = randomMarket({ seed: 600 + seed, sessionCount: 5, dteMax: 2 })
    const spec = randomSpec(seed, 2)
    const last = market.sessions.length - 1
    const sessions = { from: 0, to: market.sessions.length }
    const { trades } = backtest(market, spec, { assume: ASSUMED, sessions, designCount: 4 })
    const own = trades.filter(({ isInRule }) => isInRule)
    const events = findIdeaEvents(market, spec)
    const findKey = (one: IdeaEvent['trade']) =>
      [one.session, one.decidedAt, one.ruleLeg, one.r].join()
    const of = (type: string) => events.filter(event => event.type === type)
    expect(
      of('idea_triggered')
        .map(({ trade }) => findKey(trade))
        .sort(),
    ).toEqual(
      own
        .filter(({ session }) => session === last)
        .map(findKey)
        .sort(),
    )
    const closed = own.filter(one => one.exitSession === last && one.exitReason !== 'unresolved')
    expect(
      of('idea_closed')
        .map(({ trade }) => findKey(trade))
        .sort(),
    ).toEqual(closed.map(findKey).sort())
  }
})
