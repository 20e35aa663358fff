// A whole run over made markets: what it answers, and what it must not look at.

import { expect, test } from 'vitest'
import type { LabMarket } from '../../../src/lab/market/session.ts'
import { LabResult } from '../../../src/lab/result.ts'
import { rowsWith, runWith } from '../../../src/lab/verdict/run.ts'
import { type MadeDay, madeMarket, madeReplay, madeRequest } from '../../support/labLedger.ts'
import { randomNumbers } from '../../support/random.ts'

/** Days of which the odd ones have gamma, and earn so much more. */
function daysOf(count: number, edge: number, seed = 1): MadeDay[] {
  const random = randomNumbers(seed)
  return Array.from({ length: count }, () => {
    const isOn = random() < 0.5
    return { r: [random() - 0.5 + (isOn ? edge : 0)], value: [isOn ? 500 : 0] }
  })
}

const run = (market: LabMarket, change: Parameters<typeof madeRequest>[0] = {}) =>
  runWith({ market, request: madeRequest(change), replay: madeReplay }).result

test('a large edge on the days of the rule is interesting, and none is not', () => {
  const [good, none] = [daysOf(500, 0.4), daysOf(500, 0)].map(days => run(madeMarket(days)))
  expect(LabResult.parse(good)).toEqual(good)
  expect(good!.legs[0]!.verdict!.gates.filter(({ ok }) => !ok)).toEqual([])
  expect(good!.legs[0]!.verdict).toMatchObject({ interesting: true, bar: 0.025 })
  expect(none!.legs[0]!.verdict!.interesting).toBe(false)
  expect(good!.holdout).toMatchObject({ sessions: 100 })
})

test('a quant lists every variant, and is the same however it is shared', () => {
  const market = madeMarket(daysOf(400, 0.2))
  const work = { market, request: madeRequest({ kind: 'quant' }), replay: madeReplay }
  const whole = runWith(work).result
  const rows = [1, 0].flatMap(part => rowsWith(work, { part, of: 2 }))
  expect(runWith({ ...work, rows: JSON.parse(JSON.stringify(rows)) }).result).toEqual(whole)
  expect(LabResult.parse(whole)).toEqual(whole)
  const { optimize } = whole
  expect(optimize!.variants.length).toBe(optimize!.variants_tried)
})
