// Rules over a week of real quotes: every trade worked out a second time from the vendor's bars.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backtest } from '../../src/lab/engine/backtest.ts'
import { ASSUMED, type Trade, type TradeLedger } from '../../src/lab/engine/trade.ts'
import type { RuleSpec } from '../../src/lab/language/spec.ts'
import { readMarket } from '../../src/lab/market/readMarket.ts'
import type { LabMarket } from '../../src/lab/market/session.ts'
import { computeRun } from '../../src/lab/verdict/computeRun.ts'
import { type HandDay, type HandRule, type HandTrade, handTrade } from '../support/handTrades.ts'
import { madeRequest } from '../support/labLedger.ts'
import { parityIndex, readLeanDay } from '../support/leanBars.ts'
import { buildLeanDay, importLeanDay, takeGradeOff } from '../support/leanFolder.ts'
import { hasSharedData } from '../support/shared.ts'

/**
 * The sample has the index of the first day alone. Of the others call less put at 3700 stands for
 * it, which picks strikes and nothing more; they settle at the closes that the exchange published.
 */
const WEEK = [
  { date: '2021-01-04', official: null },
  { date: '2021-01-05', official: 3726.86 },
  { date: '2021-01-06', official: 3748.14 },
  { date: '2021-01-07', official: 3803.79 },
  { date: '2021-01-08', official: 3824.68 },
] as const
const SESSIONS = [
  ...WEEK.map(({ date }) => date),
  '2021-01-11',
  '2021-01-12',
  '2021-01-13',
  '2021-01-14',
  '2021-01-15',
]

