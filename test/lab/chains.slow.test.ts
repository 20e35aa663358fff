// A full chain of the exchange through LAB: what it prices, picks and trades, by the file's lines.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Row } from '../../src/core/engine/database.ts'
import { neighbourSession } from '../../src/core/market/calendar.ts'
import { callDeltas, legPrice, remainingMove } from '../../src/lab/engine/prices.ts'
import { readMarket } from '../../src/lab/market/readMarket.ts'
import type { LabMarket, LabSession } from '../../src/lab/market/session.ts'
import { computeRun } from '../../src/lab/verdict/computeRun.ts'
import { type ChainOption, chainRows, readChainFile } from '../support/chainDay.ts'
import { madeRequest } from '../support/labLedger.ts'
import { hasSharedData } from '../support/shared.ts'
import { findLedger, rule } from './engine/market.ts'
import { publishRows } from './market/publish.ts'
import { black76, totalVariance } from './referencePrices.ts'

const DAY = '2022-07-12'
/** 11:56, the minute at whose beginning the chain of 11:55 is known; it is a minute old there. */
const AT = 716 - 571
/** The closing value that the exchange published. */
const SETTLEMENT = 3818.8
/** Sessions of the next week. */
const EXPIRIES = [DAY, '2022-07-13', '2022-07-14', '2022-07-15', '2022-07-18', '2022-07-19']

