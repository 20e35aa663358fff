import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silent } from '../../../pipelines/command/progress.ts'
import { anyIdea } from '../../../pipelines/measure/labIdeas.ts'
import { simulateLab } from '../../../pipelines/simulate/labMarket.ts'
import { firstCloseFor, labDays } from '../../../pipelines/simulate/labPath.ts'
import { runHistory } from '../../../pipelines/simulate/minuteSessions.ts'
import { createRandom } from '../../../pipelines/simulate/random.ts'
import { minutesAfter } from '../../../src/core/market/calendar.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { publishedSessions, readManifest } from '../../../src/data/published/manifest.ts'
import { backtest } from '../../../src/lab/engine/backtest.ts'
import { ASSUMED } from '../../../src/lab/engine/trade.ts'
import { readMarket } from '../../../src/lab/market/readMarket.ts'
import type { LabExpiry, LabMarket, LabSession } from '../../../src/lab/market/session.ts'

const HALF_DAY = '2025-11-28'
const OPTIONS = { seed: 3, sessionCount: 3, until: '2025-12-01', plantedSd: 0, furthestDte: 1 }

const dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-lab-history-'))
let market: LabMarket
beforeAll(async () => {
  const { plantedSd, furthestDte, ...run } = OPTIONS
  market = simulateLab({ ...OPTIONS, firstClose: firstCloseFor(OPTIONS, 6000) })
  await runHistory({
    dataFolder,
    labels: 'informative',
    progress: silent,
    ...run,
    lab: { plantedSd, furthestDte },
  })
})
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))

const listRows = async (query: string) => (await runQuery(dataFolder, query)).rows
const findMinute = (session: LabSession, state: number) =>
  minutesAfter('00:00', session.firstMinute + state)
const orNull = (value: number) => (Number.isNaN(value) ? null : value)

test('the index ends where simulated sessions of prints begin', () => {
  expect(market.sessions.at(-1)!.settlement).toBeCloseTo(6000, 1)
})

test('started again it leaves published days as they are, and refuses real ones', async () => {
  const { plantedSd, furthestDte, ...run } = OPTIONS
  const revisions = () =>
    market.sessions.map(({ date }) => readManifest(dataFolder, date)!.revision)
  const before = revisions()
  const again = { ...run, seed: 99, dataFolder, labels: 'informative', progress: silent } as const
  await runHistory({ ...again, lab: { plantedSd, furthestDte } })
  expect(revisions()).toEqual(before)
  await expect(runHistory(again)).rejects.toThrow(/has published sessions, such as 2025-1/)
  const path = join(dataFolder, 'published', 'manifests', `${HALF_DAY}.json`)
  const simulated = readFileSync(path, 'utf8')
  writeFileSync(path, simulated.replace('"simulated": true', '"simulated": false'))
  expect(readManifest(dataFolder, HALF_DAY)!.simulated).toBe(false)
  await expect(runHistory({ ...again, lab: { plantedSd, furthestDte } })).rejects.toThrow(
    /has real sessions, such as 2025-11-28; a simulated history needs a folder of its own/,
  )
  writeFileSync(path, simulated)
})

test('each session is published as simulated, with what LAB reads', () => {
  expect(publishedSessions(dataFolder)).toEqual(market.sessions.map(({ date }) => date))
  for (const { date } of market.sessions) {
    const manifest = readManifest(dataFolder, date)!
    expect(manifest.simulated).toBe(true)
    expect(manifest.tape_grade?.grade).toBe('good')
    expect(Object.keys(manifest.datasets)).toEqual([
      'market_minutes',
      'large_orders',
      'option_minutes',
      'smiles',
      'settlements',
    ])
  }
})

