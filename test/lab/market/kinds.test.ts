// Real sessions before simulated ones, never mixed, and what is reported of those not used.

import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PublishedManifest } from '../../../src/data/published/manifest.ts'
import { readMarket } from '../../../src/lab/market/readMarket.ts'
import { LabResult } from '../../../src/lab/result.ts'
import { computeRun } from '../../../src/lab/verdict/computeRun.ts'
import { madeRequest } from '../../support/labLedger.ts'
import { findMarket, rule, type SessionSetup } from '../engine/market.ts'
import { publishMarket } from './publish.ts'

let data = ''
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tapefold-kinds-'))
})
afterEach(() => rmSync(data, { recursive: true }))

const REAL = { simulated: false }
const BAD = { tape_grade: { grade: 'bad' as const, reasons: ['x'] } }
const MINUTELESS: Partial<SessionSetup> = { columns: { spot: () => Number.NaN } }

const publish = (
  date: string,
  change: Partial<PublishedManifest> = {},
  rest: Partial<SessionSetup> = {},
) => {
  const expiries = [{ expiry: date, strikes: [5960, 5970, 6000] }]
  return publishMarket(data, findMarket({ date, expiries, ...rest }), change)
}

/** Reports of a test of a rule on all of it. */
async function run() {
  const market = await readMarket(data, { dteMax: 0 })
  const { result } = computeRun(market, madeRequest({ spec: rule({}), kind: 'backtest' }))
  return LabResult.parse(result)
}

test('one real session next to a simulated history is used alone, and both are reported', async () => {
  for (const day of ['12', '13', '14', '16']) await publish(`2026-10-${day}`)
  await publish('2026-10-15', REAL)
  const { data: reported, holdout, says, legs } = await run()
  expect(reported).toMatchObject({ kind: 'real', used: 1, from: '2026-10-15', to: '2026-10-15' })
  expect(reported.left_out).toEqual([])
  expect(reported.passed_over).toEqual([{ reason: 'simulated', sessions: 4 }])
  expect(holdout).toBeNull()
  expect(says.slice(0, 2)).toEqual([
    'Tested on 1 real session, 2026-10-15 to 2026-10-15.',
    '4 simulated sessions are published too: the two kinds are never mixed.',
  ])
  expect(says).toContain(
    'There is no holdout, so nothing is called interesting: 1 session; a holdout needs 120.',
  )
  expect(says.join(' ')).not.toMatch(/sessions are simulated/)
  expect(legs[0]!.verdict!.interesting).toBe(false)
})

test('a real session after tests on simulated ones restarts the idea', async () => {
  await publish('2026-10-14', REAL)
  const sealed = { holdoutFrom: '2026-05-01', firstTestedTo: '2026-10-13' }
  const spec = rule({})
  const market = await readMarket(data, { dteMax: 0 })
  const { result } = computeRun(
    market,
    madeRequest({ spec, kind: 'quant', ...sealed, sealedKind: 'simulated' }),
  )
  // not a session of a holdout that it never was in
  expect(result.holdout).toBeNull()
  expect(result.legs[0]!.eras.since).toBeUndefined()
  expect(result.optimize!.variants.some(({ n }) => n > 0)).toBe(true)
  expect(result.says[1]).toBe(
    'Earlier tests of the idea were on simulated sessions: they keep none of these apart.',
  )
})

test('real sessions that cannot be used do not stand in the way of simulated ones', async () => {
  for (const day of ['12', '13']) await publish(`2026-10-${day}`)
  await publish('2026-10-07', { ...REAL, ...BAD })
  await publish('2026-10-08', { ...REAL, ...BAD })
  // what it lacks is seen only when it is read
  await publish('2026-10-14', REAL, MINUTELESS)
  await publish('2026-10-15', REAL)
  const [file] = globSync('published/smiles/session=2026-10-15/*', { cwd: data })
  writeFileSync(join(data, file!), 'x')
  const { data: reported, says } = await run()
  expect(reported).toMatchObject({ kind: 'simulated', used: 2, left_out: [] })
  expect(reported.passed_over).toEqual([
    { reason: 'real_bad_tape', sessions: 2 },
    { reason: 'real_no_minutes', sessions: 1 },
    { reason: 'real_damaged', sessions: 1 },
  ])
  expect(says[1]).toBe(
    'No real session that is published can be tested on: 2 with a bad tape, ' +
      '1 without minutes of the market, 1 with a damaged file.',
  )
  expect(says).toContain('These sessions are simulated: they prove nothing about a real market.')
})

test('where there are real sessions alone that cannot be used, the refusal says why', async () => {
  await publish('2026-10-14', { ...REAL, ...BAD })
  await publish('2026-10-15', REAL, MINUTELESS)
  expect(await readMarket(data, { dteMax: 0 })).toMatchObject({
    kind: 'real',
    sessions: [],
    leftOut: [
      { day: '2026-10-14', reason: 'bad_tape' },
      { day: '2026-10-15', reason: 'no_minutes' },
    ],
  })
  await expect(run()).rejects.toThrow(
    'No session that is published can be tested on: 1 with a bad tape, ' +
      '1 without minutes of the market.',
  )
})

test('of a session of another symbol neither kind nor days nor prices count', async () => {
  await publish('2016-06-01', { ...REAL, symbol: 'VIX' })
  await publish('2026-10-14')
  await publish('2026-10-15', { symbol: 'SPY' })
  await publish('2026-10-16')
  const { data: reported, says } = await run()
  expect(reported).toMatchObject({ kind: 'simulated', used: 2, from: '2026-10-14' })
  expect(reported.left_out).toEqual([{ day: '2026-10-15', reason: 'not_published' }])
  expect(reported.passed_over).toEqual([{ reason: 'other_symbol', sessions: 2 }])
  expect(says[1]).toBe('2 published sessions are not of SPX, and not used.')
})

test('a folder with another symbol alone has nothing to test on, and says so', async () => {
  await publish('2016-06-01', { ...REAL, symbol: 'VIX' })
  await expect(run()).rejects.toThrow(
    'No session is published to test on. 1 published session is not of SPX, and not used.',
  )
})