const root = mkdtempSync(join(tmpdir(), 'tapefold-chains-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let rows: Readonly<Record<string, readonly Row[]>>
let options: ChainOption[]
let last: number
let market: LabMarket
let session: LabSession

beforeAll(async () => {
  if (!hasSharedData) return
  const file = '2022-07-12T1155_SPX.csv.gz'
  const chain = readChainFile(file)
  last = chain.last
  options = chain.options.filter(
    one =>
      one.root === 'SPXW' && EXPIRIES.includes(one.expiry) && Math.abs(one.strike - last) <= 700,
  )
  rows = await chainRows(file, DAY, SETTLEMENT)
  await publishRows(root, DAY, rows, { simulated: false })
  market = await readMarket(root)
  session = market.sessions[0]!
})

const findDte = ({ expiry }: ChainOption) => EXPIRIES.indexOf(expiry)

describe.skipIf(!hasSharedData)('a chain within a session', () => {
  test('each of 1,578 options is there at one minute, as its line has it', () => {
    const found = rows.option_minutes!.flatMap(row => [
      [`${row.expiry} ${row.strike} C`, row.dte, row.call_bid, row.call_ask, row.call_age_s],
      [`${row.expiry} ${row.strike} P`, row.dte, row.put_bid, row.put_ask, row.put_age_s],
    ])
    const none = (price: number) => (price === 0 ? null : price)
    const wanted = options.map(one => [
      `${one.expiry} ${one.strike} ${one.type}`,
      findDte(one),
      one.ask === 0 ? none(one.bid) : one.bid,
      none(one.ask),
      60,
    ])
    expect(new Set(rows.option_minutes!.map(row => row.minute_et))).toEqual(new Set(['11:56']))
    expect(found).toHaveLength(1578)
    expect(found.sort()).toEqual(wanted.sort())
  })

  test('each option sells at its bid and is bought at its ask price, 160 at nothing', () => {
    let unbid = 0
    for (const option of options) {
      const { strike, type, bid, ask } = option
      const price = legPrice(session.expiries[findDte(option)]!, AT, strike, type)!
      expect(price.source).toBe('quote')
      expect(price.mid - price.halfSpread).toBeCloseTo(bid, 9)
      expect(price.mid + price.halfSpread).toBeCloseTo(ask, 9)
      if (bid === 0) unbid += 1
    }
    expect(unbid).toBe(160)
  })

  test('the smiles price each of 1,418 two-sided options within its market', () => {
    let inside = 0
    for (const smile of rows.smiles!.filter(row => row.minute_et === '11:56')) {
      const [strikes, variances] = [smile.strikes as number[], smile.total_variances as number[]]
      const points = strikes.map((strike, at) => ({ strike, variance: variances[at]! }))
      const forward = Number(smile.forward)
      for (const { expiry, strike, type, bid, ask } of options) {
        if (expiry !== smile.expiry || bid === 0) continue
        const variance = totalVariance(points, forward, strike)!
        const price = Number(smile.discount) * black76(forward, strike, variance, type)
        if (price >= bid - 1e-9 && price <= ask + 1e-9) inside += 1
      }
    }
    expect(inside).toBe(1418)
  })

  test.each(EXPIRIES.map((expiry, dte) => [expiry, dte] as const))(
    'deltas of %s are those of the file to 0.004, the move is the straddle to 0.3 points',
    (expiry, dte) => {
      const own = session.expiries[dte]!
      const at = (strike: number, type: 'C' | 'P') =>
        options.find(one => one.expiry === expiry && one.strike === strike && one.type === type)!
      const deltas = callDeltas(own, AT)
      const strikes = [...own.strikes].filter(strike => Math.abs(strike - last) < 100)
      expect(strikes.length).toBeGreaterThan(30)
      for (const [index, strike] of own.strikes.entries()) {
        if (!strikes.includes(strike)) continue
        expect(Math.abs(deltas[index]! - at(strike, 'C').delta), String(strike)).toBeLessThan(0.004)
      }
      // 1.5 points from the forward, where a straddle is as cheap as it gets
      const [call, put] = [at(3855, 'C'), at(3855, 'P')]
      const straddle = (call.bid + call.ask + put.bid + put.ask) / 2
      expect(Math.abs(remainingMove(own, AT) - straddle)).toBeLessThan(0.3)
    },
  )
})

const EXPIRY = [{ at: 'expiry' }] as const
const at = (minute: string) => ({ entry: { at: minute }, exit: [...EXPIRY] })

/** Proceeds of selling or buying the legs: bids for those sold, less offers for those bought. */
function handNet(dte: number, legs: readonly string[]): number {
  return legs.reduce((sum, leg) => {
    const option = options.find(
      one => findDte(one) === dte && leg.slice(1) === `${one.strike}${one.type}`,
    )!
    return leg.startsWith('-') ? sum + option.bid : sum - option.ask
  }, 0)
}

/** Value of the legs at the exchange's close. */
const handWorth = (legs: readonly string[]) =>
  legs.reduce((sum, leg) => {
    const [sign, strike] = [leg.startsWith('-') ? -1 : 1, Number(leg.slice(1, -1))]
    const inside = leg.endsWith('C') ? SETTLEMENT - strike : strike - SETTLEMENT
    return sum + sign * Math.max(0, inside)
  }, 0)

describe.skipIf(!hasSharedData)('rules on that chain', () => {
  const spot = (offset: number) => ({ ref: 'spot', offset }) as const
  const RULES: readonly [string, Parameters<typeof rule>[0], readonly string[]][] = [
    // the index is 3856.28
    ['put_spread', { width: 10, strike: spot(-30) }, ['+3815P', '-3825P']],
    ['call_spread', { width: 15, strike: spot(20) }, ['-3875C', '+3890C']],
    ['straddle', { strike: spot(0) }, ['-3855C', '-3855P']],
    ['iron_butterfly', { width: 25, strike: spot(0) }, ['+3830P', '-3855C', '-3855P', '+3880C']],
    ['iron_condor', { width: 10, strike: spot(25) }, ['+3820P', '-3830P', '-3880C', '+3890C']],
    // a wing without a bid is bought at the offer
    ['iron_condor', { width: 40, strike: spot(60) }, ['+3755P', '-3795P', '-3915C', '+3955C']],
    ['strangle', { strike: { ref: 'em', mult: 1 } }, ['-3835P', '-3875C']],
    ['strangle', { strike: { ref: 'delta', value: 0.16 } }, ['-3830P', '-3880C']],
  ]

  test.each(RULES)('a %s of %o is the lines of the file', (structure, core, legs) => {
    const spec = rule({ structure: structure as 'straddle', ...core, ...at('11:56') })
    const { trades, missed } = findLedger(market, spec)
    expect(missed).toEqual([])
    const [trade] = trades
    expect(
      trade!.legs.map(({ sign, strike, type }) => `${sign > 0 ? '+' : '-'}${strike}${type}`),
    ).toEqual(legs)
    const net = handNet(0, legs)
    expect(trade!.net).toBeCloseTo(net, 9)
    expect(trade!.closeNet).toBeCloseTo(handWorth(legs), 9)
    expect(trade!.settlement).toBe(SETTLEMENT)
    expect(trade!.feesUsd).toBeCloseTo(1.3 * legs.length, 9)
    expect(trade!.pnlUsd).toBeCloseTo(100 * (net + handWorth(legs)) - 1.3 * legs.length, 6)
  })

  test.each([
    ['before there is an index', { ...at('11:55') }, 'no_reference'],
    ['when the chain is older than a minute', { ...at('11:57') }, 'no_price'],
    ['of what nobody bids for', { ...at('11:56'), dte: 3, strike: spot(335) }, 'no_credit'],
    ['at a wall', { ...at('11:56'), strike: { ref: 'call_wall', offset: 0 } }, 'no_reference'],
  ] as const)('there is no trade %s', (_, core, reason) => {
    const spec = rule({ structure: 'call_spread', width: 20, strike: spot(20), ...core })
    const { trades, missed } = findLedger(market, spec)
    expect(trades).toEqual([])
    expect(missed.map(one => one.reason)).toEqual([reason])
  })

  test('a trade over the night has no known end where the next day is not published', () => {
    const spec = rule({ structure: 'strangle', dte: 1, strike: spot(60), ...at('11:56') })
    const [trade] = findLedger(market, spec).trades
    expect(trade).toMatchObject({ exitReason: 'unresolved', pnlUsd: null, r: null })
  })
})

/**
 * The day 130 times over, each on a trading day of its own. On the first ten holdout days the
 * condition does not hold; on them, and on the last ones, a quote is a second too old.
 */
function repeated(staleCount: number): LabMarket {
  const { ...own } = session.expiries[0]!
  const index = own.strikes.indexOf(3825)
  const putAge = own.putAge.slice()
  putAge[AT * own.strikes.length + index] = 61
  const opened = (open: number) => ({
    ...session.market,
    open: session.market.open.slice().fill(open),
  })
  const [still, moved] = [opened(last), opened(0.9 * last)]
  const sessions: LabSession[] = []
  let date = DAY
  while (sessions.length < 130) {
    const isOff = sessions.length >= 70 && sessions.length < 80
    const isStale = isOff || sessions.length >= 130 - staleCount
    const expiry = { ...own, expiry: date, ...(isStale ? { putAge } : {}) }
    const expiries = [expiry, null, null, null, null, null]
    sessions.push({ ...session, date, market: isOff ? moved : still, expiries })
    date = neighbourSession(date, 1).date
  }
  return { ...market, sessions }
}

test.skipIf(!hasSharedData).each([
  [0, 1, true],
  [20, 0.8, true],
  [21, 0.79, false],
  [50, 0.5, false],
])('with %d of 100 prices by the smile the gate of real quotes is at %f', (stale, share, ok) => {
  const spec = rule(
    { structure: 'put_spread', width: 10, strike: { ref: 'spot', offset: -30 }, ...at('11:56') },
    { when: [{ f: 'move_from_open', op: '<', v: 5, u: 'pct' }] },
  )
  const { result, ledger } = computeRun(repeated(stale), madeRequest({ spec, kind: 'backtest' }))
  const judged = ledger.trades.filter(one => one.session >= 70 && one.isInRule)
  const sources = judged.flatMap(one => one.legs.map(({ entry }) => entry.source))
  expect(sources.filter(source => source === 'smile')).toHaveLength(stale)
  expect(sources).toHaveLength(100)
  const gate = result.legs[0]!.verdict!.gates.find(one => one.gate === 'quotes')
  expect(gate).toMatchObject({ value: share, ok })
})

test.skipIf(!hasSharedData).each([
  ['2023-05-20T1133_SPX.csv.gz', '2023-05-22'],
  ['2023-09-14T1631_SPX.csv.gz', '2023-09-15'],
])('of a chain taken outside of a session, %s, nothing is priced', async (name, date) => {
  const { options: lines } = readChainFile(name)
  expect(lines.filter(one => one.expiry === date && one.bid > 0).length).toBeGreaterThan(100)
  const found = await chainRows(name, date)
  expect(found.option_minutes).toEqual([])
  expect(found.smiles!.filter(row => row.reason === null)).toEqual([])
  expect(found.settlements).toMatchObject([{ settlement: null, reason: 'no_index' }])
})