test('LAB reads the market that it is in memory, and trades it alike', async () => {
  const read = await readMarket(dataFolder, { dteMax: 1 })
  expect(read.kind).toBe('simulated')
  expect(read.leftOut).toEqual(market.leftOut)
  for (const [index, session] of market.sessions.entries()) {
    const { expiries, orders: _, ...rest } = read.sessions[index]!
    const { expiries: made, orders: __, ...expected } = session
    expect(rest).toEqual(expected)
    for (const dte of [0, 1]) {
      const names = ['forward', 'discount', 'smileFrom', 'smileStrikes'] as const
      for (const name of [...names, 'smileTotalVariances'] as const) {
        expect(expiries[dte]![name], name).toEqual(made[dte]![name])
      }
    }
  }
  const random = createRandom(1, 'ideas')
  let count = 0
  for (let i = 0; i < 12; i++) {
    const { say, spec } = anyIdea(random, 1)
    const options = { assume: ASSUMED, sessions: { from: 0, to: 3 }, designCount: 2 }
    const ledger = backtest(market, spec, options)
    expect(backtest(read, spec, options), say).toEqual(ledger)
    count += ledger.trades.length
  }
  expect(count).toBeGreaterThan(30)
})

test('the market of each minute is that in memory, and a null has a reason', async () => {
  for (const session of market.sessions) {
    const states = [...session.market.spot.keys()]
    const { market: shown, expiries } = session
    const expected = states.map(state => ({
      minute_et: findMinute(session, state),
      spot: shown.spot[state],
      open: shown.open[state],
      previous_close: orNull(shown.previousClose[state]!),
      expected_move_points: orNull(shown.expectedMove[state]!),
      session_expected_move_points: shown.sessionExpectedMove[state],
      net_gamma_musd_per_point: orNull(shown.netGamma[state]!),
      flip: orNull(shown.flip[state]!),
      call_wall: orNull(shown.callWall[state]!),
      put_wall: orNull(shown.putWall[state]!),
      points: expiries[0]!.smileFrom[state + 1]! - expiries[0]!.smileFrom[state]!,
    }))
    const columns = Object.keys(expected[0]!).filter(name => name !== 'points')
    const rows = await listRows(
      `select ${columns.join(', ')}, len(smile_strikes)::integer as points from market_minutes
       where session_date = '${session.date}' and minute_et >= '09:31'
       order by minute_et limit ${states.length}`,
    )
    expect(rows).toEqual(expected)
  }
  const [bare] = await listRows(
    `select count(*)::integer as count from market_minutes
     where (expected_move_points is null) <> (smile_reason is not null)
        or (flip is null) <> (level_reason is not null)
        or (previous_close is null) <> (previous_close_reason is not null)
        or (minute_et > (case session_date when '${HALF_DAY}' then '13:00' else '16:00' end)
            and (forward is not null or spot is null))`,
  )
  // at 09:30 alone nothing is known of the index either
  expect(bare!.count).toBe(0)
})

/** Two-sided and other quotes of an expiry as rows. */
function listQuotes(session: LabSession, expiry: LabExpiry) {
  const count = expiry.strikes.length
  const points = (steps: number) => (steps > 1e9 ? null : Math.round(steps * 5) / 100)
  const age = (seconds: number) => (seconds === 255 ? null : seconds)
  return [...expiry.callAge.keys()].flatMap(cell => {
    const row = {
      minute_et: findMinute(session, Math.floor(cell / count)),
      strike: expiry.strikes[cell % count],
      call_bid: points(expiry.callBid[cell]!),
      call_ask: points(expiry.callAsk[cell]!),
      call_age_s: age(expiry.callAge[cell]!),
      put_bid: points(expiry.putBid[cell]!),
      put_ask: points(expiry.putAsk[cell]!),
      put_age_s: age(expiry.putAge[cell]!),
    }
    return row.call_age_s === null && row.put_age_s === null ? [] : [row]
  })
}

test('every quote of both expiries is that in memory', async () => {
  const session = market.sessions.find(({ date }) => date === HALF_DAY)!
  for (const [dte, expiry] of session.expiries.slice(0, 2).entries()) {
    const rows = await listRows(
      `select minute_et, strike, call_bid, call_ask, call_age_s, put_bid, put_ask, put_age_s
       from option_minutes
       where session_date = '${HALF_DAY}' and dte = ${dte} and expiry = '${expiry!.expiry}'
       order by minute_et, strike`,
    )
    const expected = listQuotes(session, expiry!)
    expect(rows.length).toBe(expected.length)
    expect(rows.filter((_, index) => index % 97 === 0)).toEqual(
      expected.filter((_, index) => index % 97 === 0),
    )
  }
})

