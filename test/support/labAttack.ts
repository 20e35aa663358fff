// The attack on a holdout: fit a threshold on all results that a test shows, and look again.

import { ASSUMED } from '../../src/lab/engine/trade.ts'
import {
  canonicalSpec,
  isCompared,
  type RuleCondition,
  type RuleSpec,
} from '../../src/lab/language/spec.ts'
import type { LabMarket } from '../../src/lab/market/session.ts'
import type { LabResult } from '../../src/lab/result.ts'
import { sealTradeRows, type TradeRow, tradeRows } from '../../src/lab/runs/tradeTable.ts'
import { testDifference } from '../../src/lab/verdict/clustered.ts'
import { GATES } from '../../src/lab/verdict/gates.ts'
import { type ReplayRule, runWith } from '../../src/lab/verdict/run.ts'
import { madeRequest } from './labLedger.ts'

/** Thresholds tried for each condition, between the lowest and the highest value. */
const TRIED = 60
/** Days of the holdout on each side that a verdict needs. */
const DAYS_MIN = 20

/**
 * Tests a rule whose conditions always hold, fits one of them to the results that it shows, and
 * tests the fitted rule: whether it is called interesting, and beats its core by two errors.
 * `isOpen` shows all trades, as if nothing were sealed.
 */
export function attack(
  market: LabMarket,
  replay: ReplayRule,
  { spec, isOpen }: { readonly spec: RuleSpec; readonly isOpen: boolean },
): { readonly isInteresting: boolean; readonly isFarFromCore: boolean } {
  const first = look(market, replay, spec, 1)
  const rows = tradeRows(first.ledger, {
    dates: market.sessions.map(({ date }) => date),
    holdout: first.result.holdout,
    firstTestedTo: null,
  })
  const shown = isOpen ? rows : sealTradeRows(rows, first.sealed.sealed ?? null)
  const when = fitCondition(canonicalSpec(spec), shown)
  const { result } = look(market, replay, { ...spec, when: [when] }, 2)
  const { interesting, net_rr_t: t } = result.legs[0]!.verdict!
  return { isInteresting: interesting, isFarFromCore: (t ?? 0) >= GATES.tMin }
}

function look(market: LabMarket, replay: ReplayRule, spec: RuleSpec, looks: number) {
  const lineage: LabResult['lineage'] = {
    versions: looks,
    trials: looks,
    looks,
    family_trials: looks,
    family_looks: looks,
  }
  const request = madeRequest({ spec, assume: ASSUMED, lineage })
  return runWith({ market, request, replay })
}

type Fitted = { readonly condition: RuleCondition; readonly t: number }

/** Threshold with the best t of all, by the results that are shown. */
function fitCondition({ when }: RuleSpec, rows: readonly TradeRow[]): RuleCondition {
  const fits = when.flatMap((one, index): Fitted[] => {
    if (!isCompared(one)) return []
    const valued = rows.flatMap(row => {
      const value = (row.conditions as readonly { value: number | null }[])[index]?.value ?? null
      return value === null ? [] : [{ row, value }]
    })
    const values = valued.map(({ value }) => value).sort((a, b) => a - b)
    return Array.from({ length: TRIED }, (_, step) => {
      const v = values[Math.floor((values.length * (step + 1)) / (TRIED + 2))] ?? 0
      return (['>=', '<='] as const).flatMap(op => {
        const isOn = ({ value }: { readonly value: number }) =>
          op === '>=' ? value >= v : value <= v
        const held = valued.filter(({ row }) => row.era === 'holdout')
        const on = held.filter(isOn).length
        if (on < DAYS_MIN || held.length - on < DAYS_MIN) return []
        const known = valued.filter(({ row }) => row.r !== null)
        // with the holdout at hand, the rest is of no use
        const isKnown = known.some(({ row }) => row.era === 'holdout')
        const used = known.filter(({ row }) => !isKnown || row.era === 'holdout')
        const { t } = testDifference(
          used.map(({ row }) => row.r as number),
          used.map(({ row }) => Number((row.session_date as string).replaceAll('-', ''))),
          used.map(isOn),
        )
        return t === null ? [] : [{ condition: { ...one, op, v }, t }]
      })
    }).flat()
  })
  return fits.reduce((best, fit) => (fit.t > best.t ? fit : best)).condition
}
