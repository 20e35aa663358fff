// Runs on the engine itself: what the variants may know, and that sharing them changes nothing.

import { expect, test } from 'vitest'
import { neighbourSession } from '../../../src/core/market/calendar.ts'
import type { LabMarket, LabSession } from '../../../src/lab/market/session.ts'
import { LabResult } from '../../../src/lab/result.ts'
import { computeRun, variantRows } from '../../../src/lab/verdict/computeRun.ts'
import type { RunRequest } from '../../../src/lab/verdict/request.ts'
import { madeRequest } from '../../support/labLedger.ts'
import { randomNumbers } from '../../support/random.ts'
import { rule, session } from '../engine/market.ts'

const STRIKES = Array.from({ length: 15 }, (_, index) => 5965 + 5 * index)

/** Sessions of three expiries that settle at random, on days with and without gamma. */
function marketFrom(seed: number, count: number): LabMarket {
  const random = randomNumbers(seed)
  const sessions: LabSession[] = []
  const dates = [neighbourSession('2025-12-31', 1).date]
  while (dates.length < count + 2) dates.push(neighbourSession(dates.at(-1)!, 1).date)
  for (let index = 0; index < count; index++) {
    const gamma = random() < 0.5 ? 500 : -500
    sessions.push(
      session({
        date: dates[index]!,
        columns: { netGamma: () => gamma },
        expiries: [0, 1].map(dte => ({ expiry: dates[index + dte]!, strikes: STRIKES })),
        settlement: 5965 + 70 * random(),
      }),
    )
  }
  return { kind: 'simulated', sessions, leftOut: [], hash: 'ab' }
}

const SPEC = rule(
  { width: 10, strike: { ref: 'spot', offset: -10 }, dte: 1, exit: [{ profit_pct: 50 }] },
  { when: [{ f: 'net_gamma', op: '>=', v: 400, u: 'musd_pt' }] },
)
const query = (change: Partial<RunRequest> = {}) =>
  madeRequest({ spec: SPEC, kind: 'quant', ...change })

const market = marketFrom(1, 130)
const known = computeRun(market, query())

test('a quant of the engine is a result, the same however it is shared', () => {
  expect(LabResult.parse(known.result)).toEqual(known.result)
  const rows = [2, 0, 1].flatMap(part => variantRows(market, query(), { part, of: 3 }))
  const seen: number[] = []
  const shared = computeRun(market, query(), (done, total) => seen.push(done / total), rows)
  expect(JSON.stringify(shared)).toBe(JSON.stringify(known))
  expect([seen.length, seen.at(-1)]).toEqual([6, 1])
  expect(known.result.legs[0]!.eras.all.n).toBeGreaterThan(30)
})

test('other sessions in the holdout change no variant and no line of the sensitivity', () => {
  const from = market.sessions.findIndex(({ date }) => date === known.result.holdout!.from)
  expect(from).toBe(70)
  const other = marketFrom(2, 130).sessions.slice(from)
  const changed = { ...market, sessions: [...market.sessions.slice(0, from), ...other] }
  const { result } = computeRun(changed, query())
  expect(result.optimize).toEqual(known.result.optimize)
  expect(result.sensitivity).toEqual(known.result.sensitivity)
  expect(result.legs[0]!.eras.holdout).not.toEqual(known.result.legs[0]!.eras.holdout)
  // and a struct knows nothing else
  const [one, two] = [market, changed].map(sessions =>
    computeRun(sessions, query({ kind: 'struct' })),
  )
  expect(two).toEqual(one)
  expect(one!.result).toMatchObject({ holdout: null, legs: [{ verdict: null, placebo: null }] })
})

test('what would end after the data is not entered, and every trade has its end', () => {
  const { trades, missed } = known.ledger
  const last = Math.max(...[...trades, ...missed].map(one => one.session))
  expect(last).toBe(128)
  expect(trades.filter(({ r }) => r === null)).toEqual([])
  expect(known.result.says[0]).toMatch(/ In the last 1 session nothing is entered: it would end /)
})
