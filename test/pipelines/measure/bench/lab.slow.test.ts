// Measurements of the bench of LAB, on as few sessions as have a holdout.

import { expect, test } from 'vitest'
import { measureLab } from '../../../../pipelines/measure/bench/lab.ts'

test('130 sessions are tested, with hundreds of variants, and each takes its time', () => {
  const speed = measureLab(130)
  expect(speed.trades).toBeGreaterThan(100)
  expect(speed.variants).toBeGreaterThan(200)
  expect(speed.variants).toBeLessThanOrEqual(500)
  for (const taken of [speed.backtest_seconds, speed.share_seconds, speed.quotes_seconds]) {
    expect(taken).toBeGreaterThan(0)
  }
})