const root = mkdtempSync(join(tmpdir(), 'tapefold-week-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const hand: HandDay[] = []
let market: LabMarket

beforeAll(async () => {
  if (!hasSharedData) return
  for (const { date, official } of WEEK) {
    const day = readLeanDay(date)
    const index = official === null ? day.index : parityIndex(day)
    hand.push({ day, index, settlement: official ?? 3700.65 })
    await importLeanDay(root, day, official === null ? {} : { index, official })
    await buildLeanDay(root, date)
    takeGradeOff(root, date)
  }
  market = await readMarket(root)
})

const findSpec = ({ entry, exit, ...core }: HandRule): RuleSpec =>
  ({ v: 1, core: { ...core, entry, exit }, when: [] }) as unknown as RuleSpec

function replay(rule: HandRule): TradeLedger {
  const count = market.sessions.length
  const sessions = { from: 0, to: count }
  return backtest(market, findSpec(rule), { assume: ASSUMED, sessions, designCount: count })
}

/** A trade of the engine in the words of the other one. */
const reported = (trade: Trade): HandTrade => ({
  legs: trade.legs.map(({ sign, strike, type }) => `${sign > 0 ? '+' : '-'}${strike}${type}`),
  net: trade.net,
  reason: trade.exitReason,
  out: trade.exitAt === null ? null : [trade.exitSession!, trade.exitAt],
  isLate: trade.isLate,
  closeNet: trade.closeNet,
  settlement: trade.settlement,
  feesUsd: trade.feesUsd,
  pnlUsd: trade.pnlUsd,
  riskUsd: trade.riskUsd,
})

const STRUCTURES = [
  'put_spread',
  'call_spread',
  'iron_condor',
  'iron_butterfly',
  'strangle',
  'straddle',
] as const
const EXITS: readonly HandRule['exit'][] = [
  [{ at: 'expiry' }],
  [{ at: '15:45' }],
  [{ at: '11:00', day: 1 }],
  [{ profit_pct: 25 }],
  [{ at: '15:30' }, { profit_pct: 10 }],
]
const STOPS = {
  sell: [[{ stop_x_credit: 1.2 }], [{ profit_pct: 50 }, { stop_x_credit: 2 }]],
  buy: [[{ stop_pct_debit: 30 }], [{ profit_pct: 20 }, { stop_pct_debit: 10 }]],
} as const
const STRIKES: readonly HandRule['strike'][] = [
  ...[-60, -30, 0, 45].map(offset => ({ ref: 'spot', offset })),
  { ref: 'em', mult: 1 },
  { ref: 'delta', value: 0.3 },
  { ref: 'put_wall', offset: 0 },
]

/** Rules of every structure, expiry and exit; a width of 100 is the one that the sample lists. */
function* rules(): Generator<HandRule> {
  for (const action of ['sell', 'buy'] as const) {
    for (const structure of STRUCTURES) {
      const widths = /strangle|straddle/.test(structure) ? [undefined] : [100, 10]
      for (const width of widths) {
        for (const strike of STRIKES) {
          for (const dte of [0, 1, 2, 3, 5]) {
            for (const at of ['09:31', '10:00', '12:30', '15:50', '15:59']) {
              for (const exit of [...EXITS, ...STOPS[action]]) {
                const sized = width === undefined ? {} : { width }
                yield { action, structure, ...sized, strike, dte, qty: 2, entry: { at }, exit }
              }
            }
          }
        }
      }
    }
  }
}

const isNear = (ours: number | null, theirs: number | null) =>
  ours === theirs || (ours !== null && theirs !== null && Math.abs(ours - theirs) < 1e-7)

/** Differences between two accounts of a trade. */
const differences = (ours: HandTrade, theirs: HandTrade): string[] =>
  (Object.keys(theirs) as (keyof HandTrade)[]).filter(name => {
    const [one, other] = [ours[name], theirs[name]]
    return typeof one === 'number' && typeof other === 'number'
      ? !isNear(one, other)
      : JSON.stringify(one) !== JSON.stringify(other)
  })

describe.skipIf(!hasSharedData)('a week of real quotes', () => {
  test('is five real sessions, with the values they settled at', () => {
    expect([market.kind, market.leftOut]).toEqual(['real', []])
    expect(market.sessions.map(one => [one.date, one.settlement, one.settlementSource])).toEqual([
      ['2021-01-04', 3700.65, 'index_unchanged'],
      ...WEEK.slice(1).map(({ date, official }) => [date, official, 'official']),
    ])
  })

  test.each([
    ['2021-01-06', 2],
    ['2021-01-08', 4],
  ])('the exchange closed %s where its last quotes stood', (date, position) => {
    const { index } = hand[position]!
    expect(Math.abs(index.get(959)! - market.sessions[position]!.settlement!), date).toBeLessThan(4)
  })

  test('every trade of every rule is what the bars say, cent by cent', () => {
    const counts: Record<string, number> = {}
    const count = (what: string) => {
      counts[what] = (counts[what] ?? 0) + 1
    }
    const wrong: unknown[] = []
    for (const rule of rules()) {
      const { trades, missed } = replay(rule)
      for (const index of hand.keys()) {
        const wanted = handTrade(hand, SESSIONS, index, rule)
        const trade = trades.find(one => one.session === index)
        const chance = missed.find(one => one.session === index)
        if (typeof wanted === 'string') {
          count(wanted)
          if (trade || chance?.reason !== wanted)
            wrong.push({ rule, place: index, wanted, trade, chance })
          continue
        }
        count(wanted.reason)
        if (wanted.isLate) count('late')
        const other = trade && !chance ? differences(reported(trade), wanted) : ['missing']
        if (other.length > 0) wrong.push({ rule, place: index, wanted, other, trade, chance })
      }
    }
    expect(wrong.slice(0, 3)).toEqual([])
    expect(counts).toEqual({
      settlement: 1968,
      profit: 1504,
      stop: 1292,
      time: 3143,
      late: 383,
      unresolved: 2159,
      wing_not_listed: 25_480,
      no_expiry: 58_800,
      no_price: 854,
      no_reference: 27_300,
    })
  })

  test('a straddle 40 points from the requested strike reports that distance', () => {
    const core = {
      action: 'sell',
      structure: 'straddle',
      strike: { ref: 'spot', offset: 0 },
    } as const
    const rule = { ...core, dte: 2, qty: 1, entry: { at: '10:00' }, exit: [{ at: 'expiry' }] }
    const spec = findSpec(rule)
    const { result, ledger } = computeRun(market, madeRequest({ spec, kind: 'backtest' }))
    // of the last two days nothing is entered, as it would end after them
    const away = hand.slice(0, 3).flatMap((day, index) => {
      const trade = handTrade(hand, SESSIONS, index, rule)
      if (typeof trade === 'string') return []
      return [Math.abs(day.index.get(599)! - Number(trade.legs[0]!.slice(1, -1)))]
    })
    expect(ledger.trades).toHaveLength(away.length)
    const far = away.filter(points => points > 12.5)
    expect(far.length).toBeGreaterThan(0)
    expect(result.says).toContain(
      `${far.length} trade${far.length > 1 ? 's' : ''} took strikes more than 12.5 points from ` +
        'what the rule asks for, as none nearer was listed; the furthest was ' +
        `${Math.max(...far).toFixed(1)} points away.`,
    )
    expect(result.data).toMatchObject({ kind: 'real', used: 5, left_out: [] })
    expect(result.says.join(' ')).toContain('5 sessions; a holdout needs 120.')
  })
})
