// A whole run over made markets: its response, what it is judged on, and its report.

import { expect, test } from 'vitest'
import type { LabMarket } from '../../../src/lab/market/session.ts'
import { LabResult } from '../../../src/lab/result.ts'
import { RunRefused, type RunRequest } from '../../../src/lab/verdict/request.ts'
import { runWith } from '../../../src/lab/verdict/run.ts'
import {
  MADE_RULE,
  type MadeDay,
  madeMarket,
  madeReplay,
  madeRequest,
} from '../../support/labLedger.ts'
import { randomNumbers } from '../../support/random.ts'

/** Days of which some have gamma, and earn so much more. */
function listDays(count: number, edge: number, seed = 1): MadeDay[] {
  const random = randomNumbers(seed)
  return Array.from({ length: count }, () => {
    const isOn = random() < 0.5
    return { r: [random() - 0.5 + (isOn ? edge : 0)], value: [isOn ? 500 : 0] }
  })
}

const good = madeMarket(listDays(500, 0.4))
const fair = madeMarket(listDays(500, 0))
const run = (market: LabMarket, change: Partial<RunRequest> = {}) => {
  const { result } = runWith({ market, request: madeRequest(change), replay: madeReplay })
  expect(LabResult.parse(result)).toEqual(result)
  return result
}

test('a large edge on the days of the rule is interesting, and none is not', () => {
  const [found, none] = [run(good), run(fair)]
  expect(found.legs[0]!.verdict!.gates.filter(({ ok }) => !ok)).toEqual([])
  expect(found.legs[0]!.verdict).toMatchObject({ interesting: true, bar: 0.025 })
  expect(found.holdout).toMatchObject({ sessions: 100, to: good.sessions.at(-1)!.date })
  expect(none.legs[0]!.verdict!.interesting).toBe(false)
  expect(none.legs[0]!.verdict!.sentence).toMatch(/^Not interesting\. /)
})

test('the same run is the same bytes, and another idea draws its own chance', () => {
  expect(JSON.stringify(run(good))).toBe(JSON.stringify(run(good)))
  const loss = (seedId: string) => run(fair, { seedId }).legs[0]!.eras.all.prob_loss_20
  expect(loss('i_1')).toBe(loss('i_1'))
  expect(loss('i_1')).not.toBe(loss('i_2'))
})

test('the looks of a retyped idea raise the bar: what was interesting once is no more', () => {
  const looked = (looks: number) =>
    run(good, {
      lineage: { versions: 1, trials: 1, looks: 1, family_trials: looks, family_looks: looks },
    }).legs[0]!.verdict!
  const once = looked(1)
  // 1 of 200 arrangements
  expect(once.placebo_p).toBe(0.005)
  expect([once.interesting, looked(5).interesting]).toEqual([true, true])
  // below 1 of 200 weeks are shuffled, and the edge is large enough to pass there too
  expect([looked(6).bar, looked(6).interesting]).toEqual([0.025 / 6, true])
  expect(looked(100_000).interesting).toBe(false)
  const gate = looked(100_000).gates.find(({ ok }) => !ok)!
  expect(gate.gate).toBe('placebo_p')
})

test('without conditions a rule is its own baseline; it reports whether it clears its costs', () => {
  const [leg] = run(good, { spec: { ...MADE_RULE, when: [] } }).legs
  expect(leg).toMatchObject({ placebo: null, verdict: { interesting: false, net_rr_t: null } })
  expect(leg!.verdict!.clears_cost!.mean).toBe(leg!.eras.holdout!.rule.mean)
  expect(leg!.verdict!.clears_cost!.t).toBe(leg!.eras.holdout!.rule.t)
  expect(leg!.eras.holdout!.rule).toEqual(leg!.eras.holdout!.core)
})

