// Each figure of a result is that of plain SQL over its trades.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, type Row } from '../../../src/core/engine/database.ts'
import { ruleHash } from '../../../src/lab/language/spec.ts'
import type { LabEra, LabLeg } from '../../../src/lab/result.ts'
import { effectiveCount } from '../../../src/lab/verdict/clustered.ts'
import { computeRun } from '../../../src/lab/verdict/computeRun.ts'
import { randomMarket } from '../../lab/randomMarket.ts'
import { randomSpec } from '../../lab/randomSpec.ts'
import { fillTrades } from '../../lab/tradesTable.ts'
import { ledgerTrade, madeRequest } from '../../support/labLedger.ts'
import { runs } from '../../support/runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'lab-sql-'))
let db: Database
beforeAll(async () => {
  db = await openDatabase({ threads: 1 })
})

const EMPTY = { n: 0, mean: null, median: null, win: null, sum_usd: 0, drawdown_usd: 0, t: null }

/** Figures of an era, by SQL. */
async function eraBySql(params: { first_day: string; last_day: string; rule_leg: number }) {
  const samples = await db.query('lab/era_samples', params)
  const [difference] = await db.query('lab/era_difference', params)
  const [order] = await db.query('lab/era_order', params)
  const missed = await db.query('lab/era_missed', params)
  const findSample = (name: string) => {
    const { sample: _, ...figures }: Row = samples.find(({ sample }) => sample === name) ?? EMPTY
    return figures
  }
  const { days = 0, ...rule } = findSample('rule') as Row
  const { days: _, ...core } = findSample('core') as Row
  const counts = Object.fromEntries(missed.map(({ reason, count }) => [reason, count]))
  const { unresolved = 0, ...reasons } = counts
  return { ...difference, ...order, days, rule, core, unresolved, missed: reasons } as Row
}

/** Figures of a result that SQL gives too; those it leaves out for want of data have a reason. */
function compare(era: LabEra, sql: Row) {
  const figures = { n_eff: era.n_eff, net_rr: era.net_rr, net_rr_t: era.net_rr_t, dof: era.dof }
  const counts = { days: era.days, unresolved: era.unresolved, missed: era.missed }
  const { rule, core, days, unresolved, missed, runs_z, ...others } = sql
  expect({ days, unresolved, missed }).toEqual(counts)
  if (era.runs_z !== null) expect(runs_z).toBeCloseTo(era.runs_z, 9)
  else expect(era.reasons.runs_z).toBeDefined()
  for (const [found, wanted] of [
    [rule, era.rule],
    [core, era.core],
    [others, figures],
  ] as [Row, Row][]) {
    expect(Object.keys(found).sort()).toEqual(Object.keys(wanted).sort())
    for (const [name, value] of Object.entries(wanted)) {
      if (typeof value !== 'number') expect([name, found[name]]).toEqual([name, value])
      else {
        const scale = Math.max(1, Math.abs(value))
        const error = Math.abs((found[name] as number) - value) / scale
        expect([name, error < 1e-9, found[name]]).toEqual([name, true, found[name]])
      }
    }
  }
}

async function compareSeries({ series }: LabLeg, params: Row & { rule_leg: number }) {
  const days = await db.query('lab/day_series', params as never)
  const known = new Map(days.map(row => [row.session_date, row]))
  for (const [index, day] of series.day.entries()) {
    const row = known.get(day)
    if (!row) {
      expect([series.n[index], series.usd[index]]).toEqual([0, 0])
      continue
    }
    expect(row.n).toBe(series.n[index])
    for (const name of ['r', 'usd', 'total_usd', 'drawdown_usd', 'core_usd'] as const) {
      expect(row[name]).toBeCloseTo(series[name][index]!, 6)
    }
  }
}

