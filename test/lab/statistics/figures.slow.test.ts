// Compares every figure of an era and of a placebo with a second form, on random ledgers.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ruleHash } from '../../../src/lab/language/spec.ts'
import { computeRun } from '../../../src/lab/verdict/computeRun.ts'
import { computeEra } from '../../../src/lab/verdict/era.ts'
import { computePlacebo } from '../../../src/lab/verdict/placebo.ts'
import { isResolved } from '../../../src/lab/verdict/sample.ts'
import { ledgerTrade, madeRequest } from '../../support/labLedger.ts'
import { runs } from '../../support/runs.ts'
import { randomMarket } from '../randomMarket.ts'
import { randomSpec } from '../randomSpec.ts'
import { expectAlike } from './alike.ts'
import { otherEra } from './otherEra.ts'
import { otherPlacebos } from './otherShuffles.ts'
import { Splitmix, seedOfId } from './splitmix.ts'

const dates = (count: number) => Array.from({ length: count }, () => ({ date: '2026-10-15' }))

/** Results with ties, of one value, all won, all lost, of many sizes, some without an end. */
const results = fc.oneof(
  fc.constant(fc.integer({ min: -4, max: 4 }).map(value => value / 4)),
  fc.integer({ min: -9, max: 9 }).map(value => fc.constant(value / 10)),
  fc.constant(fc.integer({ min: 1, max: 60 }).map(value => value / 100)),
  fc.constant(fc.constantFrom(-1, -0.5)),
  fc.constant(fc.integer({ min: -1e6, max: 3e6 }).map(value => value / 1e6)),
  fc.constant(
    fc.option(
      fc.integer({ min: -100, max: 40 }).map(value => value / 100),
      { freq: 6 },
    ),
  ),
)

/** One trade a session, some, or all of one session; none in the rule, some, or all. */
const ledgers = fc
  .tuple(
    results,
    fc.constantFrom(1, 2, 9, 10, 11, 40),
    fc.constantFrom(0, 1, 4, 19, 20, 30, 50),
    fc.constantFrom(0, 0.3, 0.7, 1),
  )
  .chain(([r, sessions, count, share]) => {
    const row = fc.record({
      r,
      session: fc.integer({ min: 0, max: sessions - 1 }),
      decidedAt: fc.integer({ min: 571, max: 900 }),
      dice: fc.integer({ min: 0, max: 99 }),
    })
    return fc
      .uniqueArray(row, {
        minLength: count,
        maxLength: count,
        selector: one => `${one.session} ${one.decidedAt}`,
      })
      .map(rows =>
        rows
          .map(({ dice, ...one }) => ledgerTrade({ ...one, isInRule: dice < 100 * share }))
          .sort((a, b) => a.session - b.session || a.decidedAt - b.decidedAt),
      )
  })

test('every figure of an era is that of a second form, also of ties, one day and one value', () => {
  const seen = { same: 0, oneDay: 0, none: 0, losses: 0, t: 0, whole: 0 }
  const property = fc.property(ledgers, fc.integer({ min: 1, max: 1e9 }), (trades, seed) => {
    const stretch = { from: 0, to: 40 }
    const record = { trades, missed: [], hasConditions: true }
    const found = computeEra({ record, stretch, dates: dates(40), seed: BigInt(seed) })
    const due = otherEra(trades, 0, 40, new Splitmix(seed))
    expectAlike(found, due)
    const r = new Set(trades.filter(one => one.r !== null && one.isInRule).map(one => one.r))
    seen.same += Number(due.n > 1 && r.size === 1)
    seen.oneDay += Number(due.days === 1)
    seen.none += Number(due.n === 0)
    seen.losses += Number(due.prob_loss_20 !== null)
    seen.t += Number(due.net_rr_t !== null)
    seen.whole += Number(due.n === due.core.n && due.n > 0)
  })
  fc.assert(property, { numRuns: 300 })
  expect(Object.entries(seen).filter(([, count]) => count < 4)).toEqual([])
})

test('each era of rules that the engine ran is that of its trades, drawn from the id', () => {
  const market = randomMarket({ seed: 9, sessionCount: 130, dteMax: 1 })
  const findPlace = new Map(market.sessions.map(({ date }, index) => [date, index]))
  let losses = 0
  for (const seed of [3, 8, 19, 34, 56, 66, 97, 112].slice(0, runs(8, 4))) {
    const spec = randomSpec(seed, 1)
    const requested = { spec, ruleHash: ruleHash(spec), seedId: `i_${seed}` }
    const { result, ledger } = computeRun(market, madeRequest(requested))
    for (const [leg, { eras }] of result.legs.entries()) {
      const trades = ledger.trades.filter(({ ruleLeg }) => ruleLeg === leg)
      for (const era of [eras.all, eras.this_year!, eras.holdout!]) {
        const [from, to] = [findPlace.get(era.from)!, findPlace.get(era.to)! + 1]
        expectAlike(era, otherEra(trades, from, to, new Splitmix(seedOfId(`i_${seed}`))))
        losses += Number(era.prob_loss_20 !== null)
      }
    }
  }
  expect(losses).toBeGreaterThan(5)
})

/** Some sessions with one to three fixed trades, and triggers of its own between them. */
const held = fc.integer({ min: 8, max: 26 }).chain(sessions =>
  fc
    .uniqueArray(
      fc.record({
        session: fc.integer({ min: 0, max: sessions - 1 }),
        slot: fc.integer({ min: 0, max: 2 }),
        r: fc.integer({ min: -20, max: 12 }).map(value => value / 20),
        isInRule: fc.boolean(),
        isFixed: fc.integer({ min: 0, max: 5 }).map(value => value > 0),
      }),
      {
        minLength: 12,
        maxLength: 50,
        selector: ({ session, slot }) => `${session} ${slot}`,
      },
    )
    .map(rows => ({
      sessions,
      core: rows
        .map(one => ledgerTrade({ ...one, isInRule: one.isInRule || !one.isFixed }))
        .filter(isResolved),
    })),
)

test('shuffled weeks are those of the documented draws, and the p of all is theirs', () => {
  let shuffled = 0
  const property = fc.property(
    held,
    fc.constantFrom(0.5, 0.1, 0.04, 0.01),
    fc.integer({ min: 1, max: 1e9 }),
    ({ sessions, core }, threshold, seed) => {
      const indexes = Array.from({ length: sessions }, (_, index) => index)
      const often = 1 / (2 * sessions) > threshold ? Math.ceil(20 / threshold) : 0
      const due = otherPlacebos(core, indexes, often, new Splitmix(seed))
      if (due === null || !Number.isFinite(due.own) || Math.abs(due.own) > 1e8) return
      const query = {
        core,
        sessions: indexes,
        ownT: due.own,
        threshold: threshold,
        seed: BigInt(seed),
      }
      const found = computePlacebo(query)
      const all = [due.own, ...due.turned, ...due.shuffled]
      const asGood = all.filter(t => t >= due.own - 1e-9 * Math.max(1, Math.abs(due.own))).length
      expect([found.arrangements, found.shuffles]).toEqual([
        1 + due.turned.length,
        due.shuffled.length,
      ])
      expectAlike(found.p, asGood / all.length)
      const sorted = all.sort((a, b) => a - b)
      expectAlike(found.quantiles[3], findMedian(sorted))
      shuffled += Number(due.shuffled.length > 0)
    },
  )
  fc.assert(property, { numRuns: 60 })
  expect(shuffled).toBeGreaterThan(4)
})

const findMedian = (sorted: readonly number[]) =>
  (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2
