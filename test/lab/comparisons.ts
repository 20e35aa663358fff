/** Runs both backtests on random rules and random markets. */

import { backtest } from '../../src/lab/engine/backtest.ts'
import { ledgerDifferences } from './ledgerDifferences.ts'
import { findDice, randomMarket } from './randomMarket.ts'
import { randomSpec } from './randomSpec.ts'
import { type ReferenceOptions, referenceBacktest } from './reference.ts'

export type Compared = {
  readonly differences: readonly string[]
  readonly tradeCount: number
  /** Counts of each outcome that a ledger can report. */
  readonly text: Readonly<Record<string, number>>
}

/** Compares them over so many rules, a new market after every few of them. */
export function compareBacktests(options: {
  readonly seed: number
  readonly specCount: number
  readonly specsOfMarket: number
  readonly sessionCount: number
}): Compared {
  const { seed, specCount, specsOfMarket, sessionCount } = options
  const differences: string[] = []
  const text: Record<string, number> = {}
  let tradeCount = 0
  let market = randomMarket({ seed, sessionCount })
  for (let number = 0; number < specCount; number++) {
    const specSeed = seed + number
    if (number > 0 && number % specsOfMarket === 0) {
      market = randomMarket({ seed: specSeed, sessionCount })
    }
    const spec = randomSpec(specSeed)
    const run = randomRun(specSeed, sessionCount)
    const wanted = referenceBacktest(market, spec, run)
    const found = ledgerDifferences(backtest(market, spec, run), wanted)
    const name = `market of seed ${seed + number - (number % specsOfMarket)}, rule ${specSeed}`
    differences.push(...found.map(text => `${name}: ${text}`))
    tradeCount += wanted.trades.length
    const words = [
      ...wanted.missed.map(({ reason }) => reason),
      ...wanted.trades.flatMap(trade => [
        trade.exitReason,
        ...(trade.isLate ? ['late'] : []),
        ...trade.legs.map(({ entry }) => entry.source),
      ]),
    ]
    for (const word of words) text[word] = (text[word] ?? 0) + 1
  }
  return { differences, tradeCount, text }
}

/** Assumptions of a test, and the sessions it may decide on. */
function randomRun(seed: number, sessionCount: number): ReferenceOptions {
  const { isHit, whole, between } = findDice(seed * 7 + 1)
  return {
    assume: {
      delayMin: isHit(0.6) ? 0 : whole(1, 6),
      spreadFactor: isHit(0.5) ? 1 : isHit(0.4) ? 0 : between(0, 2),
      feeUsd: isHit(0.8) ? 1.3 : between(0, 5),
    },
    sessions: {
      from: isHit(0.7) ? 0 : whole(0, 3),
      to: isHit(0.7) ? sessionCount : sessionCount - whole(0, 3),
    },
    designCount: isHit(0.9) ? Math.floor(sessionCount * 0.8) : sessionCount,
  }
}