/** Figures in USD, and trades by exit, weekday and month. */
async function compareFigures({ figures, eras }: LabLeg, rule_leg: number) {
  const params = { first_day: eras.all.from, last_day: eras.all.to, rule_leg }
  const [money] = await db.query('lab/trade_money', params)
  for (const [name, value] of Object.entries(money!)) {
    const found = figures![name as 'profit_factor']
    if (value === null) expect([name, found]).toEqual([name, null])
    else expect(found).toBeCloseTo(value as number, 6)
  }
  const groups = await db.query('lab/trade_groups', params)
  const found = (['exits', 'weekdays', 'months'] as const).flatMap(kind =>
    figures![kind].map(one => ({ kind, ...one })),
  )
  const byName = new Map(found.map(one => [`${one.kind} ${one.name}`, one]))
  expect(groups.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(
    [...byName.keys()].sort(),
  )
  for (const { kind, name, n, mean, win, sum_usd } of groups) {
    const own = byName.get(`${kind} ${name}`)!
    expect(own.n).toBe(n)
    if (mean === null) expect([own.mean, own.win]).toEqual([null, null])
    else {
      expect(own.mean).toBeCloseTo(mean as number, 9)
      expect(own.win).toBeCloseTo(win as number, 9)
    }
    expect(own.sum_usd).toBeCloseTo(sum_usd as number, 6)
  }
  return groups.length
}

test('eras and series of random rules are what SQL finds in their trades', async () => {
  const market = randomMarket({ seed: 4, sessionCount: 126, dteMax: 1 })
  const dates = market.sessions.map(({ date }) => date)
  let [compared, grouped] = [0, 0]
  for (const seed of [3, 8, 19, 29, 34, 56, 66, 97, 99].slice(0, runs(9, 3))) {
    const spec = randomSpec(seed, 1)
    const request = madeRequest({ spec, ruleHash: ruleHash(spec) })
    const { result, ledger } = computeRun(market, request)
    await fillTrades(db, folder, ledger, dates)
    for (const [rule_leg, leg] of result.legs.entries()) {
      for (const era of Object.values(leg.eras)) {
        if (!era) continue
        const params = { first_day: era.from, last_day: era.to, rule_leg }
        compare(era, await eraBySql(params))
        compared += era.n
      }
      grouped += await compareFigures(leg, rule_leg)
      const { series } = leg
      const [first_day, last_day] = [series.day[0]!, series.day.at(-1)!]
      await compareSeries(leg, { first_day, last_day, rule_leg })
    }
  }
  expect(compared).toBeGreaterThan(runs(1_500))
  expect(grouped).toBeGreaterThan(20)
})

const WHOLE = { first_day: '2026-01-01', last_day: '2026-12-31', rule_leg: 0 }

async function eraOfResults(results: readonly (readonly [day: number, r: number | null])[]) {
  const dates = Array.from({ length: 9 }, (_, day) => `2026-03-0${day + 1}`)
  const trades = results.map(([session, r], index) =>
    ledgerTrade({ session, r, decidedAt: 600 + index }),
  )
  await fillTrades(db, folder, { trades, missed: [] }, dates)
  return eraBySql(WHOLE)
}

test('no trade, one trade and trades that are all alike have no t and are no error', async () => {
  expect(await eraOfResults([])).toMatchObject({ days: 0, rule: EMPTY, net_rr: null, n_eff: null })
  const one = await eraOfResults([[0, 0.5]])
  expect(one).toMatchObject({ days: 1, n_eff: null, net_rr_t: null, rule: { n: 1, t: null } })
  const alike = await eraOfResults([
    [0, 0.1],
    [1, 0.1],
    [2, 0.1],
    [2, null],
  ])
  expect(alike).toMatchObject({ days: 3, n_eff: 3, unresolved: 1, rule: { n: 3, win: 1, t: null } })
  // trades of a day that are alike count once; the rounding of 0.1 does not make them differ
  const results = [0, 0, 0, 0, 0, 0, 0, 1, 2].map(session => ({ session, r: 0.1 }))
  const crowded = await eraOfResults(results.map(({ session, r }) => [session, r] as const))
  const [r, sessions] = [results.map(one => one.r), results.map(one => one.session)]
  expect(effectiveCount(r, sessions)).toBe(9 / (51 / 9))
  expect(crowded.n_eff).toBeCloseTo(9 / (51 / 9), 12)
})

test('a sum that falls from the start has its whole depth as drawdown', async () => {
  const { rule } = await eraOfResults([
    [0, -0.2],
    [1, 0.1],
    [2, -0.3],
    [3, 0.9],
  ])
  expect((rule as Row).drawdown_usd).toBeCloseTo(400, 9)
})
