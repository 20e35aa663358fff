// Each gate of a verdict alone can shut it, at its exact limit; and what a gate says is so.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Trade } from '../../../src/lab/engine/trade.ts'
import { computeEra } from '../../../src/lab/verdict/era.ts'
import { type JudgedLeg, listGates } from '../../../src/lab/verdict/gates.ts'
import { type ReplayRule, runWith } from '../../../src/lab/verdict/run.ts'
import { ledgerTrade, madeMarket, madeRequest } from '../../support/labLedger.ts'
import { randomNumbers, shuffled } from '../../support/random.ts'

/** A holdout: its sessions, days of the rule, the results on and off, and what is amiss. */
type Held = {
  readonly sessions: number
  readonly on: number
  readonly off: number
  readonly ofRule: (day: number) => number
  readonly ofOthers: (day: number) => number
  readonly smiles: number
  readonly unresolved: number
  readonly looks: number
  readonly kind: 'real' | 'simulated'
}

/** All gates are open: 30 days on and 40 off, which the conditions tell apart. */
const OPEN: Held = {
  sessions: 70,
  on: 30,
  off: 40,
  smiles: 0,
  unresolved: 0,
  looks: 1,
  kind: 'real',
  ofRule: day => 0.3 + (day % 5) / 50,
  ofOthers: day => -0.3 + (day % 7) / 50,
}
/** Sessions before the holdout. */
const DESIGN = 130

/** Indexes of the holdout with a trade of the rule: at random, so that no shift is like another. */
function placesOn({ on, off }: Held): ReadonlySet<number> {
  const indexes = Array.from({ length: on + off }, (_, index) => index)
  return new Set(shuffled(indexes, randomNumbers(12)).slice(0, on))
}

const findReplay = (held: Held): ReplayRule => {
  return (market, _spec, { sessions }) => {
    const trades: Trade[] = []
    const placesTaken = placesOn(held)
    let taken = 0
    const indexes = Math.min(held.on + held.off, Math.max(0, market.sessions.length - DESIGN))
    for (let index = 0; index < indexes; index++) {
      const isInRule = placesTaken.has(index)
      const r = isInRule ? held.ofRule(taken) : held.ofOthers(index)
      const made = ledgerTrade({ session: DESIGN + index, r, isInRule })
      const isSmile = isInRule && taken < held.smiles
      const legs = made.legs.map(leg => ({
        ...leg,
        entry: { ...leg.entry, source: isSmile ? 'smile' : 'quote' } as const,
      }))
      trades.push({ ...made, legs })
      if (isInRule) taken += 1
    }
    // of unknown end, on days on which the rule trades already
    for (let index = 0, left = held.unresolved; left > 0; index++) {
      if (!placesTaken.has(index)) continue
      trades.push(ledgerTrade({ session: DESIGN + index, decidedAt: 700, r: null }))
      left -= 1
    }
    const inside = trades.filter(one => one.session >= sessions.from && one.session < sessions.to)
    return { trades: inside.sort((a, b) => a.session - b.session), missed: [] }
  }
}

/** The verdict of a run over it, and which gates are shut. */
function findJudged(change: Partial<Held>) {
  const held = { ...OPEN, ...change }
  const days = Array.from({ length: DESIGN + held.sessions }, () => ({ r: [], value: [] }))
  const market = { ...madeMarket(days), kind: held.kind }
  const lineage = { versions: 1, trials: 1, looks: 1, family_trials: 1, family_looks: held.looks }
  const request = madeRequest({ lineage, holdoutFrom: market.sessions[DESIGN]!.date })
  const [leg] = runWith({ market, request, replay: findReplay(held) }).result.legs
  const verdict = leg!.verdict!
  const shut = verdict.gates.filter(({ ok }) => !ok).map(({ gate }) => gate)
  expect(verdict.interesting).toBe(shut.length === 0)
  const text = verdict.gates.filter(({ ok }) => !ok).map(({ says }) => says)
  if (shut.length > 0) expect(verdict.sentence).toBe(['Not interesting.', ...text].join(' '))
  return { verdict, shut, p: verdict.placebo_p!, arrangements: leg!.placebo!.arrangements }
}

