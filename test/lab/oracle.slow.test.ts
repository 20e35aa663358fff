// The backtest and a second one, written apart from the same contract, say the same.

import { expect, test } from 'vitest'
import { compareBacktests } from './comparisons.ts'

test('200 random rules over 60 sessions give the same trades in every figure to 1e-9', () => {
  const run = { seed: 20_260_924, specCount: 200, specsOfMarket: 40, sessionCount: 60 }
  const { differences, tradeCount } = compareBacktests(run)
  expect(differences).toEqual([])
  expect(tradeCount).toBeGreaterThan(20_000)
})
