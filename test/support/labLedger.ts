import { neighbourSession } from '../../src/core/market/calendar.ts'
import { ASSUMED, type Trade, type TradeLedger } from '../../src/lab/engine/trade.ts'
import {
  isCompared,
  type RuleCondition,
  type RuleSpec,
  ruleHash,
} from '../../src/lab/language/spec.ts'
import type { LabMarket, LabSession } from '../../src/lab/market/session.ts'
import type { RunRequest } from '../../src/lab/verdict/request.ts'
import type { ReplayRule } from '../../src/lab/verdict/run.ts'

/** Ledgers of LAB without a market: what a rule's statistics are judged on. */

const LEG: Trade['legs'][number] = {
  type: 'P',
  sign: -1,
  targetStrike: 5800,
  strike: 5800,
  exit: null,
  entry: { bid: 1, ask: 1.2, mid: 1.1, halfSpread: 0.1, source: 'quote' },
}

/** A trade of 1,000 USD at risk with a result; null: its end is not known. */
export const ledgerTrade = (
  row: Partial<Trade> & { readonly session: number; readonly r: number | null },
): Trade => ({
  ruleLeg: 0,
  decidedAt: 600,
  filledAt: 600,
  slot: 600,
  isFixed: true,
  isInRule: true,
  conditions: [],
  legs: [LEG],
  net: 1,
  exitSession: row.session,
  exitAt: null,
  exitReason: row.r === null ? 'unresolved' : 'settlement',
  isLate: false,
  closeNet: 0,
  settlement: 5800,
  feesUsd: 0,
  pnlUsd: row.r === null ? null : 1000 * row.r,
  riskUsd: 1000,
  worstUsd: row.r === null ? -1000 : null,
  ...row,
})

/** Events of one day of a made market. */
export type MadeDay = {
  /** Result of a trade by clock, at half a spread of nothing; one each slot. */
  readonly r: readonly number[]
  /** Operand of the first condition, by slot. */
  readonly value: readonly number[]
}

/** Sessions of the calendar from a date on, with what `madeReplay` reads. */
export function madeMarket(days: readonly MadeDay[], first = '2024-01-02'): LabMarket {
  const sessions: LabSession[] = []
  let date = first
  for (const { r, value } of days) {
    const market = { spot: Float64Array.from(r), netGamma: Float64Array.from(value) }
    sessions.push({ date, isHalfDay: false, firstMinute: 571, market } as unknown as LabSession)
    date = neighbourSession(date, 1).date
  }
  return { kind: 'simulated', sessions, leftOut: [], hash: 'made' }
}

/** An engine that takes its results from a made market: one trade a slot, in the rule or not. */
export const madeReplay: ReplayRule = (market, spec, { assume, sessions }) => {
  const trades: Trade[] = []
  for (const [ruleLeg, { core, when }] of [spec, ...(spec.more ?? [])].entries()) {
    const cost = 0.02 * assume.spreadFactor + 0.01 * assume.delayMin
    for (let session = sessions.from; session < sessions.to; session++) {
      const { spot, netGamma } = market.sessions[session]!.market
      spot.forEach((result, slot) => {
        const r = (core.action === 'sell' ? 1 : -1) * result * findScale(spec) - cost
        const isInRule = when.every(one => holds(one, netGamma[slot]!))
        trades.push(ledgerTrade({ ruleLeg, session, r, isInRule, slot, decidedAt: 600 + slot }))
      })
    }
  }
  return { trades, missed: [] } satisfies TradeLedger
}

/** So that a width is a number that changes something. */
const findScale = ({ core }: RuleSpec) => 1 + ((core.width ?? 10) - 10) / 100

function holds(one: RuleCondition, value: number): boolean {
  if (!isCompared(one)) return true
  return one.op.startsWith('>') ? value >= one.v : value <= one.v
}

/** A rule whose one condition is net gamma above zero. */
export const MADE_RULE: RuleSpec = {
  v: 1,
  core: {
    action: 'sell',
    structure: 'put_spread',
    width: 10,
    dte: 0,
    qty: 1,
    strike: { ref: 'spot', offset: -30 },
    entry: { at: '10:00' },
    exit: [{ at: 'expiry' }],
  },
  when: [{ f: 'net_gamma', op: '>=', v: 200, u: 'musd_pt' }],
}

export const madeRequest = (change: Partial<RunRequest> = {}): RunRequest => ({
  kind: 'backtest',
  job: 'j_1',
  seedId: 'i_1',
  spec: MADE_RULE,
  say: 'Sell.',
  ruleHash: ruleHash(change.spec ?? MADE_RULE),
  assume: ASSUMED,
  holdoutFrom: null,
  firstTestedTo: null,
  lineage: { versions: 1, trials: 1, looks: 1, family_trials: 1, family_looks: 1 },
  ...change,
})