/** Results of which t is about 2, and p 3 of 140. */
const [SEED, SHIFT] = [2, 0.149]

/** Results at random, the rule's higher by a shift. */
function shifted(shift: number, seed: number): Partial<Held> {
  const random = randomNumbers(seed)
  const noise = Array.from({ length: 200 }, () => random() - 0.5)
  return { ofRule: day => noise[100 + day]! + shift, ofOthers: day => noise[day]! }
}

test.each<[string, Partial<Held>, readonly string[]]>([
  ['nothing', {}, []],
  // just enough, and one too few
  ['60 sessions', { sessions: 60, on: 25, off: 35 }, []],
  ['59 sessions', { sessions: 59, on: 25, off: 34 }, ['holdout']],
  ['20 days on', { on: 20, off: 50 }, []],
  ['19 days on', { on: 19, off: 51 }, ['days_on']],
  ['20 days off', { on: 50, off: 20 }, []],
  ['19 days off', { on: 51, off: 19 }, ['days_off']],
  ['a mean just above zero', { ofRule: day => (day % 2 === 0 ? 0.25001 : -0.25) }, []],
  ['a mean of zero', { ofRule: day => (day % 2 === 0 ? 0.25 : -0.25) }, ['mean']],
  [
    'as good as the core',
    { ofRule: () => 0.5, ofOthers: () => 0.5 },
    ['above_core', 'net_rr_t', 'placebo_p'],
  ],
  ['1 of 140 at a bar of 1 in 120', { looks: 3 }, []],
  ['a bar that no shuffle reaches', { looks: 100_000 }, ['placebo_p']],
  ['8 of 10 prices from quotes', { smiles: 6 }, []],
  ['77 % of prices from quotes', { smiles: 7 }, ['quotes']],
  ['no quote, of simulated sessions', { smiles: 30, kind: 'simulated' }, []],
  ['1 of 50 of unknown end', { on: 49, off: 21, unresolved: 1 }, []],
  ['1 of 49 of unknown end', { on: 48, off: 22, unresolved: 1 }, ['unresolved']],
])('%s: shut are %j', (_, change, shut) => {
  expect(findJudged(change).shut).toEqual(shut)
})

test('a t just under 2 alone shuts a verdict, just above does not', () => {
  let [low, high] = [-0.2, 0.6]
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2
    if (findJudged(shifted(middle, SEED)).verdict.net_rr_t! >= 2) high = middle
    else low = middle
  }
  const [shut, open] = [findJudged(shifted(low, SEED)), findJudged(shifted(high, SEED))]
  expect([open.verdict.net_rr_t! >= 2, shut.verdict.net_rr_t! < 2]).toEqual([true, true])
  expect(open.verdict.net_rr_t! - shut.verdict.net_rr_t!).toBeLessThan(1e-4)
  expect([shut.shut, open.shut]).toEqual([['net_rr_t'], []])
})

test('a p above its bar alone shuts a verdict', () => {
  const [one, two] = [1, 2].map(looks => findJudged({ ...shifted(SHIFT, SEED), looks }))
  expect([one!.shut, two!.shut]).toEqual([[], ['placebo_p']])
})

test('a p at its bar is enough, and one more arrangement that is as good is too many', () => {
  // 140 arrangements: the bar of 1 look lets 3 of them do as well, that of 7 looks none
  const { p, arrangements, shut } = findJudged({ looks: 3 })
  expect([p, arrangements, shut]).toEqual([1 / 140, 140, []])
  // 60 sessions: 1 of 120 is the bar of three looks itself
  const at = findJudged({ sessions: 60, on: 25, off: 35, looks: 3 })
  expect([at.p, at.verdict.bar, at.shut]).toEqual([1 / 120, 0.025 / 3, []])
})

const ERA = computeEra({
  record: { trades: [ledgerTrade({ session: 0, r: 0.1 })], missed: [], hasConditions: true },
  stretch: { from: 0, to: 1 },
  dates: [{ date: '2026-10-15' }],
  seed: 1n,
})
const PLACEBO = {
  arrangements: 200,
  shuffles: 0,
  t: 5,
  quantiles: [],
  histogram: { edges: [], counts: [] },
}

