// Real minutes from the vendor's files to what LAB replays, held against the files themselves.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runQuery } from '../../src/data/published/analyst.ts'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'
import { readMarket } from '../../src/lab/market/readMarket.ts'
import {
  type Bar,
  findClock,
  LEAN,
  type LeanDay,
  leanZips,
  listContracts,
  readLeanDay,
  spotBefore,
} from '../support/leanBars.ts'
import { buildLeanDay, importLeanDay, takeGradeOff } from '../support/leanFolder.ts'
import { hasSharedData } from '../support/shared.ts'

const root = mkdtempSync(join(tmpdir(), 'tapefold-lean-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const data = join(root, 'data')

/** Trading days of the sample and of the next five, as the exchange traded. */
const SESSIONS = [
  '2021-01-04',
  '2021-01-05',
  '2021-01-06',
  '2021-01-07',
  '2021-01-08',
  '2021-01-11',
  '2021-01-12',
  '2021-01-13',
  '2021-01-14',
  '2021-01-15',
  '2021-01-19',
  '2021-01-20',
  '2021-01-21',
  '2023-06-26',
  '2023-06-27',
  '2023-06-28',
  '2023-06-29',
  '2023-06-30',
  '2023-07-03',
]
const DAYS = ['2021-01-04', '2021-01-05', '2021-01-14', '2023-06-26'] as const
const CLOSE = 960

const days = new Map<string, LeanDay>()
const manifests = new Map<string, PublishedManifest>()

beforeAll(async () => {
  if (!hasSharedData) return
  for (const date of DAYS) {
    const day = readLeanDay(date)
    days.set(date, day)
    await importLeanDay(data, day)
    manifests.set(date, await buildLeanDay(data, date))
  }
})

type Side = { bid: number | null; ask: number | null; age: number | null }
const NONE: Side = { bid: null, ask: null, age: null }
/** The bar that ends with a minute: its close is a second old there, rounded up. */
const findSide = (threshold: Bar): Side => ({ ...threshold, age: 1 })

/** Quotes by minute, expiry and strike, of the bars alone. */
function wantedQuotes(day: LeanDay) {
  const rows = new Map<string, { dte: number; C: Side; P: Side }>()
  for (const { expiry, strike, type, bars } of listContracts(day, 'SPXW')) {
    const dte = SESSIONS.indexOf(expiry) - SESSIONS.indexOf(day.date)
    for (const [start, threshold] of bars) {
      const spot = spotBefore(day.index, start + 1)
      if (spot === null || Math.abs(strike - spot) > 700 || start + 1 > CLOSE) continue
      const key = `${findClock(start + 1)} ${expiry} ${strike}`
      const row = rows.get(key) ?? { dte, C: NONE, P: NONE }
      rows.set(key, { ...row, [type]: findSide(threshold) })
    }
  }
  return rows
}

const listRows = async (folder: string, query: string) => (await runQuery(folder, query)).rows

const QUOTES: readonly [date: string, rows: number][] = [
  ['2021-01-04', 2340],
  // no index: nothing says which strikes are near it
  ['2021-01-05', 0],
  // contracts of the AM settlement alone
  ['2021-01-14', 0],
  ['2023-06-26', 640],
]

describe.skipIf(!hasSharedData)('LEAN minutes that were imported and built', () => {
  test.each(QUOTES)(
    '%s has %d rows of quotes, each the bar that has just ended',
    async (date, n) => {
      const found = await listRows(
        data,
        `select * replace (expiry::varchar as expiry) from option_minutes
       where session_date = '${date}'`,
      )
      const wanted = wantedQuotes(days.get(date)!)
      const reported = found.map(row => [
        `${row.minute_et} ${row.expiry} ${row.strike}`,
        {
          dte: row.dte,
          C: { bid: row.call_bid, ask: row.call_ask, age: row.call_age_s },
          P: { bid: row.put_bid, ask: row.put_ask, age: row.put_age_s },
        },
      ])
      expect(found).toHaveLength(n)
      expect(Object.fromEntries(reported)).toEqual(Object.fromEntries(wanted))
      expect(new Set(found.map(row => row.root))).toEqual(new Set(n > 0 ? ['SPXW'] : []))
    },
  )

  test.each(DAYS)(
    'each minute of %s has a smile of each PM expiry, or says why not',
    async date => {
      const day = days.get(date)!
      const found = await listRows(
        data,
        `select minute_et, expiry::varchar as expiry, dte, seconds_left, forward, len(strikes) as n,
         reason from smiles where session_date = '${date}' order by expiry, minute_et`,
      )
      const expiries = [...new Set(listContracts(day, 'SPXW').map(({ expiry }) => expiry))].sort()
      const wanted = expiries.flatMap(expiry => {
        const dte = SESSIONS.indexOf(expiry) - SESSIONS.indexOf(date)
        const endMs = Date.parse(`${expiry}T16:00:00Z`) - Date.parse(`${date}T00:00:00Z`)
        // without open interest nobody knows of a contract before its first quote
        const first = leanZips(date).interest.length > 0 ? 570 : 571
        return Array.from({ length: CLOSE - first + 1 }, (_, index) => {
          const minute = first + index
          // the last day of the sample's contracts is a half day
          const halfMs = expiry === '2023-07-03' ? 3 * 3_600_000 : 0
          const seconds_left = (endMs - halfMs - minute * 60_000) / 1000
          const noSpot = spotBefore(day.index, minute) === null ? 'no_spot' : 'no_forward'
          return {
            minute_et: findClock(minute),
            expiry,
            dte,
            seconds_left,
            forward: null,
            n: 0,
            reason: seconds_left <= 0 ? 'expired' : noSpot,
          }
        })
      })
      expect(found).toEqual(wanted)
    },
  )

  test.each([
    // at 16:00 Chicago's bar of 15:00 begins; its value had stood for a minute at its end
    ['2021-01-04', 3700.65, 'index_unchanged', '21:00:59.999999'],
    ['2021-01-14', 3795.54, 'index_unchanged', '21:00:59.999999'],
    // its index ends with the bar before 16:00
    ['2023-06-26', 4329.58, 'last_index', '19:59:59.999999'],
    ['2021-01-05', null, null, null],
  ])('%s settles at %f', async (date, settlement, source, at) => {
    const { index } = days.get(date)!
    const status = [...index].find(
      ([minute, value]) => minute >= CLOSE && index.get(minute + 1) === value,
    )
    expect(status?.[1] ?? index.get(CLOSE - 1) ?? null).toBe(settlement)
    const found = await listRows(
      data,
      `select settlement, source, strftime(spotted_at, '%H:%M:%S.%f') as at, reason
       from settlements where session_date = '${date}'`,
    )
    const reason = settlement === null ? 'no_index' : null
    expect(found).toEqual([{ settlement, source, at, reason }])
  })

  test('the index of each minute is that of the bar before it', async () => {
    let compared = 0
    for (const date of DAYS) {
      const { index } = days.get(date)!
      const found = await listRows(
        data,
        `select minute_et, spot from market_minutes where session_date = '${date}'
           and minute_et <= '16:00'`,
      )
      for (const { minute_et, spot } of found) {
        const [hours, minutes] = String(minute_et).split(':').map(Number)
        expect(spot, `${date} ${minute_et}`).toBe(spotBefore(index, hours! * 60 + minutes!))
        compared += 1
      }
    }
    expect(compared).toBe(4 * 391)
  })
})

describe.skipIf(!hasSharedData)('what LAB makes of such days', () => {
  const REASONS: readonly [date: string, reason: RegExp][] = [
    ['2021-01-04', /^expiries_without_forward_share is 1, bad from 0.5: /m],
    ['2021-01-05', /^spot_minutes_missing_share is 1, bad from 0.5: /m],
    ['2021-01-14', /^quotes_missing_share is 0.56\d+, bad from 0.5: /m],
    ['2023-06-26', /^minutes_missing_share is 0.78\d+, refused from 0.5: /m],
  ]

  test.each(REASONS)('the tape of %s is bad, and the reason is reported', (date, reason) => {
    const { grade, reasons } = manifests.get(date)!.tape_grade!
    expect(grade).toBe('bad')
    expect(reasons.join('\n')).toMatch(reason)
  })

  test('no rule is tested on a bad tape', async () => {
    expect((await readMarket(data, { dteMax: 0 })).sessions).toEqual([])
  })

  test('a day of index minutes alone is not built', async () => {
    const day = readLeanDay('2023-06-30')
    expect([day.index.size, day.trades.length]).toEqual([390, 0])
    await importLeanDay(data, day)
    await expect(buildLeanDay(data, '2023-06-30')).rejects.toThrow(
      'there are no prints of 2023-06-30: import them first',
    )
  })

  test('without its grade a day is read; one without an index has no_minutes', async () => {
    const folder = join(root, 'ungraded')
    for (const date of ['2021-01-04', '2021-01-05'] as const) {
      await importLeanDay(folder, days.get(date)!)
      await buildLeanDay(folder, date)
      takeGradeOff(folder, date)
    }
    const market = await readMarket(folder)
    expect(market.kind).toBe('real')
    expect(market.leftOut).toEqual([{ day: '2021-01-05', reason: 'no_minutes' }])
    expect(market.sessions).toHaveLength(1)
    const { expiries, settlement } = market.sessions[0]!
    expect(settlement).toBe(3700.65)
    expect(expiries.map(one => one && [one.expiry, [...one.strikes], one.tick])).toEqual([
      ['2021-01-04', [3700, 3800], 0.05],
      null,
      ['2021-01-06', [3700, 3800], 0.05],
      null,
      ['2021-01-08', [3700, 3800], 0.05],
      null,
    ])
  })
})

const CUT = 12 * 60

/** A zip of quotes without what began from noon on. */
function cutZip(path: string): string {
  const members = Object.entries(unzipSync(readFileSync(join(LEAN, path)))).map(
    ([member, bytes]) => {
      const lines = strFromU8(bytes).split('\n')
      const stored = lines.filter(line => line && Number(line.split(',')[0]) / 60_000 < CUT)
      return [member, strToU8(`${stored.join('\n')}\n`)] as const
    },
  )
  const cut = join(mkdtempSync(join(root, 'cut-')), path.split('/').at(-1)!)
  writeFileSync(cut, zipSync(Object.fromEntries(members)))
  return cut
}

test.skipIf(!hasSharedData)('up to noon nothing changes when no quote comes after it', async () => {
  const folder = join(root, 'cut')
  const day = days.get('2021-01-04')!
  const before = <Row extends { minute: number }>(rows: readonly Row[]) =>
    rows.filter(({ minute }) => minute < CUT)
  const quotes = leanZips(day.date).quotes.map(cutZip)
  await importLeanDay(folder, { ...day, trades: before(day.trades) }, { quotes })
  await buildLeanDay(folder, day.date)
  for (const dataset of ['option_minutes', 'smiles', 'market_minutes']) {
    const query = `select * from ${dataset}
      where session_date = '2021-01-04' and minute_et <= '12:00' order by all`
    const whole = await listRows(data, query)
    expect(whole.length, dataset).toBeGreaterThan(140)
    expect(await listRows(folder, query), dataset).toEqual(whole)
  }
  const after = `select count(*) as n from option_minutes where minute_et > '12:00'`
  expect(await listRows(folder, after)).toEqual([{ n: 0 }])
})