test('of two trades each is judged on its own, at half the bar', () => {
  const { core, when } = MADE_RULE
  const below = [{ ...when[0]!, op: '<=', v: 100 }] as typeof when
  const spec = { ...MADE_RULE, more: [{ core: { ...core, action: 'buy' as const }, when: below }] }
  const { legs, says, sensitivity } = run(good, { spec })
  expect(legs.map(({ verdict }) => [verdict!.bar, verdict!.interesting])).toEqual([
    [0.0125, true],
    [0.0125, false],
  ])
  const n = legs.map(({ eras }) => eras.all.n)
  expect(n[0]! + n[1]!).toBe(500)
  expect(legs[1]!.title).toMatch(/^At 10:00 ET, buy the 0DTE 10-wide put spread .* if net gamma /)
  expect(says.filter(text => text.startsWith('Trade 2: ')).length).toBeGreaterThan(0)
  expect(sensitivity.map(({ leg }) => leg)).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
})

test('costs and a delay change what they must, on the sessions before the holdout alone', () => {
  const { sensitivity, legs } = run(good)
  const { n, mean } = sensitivity[0]!
  expect(sensitivity.map(({ changed, n: count }) => [changed, count])).toEqual(
    ['nothing', 'spread_factor 0', 'spread_factor 0.5', 'spread_factor 2', 'delay_min 1'].map(
      changed => [changed, n],
    ),
  )
  const moved = sensitivity.map(one => Number((one.mean! - mean!).toFixed(9)))
  expect(moved).toEqual([0, 0.02, 0.01, -0.02, -0.01])
  expect(n).toBe(legs[0]!.eras.all.n - legs[0]!.eras.holdout!.n)
})

test('what came after the first test is an era of its own, and the holdout stays', () => {
  const first = run(madeMarket(listDays(400, 0.4)))
  const later = run(good, {
    holdoutFrom: first.holdout!.from,
    firstTestedTo: first.data.to,
  })
  expect(later.holdout).toEqual(first.holdout)
  expect(later.legs[0]!.eras.holdout).toEqual(first.legs[0]!.eras.holdout)
  expect(later.legs[0]!.verdict).toEqual(first.legs[0]!.verdict)
  expect(first.legs[0]!.eras).not.toHaveProperty('since')
  expect(later.legs[0]!.eras.since).toMatchObject({ sessions: 100, to: later.data.to })
  expect(later.legs[0]!.eras.all.sessions).toBe(500)
})

test('under 120 sessions nothing is interesting, and every other figure is there', () => {
  const result = run(madeMarket(listDays(119, 0.4)))
  expect(result.holdout).toBeNull()
  expect(result.legs[0]).toMatchObject({
    placebo: null,
    eras: { holdout: null, all: { sessions: 119 } },
    verdict: {
      interesting: false,
      gates: [{ gate: 'holdout', ok: false }],
      sentence: 'Not interesting. 119 sessions; a holdout needs 120.',
    },
  })
  expect(run(madeMarket(listDays(120, 0.4))).holdout).toMatchObject({ sessions: 60 })
})

test('triggers of a rule of one weekday are moved to other days of it, not to days without', () => {
  const spec = { ...MADE_RULE, days: ['tue' as const] }
  const replay: typeof madeReplay = (market, rule, options) => {
    const { trades, missed } = madeReplay(market, rule, options)
    const isTuesday = (index: number) =>
      new Date(`${market.sessions[index]!.date}T00:00:00Z`).getUTCDay() === 2
    return { trades: trades.filter(({ session }) => isTuesday(session)), missed }
  }
  const { result } = runWith({ market: good, request: madeRequest({ spec }), replay })
  const { placebo, eras } = result.legs[0]!
  const tuesdays = eras.holdout!.core.n
  expect(tuesdays).toBe(20)
  expect(placebo!.arrangements).toBe(2 * tuesdays)
})

