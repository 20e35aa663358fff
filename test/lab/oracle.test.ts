// The backtest and a second one, written apart from the same contract, say the same.

import { expect, test } from 'vitest'
import { EXIT_REASONS, MISSED_REASONS } from '../../src/lab/engine/trade.ts'
import { compareBacktests } from './comparisons.ts'

test('48 random rules over 12 sessions give the same trades in every figure to 1e-9', () => {
  const run = { seed: 2_056, specCount: 48, specsOfMarket: 8, sessionCount: 12 }
  const { differences, tradeCount, text } = compareBacktests(run)
  expect(differences).toEqual([])
  expect(tradeCount).toBeGreaterThan(800)
  const words = [...EXIT_REASONS, ...MISSED_REASONS, 'late', 'quote', 'smile']
  expect(words.filter(word => !text[word])).toEqual([])
})
