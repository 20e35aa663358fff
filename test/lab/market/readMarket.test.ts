import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collect, GRACE_MS } from '../../../src/data/published/collect.ts'
import { manifestPath } from '../../../src/data/published/manifest.ts'
import { DamagedBlocks } from '../../../src/lab/market/blocks.ts'
import { readOptionQuotes } from '../../../src/lab/market/quotes.ts'
import { readMarket } from '../../../src/lab/market/readMarket.ts'
import { type LabMarket, type LabSession, NO_QUOTE } from '../../../src/lab/market/session.ts'
import { cacheMarket } from '../../../src/lab/runs/engineChild.ts'
import { runs } from '../../support/runs.ts'
import { findLedger, findMarket, rule, type SessionSetup } from '../engine/market.ts'
import { randomMarket } from '../engine/randomMarket.ts'
import { randomSpec } from '../randomSpec.ts'
import { listRows, publishMarket, publishRows } from './publish.ts'

let data = ''
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tapefold-lab-'))
})
afterEach(() => rmSync(data, { recursive: true }))

const binaries = () => globSync('lab/**/*.bin', { cwd: data }).sort()
const STRIKES = [5960, 5970]
/** A small session: two strikes, contracts of its own day. */
const small = (date: string, rest: Partial<SessionSetup> = {}): SessionSetup => ({
  date,
  expiries: [{ expiry: date, strikes: STRIKES, smile: () => [[6000, 1e-5] as const] }],
  ...rest,
})

/** All quotes as a text; such as are no prices have more than one form. */
const listPrices = ({ expiries }: LabSession): string =>
  JSON.stringify(
    expiries.map(
      expiry =>
        expiry &&
        [...expiry.strikes].map((_, index) =>
          (['C', 'P'] as const).map(type => {
            const { bids, asks: queries, ages } = readOptionQuotes(expiry, index, type)
            const isNone = (bid: number) => bid === NO_QUOTE || bid === 0
            return [...bids].map((bid, at) => (isNone(bid) ? null : [bid, queries[at], ages[at]]))
          }),
        ),
    ),
  )

const plain = ({ expiries, ...session }: LabSession) => ({
  ...session,
  expiries: expiries.map(
    one =>
      one && {
        expiry: one.expiry,
        tick: one.tick,
        strikes: one.strikes,
        listedFrom: one.listedFrom,
        forward: one.forward,
        discount: one.discount,
        years: one.years,
        smileFrom: one.smileFrom,
        smileStrikes: one.smileStrikes,
        smileTotalVariances: one.smileTotalVariances,
      },
  ),
})

test('minutes without known positions of dealers are counted by session', async () => {
  const original = findMarket(small('2026-09-24'), small('2026-09-25'))
  const [first, second] = original.sessions
  await publishMarket(data, { ...original, sessions: [{ ...first!, unknownCount: 12 }, second!] })
  const { sessions } = await readMarket(data)
  expect(sessions.map(({ unknownCount }) => unknownCount)).toEqual([12, undefined])
})

test('minutes whose index is one by put-call parity are counted by session', async () => {
  const original = findMarket(small('2026-09-24'), small('2026-09-25'))
  const [first, second] = original.sessions
  await publishMarket(data, { ...original, sessions: [{ ...first!, parityCount: 7 }, second!] })
  const { sessions } = await readMarket(data)
  expect(sessions.map(({ parityCount }) => parityCount)).toEqual([7, undefined])
})

test('a market that was published is read as it was, and trades the same', async () => {
  const original = randomMarket(5)
  await publishMarket(data, original)
  const read = await readMarket(data)
  expect(read.kind).toBe('simulated')
  expect(read.leftOut).toEqual([])
  expect(read.sessions).toHaveLength(4)
  for (const [index, session] of read.sessions.entries()) {
    expect(plain(session)).toEqual(plain(original.sessions[index]!))
    expect(listPrices(session)).toBe(listPrices(original.sessions[index]!))
  }
  // the planes, which are made of the columns of a file when somebody looks at them
  const [stored, own] = [read.sessions[1]!.expiries[1]!, original.sessions[1]!.expiries[1]!]
  const priced = (steps: Uint32Array) => [...steps].map(one => (one === NO_QUOTE ? 0 : one))
  for (const name of ['callBid', 'callAsk', 'putBid', 'putAsk'] as const) {
    expect(priced(stored[name])).toEqual(priced(own[name]))
  }
  let trades = 0
  for (let seed = 0; seed < runs(400); seed++) {
    const spec = randomSpec(seed, 2)
    const ledger = findLedger(read, spec)
    expect(ledger).toEqual(findLedger(original, spec))
    trades += ledger.trades.length
  }
  expect(trades).toBeGreaterThan(runs(200))
})

test('it is worked out once, and then read without what was published', async () => {
  await publishMarket(data, findMarket(small('2026-10-14'), small('2026-10-15')))
  const once = await readMarket(data)
  for (const file of globSync('published/**/*.parquet', { cwd: data })) rmSync(join(data, file))
  const again = await readMarket(data)
  expect(again.hash).toBe(once.hash)
  expect(again.sessions.map(plain)).toEqual(once.sessions.map(plain))
})