test('the report names the data, the looks, what is simulated, and what is not proved', () => {
  const market = { ...good, leftOut: [{ day: '2024-05-01', reason: 'bad_tape' as const }] }
  const { says, data } = run(market, { kind: 'backtest' })
  expect(says[0]).toBe(
    'Tested on 500 simulated sessions, 2024-01-02 to 2025-12-29; ' +
      '1 day left out, each with its reason.',
  )
  expect(data.left_out).toEqual(market.leftOut)
  expect(says.some(text => text.includes('was looked at once for this idea'))).toBe(true)
  expect(says.some(text => text.startsWith('These sessions are simulated'))).toBe(true)
  expect(says.at(-1)).toMatch(/^What this does not prove: /)
  const real = run({ ...good, kind: 'real' as const }).says
  expect(real.some(text => text.startsWith('These sessions are simulated'))).toBe(false)
})

test('few days are reported as rough, and a struct states that it judges nothing', () => {
  const rare = listDays(500, 0).map((day, at) => ({ ...day, value: [at % 20 === 0 ? 500 : 0] }))
  const { says, legs } = run(madeMarket(rare))
  expect(legs[0]!.eras.holdout!.days).toBe(5)
  expect(says.some(text => text.startsWith('Its t on the holdout is rough: 5 days'))).toBe(true)
  const struct = run(good, { kind: 'struct' })
  expect(struct.says).toContain('It looks at no session of the holdout, and has no verdict.')
  expect(struct.data).toMatchObject({ used: 400, to: good.sessions[399]!.date })
})

test('trades without a known end are reported, with what they can have lost', () => {
  const open: typeof madeReplay = (market, rule, options) => {
    const { trades, missed } = madeReplay(market, rule, options)
    const isOpen = (index: number) => index === 3 || index === 4
    const unknown = { r: null, pnlUsd: null, worstUsd: -850 }
    return {
      trades: trades.map(one => (isOpen(one.session) ? { ...one, ...unknown } : one)),
      missed,
    }
  }
  const request = madeRequest({ spec: { ...MADE_RULE, when: [] } })
  const { says } = runWith({ market: good, request, replay: open }).result
  expect(says).toContain('The end of 2 trades is not known; together they can have lost $1,700.')
})

test('without a session it is refused in a sentence', () => {
  expect(() => run(madeMarket([]))).toThrow(RunRefused)
  expect(() => run(madeMarket([]))).toThrow('No session is published to test on.')
})

test('minutes whose index follows from the quotes are counted, and named', () => {
  const sessions = good.sessions.map((session, index) =>
    index % 100 === 0 ? { ...session, parityCount: 390 } : session,
  )
  const found = run({ ...good, sessions })
  expect(found.data.index_by_parity).toEqual({ minutes: 1_950, sessions: 5 })
  expect(found.says).toContainEqual(
    expect.stringMatching(/^In 1,950 minutes of 5 sessions the tape has no index: it follows /),
  )
  expect(run(good).data).not.toHaveProperty('index_by_parity')
})

test('minutes without known positions of dealers are counted, and named where the rule needs them', () => {
  const sessions = good.sessions.map((session, index) =>
    index % 100 === 0 ? { ...session, unknownCount: 380 } : session,
  )
  const unknown = { ...good, sessions }
  const found = run(unknown)
  expect(found.data.unknown_positions).toEqual({ minutes: 1_900, sessions: 5 })
  expect(found.says).toContainEqual(
    expect.stringMatching(
      /^In 1,900 minutes of 5 sessions the dealers' positions are not known \(inventory_unknown\)/,
    ),
  )
  const ofDealers = (result: LabResult) => result.says.filter(text => /dealers/.test(text))
  // a rule that asks for no level is not concerned
  const free = run(unknown, { spec: { ...MADE_RULE, when: [] } })
  expect([free.data.unknown_positions!.sessions, ofDealers(free)]).toEqual([5, []])
  const wall = { ...MADE_RULE.core, strike: { ref: 'put_wall', offset: -10 } as const }
  expect(ofDealers(run(unknown, { spec: { ...MADE_RULE, core: wall, when: [] } }))).toHaveLength(1)
  expect(run(good).data).not.toHaveProperty('unknown_positions')
  // a struct sees no session of the holdout
  expect(run(unknown, { kind: 'struct' }).data.unknown_positions!.sessions).toBe(4)
})