/** Sentence of each gate: its numbers, and whether they open it. */
const STATED: Readonly<Record<string, [RegExp, (value: number, other: number) => boolean]>> = {
  holdout: [/(?:Judged on|Only) ([\d,]+) sessions? kept apart/, value => value >= 60],
  days_on: [/traded on ([\d,]+) days?/, value => value >= 20],
  days_off: [/left out trades on ([\d,]+) days?/, value => value >= 20],
  mean: [/made ([-+][\d.]+)% of its risk/, value => value > 0],
  above_core: [/the difference is ([-+][\d.]+)%/, value => value > 0],
  net_rr_t: [/is (-?[\d.]+) times its error/, value => value >= 2],
  placebo_p: [/in ([\d.]+)% of the cases; at most ([\d.]+)% may/, (p, threshold) => p <= threshold],
  quotes: [/([\d.]+)% of the prices were quotes; ([\d.]+)%/, (value, least) => value >= least],
  unresolved: [/([\d.]+)% of its trades .* at most ([\d.]+)%/, (value, most) => value <= most],
}

/** Numbers around a limit: at it, and from far to a hair on either side. */
const around = (limit: number, unit: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom(-1, 0, 1))
    .map(([power, side]) => limit + side * unit * 10 ** -power)

const near = fc.record({
  sessions: fc.integer({ min: 58, max: 62 }),
  on: fc.integer({ min: 18, max: 22 }),
  off: fc.integer({ min: 18, max: 22 }),
  mean: around(0, 0.3),
  more: around(0, 0.3),
  t: around(2, 1.5),
  looks: fc.integer({ min: 1, max: 300 }),
  nearBar: around(1, 0.9),
  smiles: fc.integer({ min: 0, max: 22 }),
  priced: fc.integer({ min: 60, max: 1300 }),
  unresolved: fc.integer({ min: 0, max: 4 }),
  n: fc.integer({ min: 30, max: 20_000 }),
})

test('what each gate says of its numbers is why it is open or shut, however near the limit', () => {
  const seen = new Map<string, number>()
  const property = fc.property(near, one => {
    const trades = Array.from({ length: one.on + one.off }, (_, session) =>
      ledgerTrade({ session, r: 0.1 * session, isInRule: session < one.on }),
    )
    const [first, ...others] = trades
    const leg = first!.legs[0]!
    const legs = Array.from({ length: one.priced }, (_, at) => {
      const isSmile = at < Math.round(one.priced * 0.2) + one.smiles - 11
      return { ...leg, entry: { ...leg.entry, source: isSmile ? 'smile' : 'quote' } as const }
    })
    const threshold = 0.025 / one.looks
    const judged: JudgedLeg = {
      era: {
        ...ERA,
        sessions: one.sessions,
        days: one.on,
        n: one.n,
        net_rr: one.more,
        net_rr_t: one.t,
        rule: { ...ERA.rule, mean: one.mean },
        unresolved: one.unresolved === 0 ? 0 : Math.round(one.n * 0.0204) + one.unresolved - 2,
      },
      trades: [{ ...first!, legs }, ...others],
      placebo: { ...PLACEBO, p: threshold * one.nearBar },
      threshold,
      isReal: true,
    }
    for (const { gate, ok, says } of listGates(judged)) {
      const [pattern, isOpen] = STATED[gate]!
      const found = pattern.exec(says)
      expect([says, found !== null]).toEqual([says, true])
      const [value, other] = found!.slice(1).map(text => Number(text.replaceAll(',', '')))
      expect([says, isOpen(value!, other!)]).toEqual([says, ok])
      seen.set(`${gate} ${ok}`, (seen.get(`${gate} ${ok}`) ?? 0) + 1)
    }
  })
  fc.assert(property, { numRuns: 500 })
  expect(seen.size).toBe(2 * Object.keys(STATED).length)
  expect([...seen].filter(([, count]) => count < 30)).toEqual([])
})