test('only the requested contracts are computed, each in a file', async () => {
  const later = { expiry: '2026-10-15', strikes: STRIKES }
  const today = { expiry: '2026-10-14', strikes: STRIKES }
  await publishMarket(data, findMarket({ date: '2026-10-14', expiries: [today, later] }))
  const first = await readMarket(data, { dteMax: 0 })
  expect(binaries()).toHaveLength(1)
  expect(first.sessions[0]!.expiries.map(one => one?.expiry)).toEqual(['2026-10-14'])
  const [file] = binaries()
  const findStamp = () => statSync(join(data, file!)).mtimeMs
  const stamp = findStamp()
  const all = await readMarket(data)
  expect(binaries()).toHaveLength(6)
  expect(findStamp()).toBe(stamp)
  expect(all.sessions[0]!.expiries.map(one => one?.expiry)).toEqual([
    '2026-10-14',
    '2026-10-15',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  // what is read does not change which market it is
  expect(all.hash).toBe(first.hash)
})

describe('a file', () => {
  const listTrades = (market: LabMarket) => findLedger(market, rule({ action: 'buy' })).trades
  const spoil = (file: string, at: number) => {
    const bytes = readFileSync(join(data, file))
    bytes[at < 0 ? bytes.length + at : at]! ^= 1
    writeFileSync(join(data, file), bytes)
  }

  test('a damaged one is rebuilt', async () => {
    await publishMarket(data, findMarket(small('2026-10-14')))
    const trades = listTrades(await readMarket(data, { dteMax: 0 }))
    expect(trades).toHaveLength(1)
    const [file] = binaries()
    for (const at of [0, 40, 20_000]) {
      spoil(file!, at)
      expect(listTrades(await readMarket(data, { dteMax: 0 }))).toEqual(trades)
    }
    writeFileSync(join(data, file!), readFileSync(join(data, file!)).subarray(0, 1000))
    expect(listTrades(await readMarket(data, { dteMax: 0 }))).toEqual(trades)
    expect(binaries()).toEqual([file])
  })

  test('a damage seen late fails, and the next run rebuilds it', async () => {
    await publishMarket(data, findMarket(small('2026-10-14')))
    const valid = await readMarket(data, { dteMax: 0 })
    const trades = listTrades(valid)
    const [file] = binaries()
    const bytes = readFileSync(join(data, file!))
    // the quotes of the puts lie before the smiles, which are 390 points of two doubles
    for (let at = bytes.length - 2 * 390 * 8 - 2 * 4 * 390 * 3; at < bytes.length; at += 50) {
      bytes[at]! ^= 1
    }
    writeFileSync(join(data, file!), bytes)
    // also where a market is reused from run to run
    const read = cacheMarket(readMarket)
    const wanted = { dataFolder: data, dteMax: 0, through: '2026-10-14' }
    const market = await read(wanted)
    expect(await read(wanted)).toBe(market)
    expect(() => listTrades(market)).toThrow(DamagedBlocks)
    expect(listTrades(await read(wanted))).toEqual(trades)
  })

  test('of what was published before is passed over', async () => {
    await publishMarket(data, findMarket(small('2026-10-14')))
    const before = await readMarket(data, { dteMax: 0 })
    await publishMarket(data, findMarket(small('2026-10-14', { settlement: 5900 })))
    const after = await readMarket(data, { dteMax: 0 })
    expect([before.sessions[0]!.settlement, after.sessions[0]!.settlement]).toEqual([6000, 5900])
    expect(after.hash).not.toBe(before.hash)
    expect(binaries()).toHaveLength(2)
    const killed = join(data, `${binaries()[0]!}.0a1b2c3d-71.tmp`)
    writeFileSync(killed, 'x')
    // and is collected, once nobody can have begun to read it a day ago
    const placedAtMs = statSync(manifestPath(data, '2026-10-14')).mtimeMs
    const collectAt = (nowMs: number) => collect({ dataFolder: data, nowMs, graceMs: GRACE_MS })
    await collectAt(placedAtMs + GRACE_MS - 1000)
    expect(binaries()).toHaveLength(2)
    await collectAt(placedAtMs + GRACE_MS + 60_000)
    expect(binaries()).toHaveLength(1)
    expect(existsSync(killed)).toBe(false)
    const again = await readMarket(data, { dteMax: 0 })
    expect(again.sessions.map(plain)).toEqual(after.sessions.map(plain))
    expect(binaries()).toHaveLength(1)
  })
})

describe('sessions', () => {
  const [MON, TUE, WED, THU, FRI] = ['12', '13', '14', '15', '16'].map(day => `2026-10-${day}`)

  test('that cannot be used are left out by name', async () => {
    const bad = { tape_grade: { grade: 'bad' as const, reasons: ['x'] } }
    await publishMarket(data, findMarket(small(MON!), small(FRI!)))
    await publishMarket(data, findMarket(small(TUE!)), bad)
    const { smiles, ...without } = listRows(findMarket(small(WED!)).sessions[0]!)
    expect(smiles).toHaveLength(390)
    await publishRows(data, WED!, without)
    const next = ['2026-10-19', '2026-10-20', '2026-10-21'] as const
    await publishMarket(
      data,
      findMarket(
        small(next[0], { columns: { spot: () => Number.NaN } }),
        ...next.slice(1).map(date => small(date)),
      ),
    )
    const [file] = globSync(`published/smiles/session=${next[1]}/*`, { cwd: data })
    writeFileSync(join(data, file!), 'x')
    writeFileSync(manifestPath(data, next[2]), '{')
    const market = await readMarket(data, { dteMax: 0 })
    expect(market.sessions.map(one => one.date)).toEqual([MON, FRI])
    expect(market.leftOut).toEqual([
      { day: TUE, reason: 'bad_tape' },
      { day: WED, reason: 'no_minutes' },
      { day: THU, reason: 'not_published' },
      { day: next[0], reason: 'no_minutes' },
      { day: next[1], reason: 'damaged' },
      { day: next[2], reason: 'damaged' },
    ])
  })

  test('are real ones where there is one, and never both', async () => {
    await publishMarket(data, findMarket(small(MON!), small(TUE!), small(THU!)))
    expect((await readMarket(data, { dteMax: 0 })).kind).toBe('simulated')
    await publishMarket(data, { ...findMarket(small(TUE!), small(FRI!)), kind: 'real' })
    const market = await readMarket(data, { dteMax: 0 })
    expect(market.kind).toBe('real')
    expect(market.sessions.map(one => one.date)).toEqual([TUE, FRI])
    expect(market.leftOut.map(one => one.day)).toEqual([WED, THU])
  })

  test('after a day that is named are not looked at', async () => {
    await publishMarket(data, findMarket(small(MON!), small(TUE!), small(THU!)))
    const market = await readMarket(data, { dteMax: 0, through: WED! })
    expect(market.sessions.map(one => one.date)).toEqual([MON, TUE])
    expect(market.leftOut).toEqual([])
    expect(binaries()).toHaveLength(2)
  })

  test('of an empty folder are none', async () => {
    expect(await readMarket(data)).toMatchObject({ kind: 'simulated', sessions: [], leftOut: [] })
  })

  test('are reported as they come', async () => {
    await publishMarket(data, findMarket(small(MON!), small(TUE!)))
    const reported: string[] = []
    await readMarket(data, {
      dteMax: 0,
      onProgress: (done, all) => reported.push(`${done}/${all}`),
    })
    expect(reported).toEqual(['0/2', '1/2', '2/2'])
  })
})

test('orders count from the first state after they were known', async () => {
  const session = findMarket(small('2026-10-14')).sessions[0]!
  const order = (visible: string, superseded: string | null, printed: string, number = 1) => ({
    session_date: '2026-10-14',
    order_id: visible,
    revision_number: number,
    visible_at: visible,
    superseded_at: superseded,
    printed_at: printed,
    gross_premium_usd: 1e6,
    dealer_gamma_musd_per_point: null,
  })
  const at = (time: string) => `2026-10-14T${time}`
  // UTC; 09:31 is 13:31, the first state
  const rows = {
    ...listRows(session),
    large_orders: [
      order(at('12:00:00'), at('12:30:00'), at('11:59:00')),
      order(at('13:30:59.999999'), at('13:31:00'), at('13:30:00')),
      order(at('13:31:00'), at('13:31:00.000001'), at('13:30:59')),
      order(at('13:31:59'), null, at('13:31:00')),
      order(at('19:59:59'), at('20:15:00'), at('19:00:00')),
      // known at the close and after it: nobody can act on it
      order(at('20:00:00'), null, at('19:59:00')),
    ],
  }
  await publishRows(data, '2026-10-14', rows)
  const { orders } = (await readMarket(data, { dteMax: 0 })).sessions[0]!
  expect([...orders.fromState]).toEqual([0, 0, 1, 1, 389])
  expect([...orders.untilState]).toEqual([0, 1, 1, 390, 390])
  expect([...orders.printedState]).toEqual([-91, 0, 0, 1, 330])
})

test('prices in cents stay in cents, and large ones too', async () => {
  const session = findMarket(small('2026-10-14')).sessions[0]!
  const rows = listRows(session)
  const priced = (call_bid: number, call_ask: number) => ({
    ...rows,
    option_minutes: rows.option_minutes!.map(row => ({ ...row, call_bid, call_ask })),
  })
  const read = async () => (await readMarket(data, { dteMax: 0 })).sessions[0]!.expiries[0]!
  await publishRows(data, '2026-10-14', priced(1.23, 1.25))
  const cents = await read()
  expect(cents.tick).toBe(0.01)
  expect([cents.callBid[0], cents.callAsk[0], cents.putBid[0]]).toEqual([123, 125, 40])
  await publishRows(data, '2026-10-14', priced(4000, 4000.05))
  const wide = await read()
  expect([wide.tick, wide.callBid[0], wide.callAsk[0]]).toEqual([0.05, 80_000, 80_001])
})
