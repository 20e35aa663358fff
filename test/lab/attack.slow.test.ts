// The same attack on simulated histories, with conditions of the language and the whole engine.

import { expect, test } from 'vitest'
import { simulateLab } from '../../pipelines/simulate/labMarket.ts'
import { backtest } from '../../src/lab/engine/backtest.ts'
import type { RuleSpec } from '../../src/lab/language/spec.ts'
import { attack } from '../support/labAttack.ts'

const HISTORIES = 80
/** Those that are attacked with all results at hand, too. */
const OPEN_HISTORIES = 32

/** Conditions that always hold, so that the ledger has the value of each. */
const spec: RuleSpec = {
  v: 1,
  core: {
    action: 'sell',
    structure: 'put_spread',
    width: 20,
    strike: { ref: 'em', mult: 0.5 },
    dte: 0,
    qty: 1,
    entry: { at: '11:00' },
    exit: [{ at: 'expiry' }],
  },
  when: [
    { f: 'net_gamma', op: '>=', v: -1e6, u: 'musd_pt' },
    { f: 'abs_gap', op: '>=', v: 0, u: 'pct' },
    { f: 'move_from_open', op: '>=', v: -100, u: 'pct' },
    { f: 'spot_minus_flip', op: '>=', v: -1e5, u: 'pt' },
    { f: 'atm_iv_change', op: '>=', v: -1e3, u: 'vol_pt' },
  ],
}

test('of 80 null histories at most 2.5% take a rule that was fitted to all that is shown', () => {
  const passed = { sealed: 0, open: 0 }
  for (let seed = 0; seed < HISTORIES; seed++) {
    const options = { seed: 5_000 + seed, furthestDte: 0, plantedSd: 0 }
    const market = simulateLab({ ...options, sessionCount: 172, until: '2026-10-15' })
    const pass = (isOpen: boolean) =>
      Number(attack(market, backtest, { spec, isOpen }).isInteresting)
    passed.sealed += pass(false)
    if (seed < OPEN_HISTORIES) passed.open += pass(true)
  }
  console.info(JSON.stringify(passed))
  expect(passed.sealed).toBeLessThanOrEqual(HISTORIES * 0.025)
  expect(passed.open).toBeGreaterThan(OPEN_HISTORIES * 0.1)
})
