// A market on which ideas can be tested in a second, made without files.

import { neighbourSession } from '../../src/core/market/calendar.ts'
import type { LabMarket } from '../../src/lab/market/session.ts'
import { session } from '../lab/engine/market.ts'
import { randomNumbers } from './random.ts'

const STRIKES = Array.from({ length: 15 }, (_, index) => 5965 + 5 * index)

/** Sessions of two expiries that settle at random, on days with and without gamma. */
export function smallMarket(count = 125): LabMarket {
  const random = randomNumbers(5)
  const dates = [neighbourSession('2025-12-31', 1).date]
  while (dates.length < count + 1) dates.push(neighbourSession(dates.at(-1)!, 1).date)
  const sessions = dates.slice(0, count).map((date, index) => {
    const gamma = random() < 0.5 ? 500 : -500
    return session({
      date,
      columns: { netGamma: () => gamma },
      expiries: [0, 1].map(dte => ({ expiry: dates[index + dte]!, strikes: STRIKES })),
      settlement: 5965 + 70 * random(),
    })
  })
  return { kind: 'simulated', sessions, leftOut: [], hash: 'ab' }
}