test('every smile is that in memory, and the close has none but of the next expiry', async () => {
  for (const session of market.sessions) {
    for (const [dte, expiry] of session.expiries.slice(0, 2).entries()) {
      const rows = await listRows(
        `select minute_et, forward, discount, seconds_left, strikes, total_variances, reason
         from smiles where session_date = '${session.date}' and dte = ${dte} order by minute_et`,
      )
      expect(rows.length).toBe(session.stateCount)
      for (const state of [0, 1, 100, session.stateCount - 2, session.stateCount - 1]) {
        const [from, to] = [expiry!.smileFrom[state]!, expiry!.smileFrom[state + 1]!]
        const isExpired = dte === 0 && state === session.stateCount - 1
        expect(rows[state]).toEqual({
          minute_et: findMinute(session, state),
          forward: orNull(expiry!.forward[state]!),
          discount: orNull(expiry!.discount[state]!),
          seconds_left: Math.round(expiry!.years[state]! * 31_536_000),
          strikes: [...expiry!.smileStrikes.slice(from, to)],
          total_variances: [...expiry!.smileTotalVariances.slice(from, to)],
          reason: isExpired ? 'expired' : null,
        })
      }
    }
  }
})

test('versions of orders count from their state, and no minute before', async () => {
  for (const session of market.sessions) {
    const { orders, stateCount } = session
    const rows = await listRows(
      `select
         gross_premium_usd, dealer_gamma_musd_per_point as gamma,
         date_diff('minute', minute_start, date_trunc('minute', visible_at))::integer as from_state,
         coalesce(date_diff('minute', minute_start, date_trunc('minute', superseded_at)),
           ${stateCount})::integer as until_state,
         date_diff('minute', minute_start, date_trunc('minute', printed_at))::integer
           as printed_state
       from large_orders
       cross join (select min(minute_at) as minute_start from market_minutes
         where session_date = '${session.date}')
       where session_date = '${session.date}'
       order by visible_at, from_state, gross_premium_usd`,
    )
    const expected = [...orders.fromState.keys()].map(index => ({
      gross_premium_usd: orders.premiumUsd[index]!,
      gamma: orNull(orders.gamma[index]!),
      from_state: orders.fromState[index]!,
      until_state: orders.untilState[index]!,
      printed_state: orders.printedState[index]!,
    }))
    expected.sort(
      (a, b) => a.from_state - b.from_state || a.gross_premium_usd - b.gross_premium_usd,
    )
    expect(rows).toEqual(expected)
  }
})

test('a session settles at its last index', async () => {
  const rows = await listRows(
    'select settlement, source, reason from settlements order by session_date',
  )
  expect(rows).toEqual(
    market.sessions.map(({ settlement }) => ({ settlement, source: 'last_index', reason: null })),
  )
})

test('days that are left out are not published, or say why they cannot be used', async () => {
  const days = [...labDays({ ...OPTIONS, sessionCount: 1_500, until: '2026-10-15' })]
  const reasons = new Set(days.flatMap(({ leftOut }) => leftOut ?? []))
  expect(reasons).toEqual(new Set(['not_published', 'bad_tape', 'no_minutes']))
  for (const reason of reasons) {
    const index = days.findIndex(({ leftOut }) => leftOut === reason)
    const [day, until] = [days[index]!.session.date, days[index + 1]!.session.date]
    const folder = mkdtempSync(join(tmpdir(), 'tapefold-lab-left-out-'))
    const lab = { plantedSd: 0, furthestDte: 0 }
    const run = { seed: OPTIONS.seed, sessionCount: 3, until, lab, progress: silent }
    await runHistory({ dataFolder: folder, labels: 'informative', ...run })
    const manifest = readManifest(folder, day)
    const { sessions, leftOut } = await readMarket(folder, { dteMax: 0 })
    expect(sessions.length + leftOut.length).toBe(3)
    expect(leftOut).toContainEqual({ day, reason })
    rmSync(folder, { recursive: true, force: true })
    expect(manifest === null).toBe(reason === 'not_published')
    expect(manifest?.tape_grade?.grade ?? 'bad').toBe(reason === 'no_minutes' ? 'good' : 'bad')
    expect(Object.keys(manifest?.datasets ?? {}).includes('market_minutes')).toBe(
      reason === 'bad_tape',
    )
  }
})
