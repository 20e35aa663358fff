// Results of random rules on random markets.

import { expect, test } from 'vitest'
import { neighbourSession } from '../../../src/core/market/calendar.ts'
import type { LabMarket, LabSession } from '../../../src/lab/market/session.ts'
import { LabResult } from '../../../src/lab/result.ts'
import { computeRun } from '../../../src/lab/verdict/computeRun.ts'
import { madeRequest } from '../../support/labLedger.ts'
import { randomMarket } from '../engine/randomMarket.ts'
import { randomSpec } from '../randomSpec.ts'

/** Sessions without any sense, one after the other on days of the calendar. */
function senselessMarket(seed: number, count: number): LabMarket {
  const drawn = [0, 1, 2, 3, 4].flatMap(part => randomMarket(seed + part).sessions)
  const dates = [neighbourSession('2025-12-31', 1).date]
  while (dates.length < count + 6) dates.push(neighbourSession(dates.at(-1)!, 1).date)
  const sessions = Array.from({ length: count }, (_, index): LabSession => {
    const one = drawn[(index * 7) % drawn.length]!
    const expiries = one.expiries.map(
      (expiry, dte) => expiry && { ...expiry, expiry: dates[index + dte]! },
    )
    return { ...one, date: dates[index]!, expiries }
  })
  return { kind: 'real', sessions, leftOut: [], hash: 'cd' }
}

test('any rule on any market has a result of the schema, and a reason for what is null', () => {
  let trades = 0
  for (let seed = 1; seed <= 12; seed++) {
    const spec = randomSpec(seed, 2)
    const { result, ledger } = computeRun(
      senselessMarket(seed, 125),
      madeRequest({ spec, kind: 'backtest' }),
    )
    trades += ledger.trades.length
    expect(LabResult.parse(result)).toEqual(result)
    for (const { eras, verdict } of result.legs) {
      const { rule, reasons, net_rr_t: t } = eras.holdout!
      expect(rule.mean === null).toBe('rule.mean' in reasons)
      expect(t === null).toBe('net_rr_t' in reasons)
      expect(verdict!.interesting).toBe(verdict!.gates.every(({ ok }) => ok))
    }
    expect(result.says.every(text => text.endsWith('.') && !/null|NaN|undefined/.test(text))).toBe(
      true,
    )
  }
  expect(trades).toBeGreaterThan(100)
})
