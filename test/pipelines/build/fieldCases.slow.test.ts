// Sessions of other makers, from their files to what is published.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { verifyDay } from '../../../pipelines/upkeep/verify.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { SHARED_DATA } from '../../support/shared.ts'

const MOURNING = join(SHARED_DATA, '../cases/field/40-expiry-on-a-day-of-mourning')
const CHAIN = join(SHARED_DATA, 'chains/2022-07-12T1155_SPX.csv.gz')
const RATES = join(SHARED_DATA, 'rates/2021-2025_daily-treasury-rates.csv')

const root = mkdtempSync(join(tmpdir(), 'tapefold-field-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe.skipIf(!existsSync(MOURNING))('the session before a day of mourning', () => {
  test.each([
    ['tape2018.csv', '2018-12-04', '2018-12-05'],
    ['tape2025.csv', '2025-01-08', '2025-01-09'],
  ])(
    '%s: contracts of %s and %s end together, 23,100 s after 09:35',
    async (file, date, closed) => {
      const dataFolder = join(root, date)
      await runImport({ dataFolder, format: 'cboe-trades', files: [join(MOURNING, file)] })
      await buildDay({ dataFolder, date, progress: silent })
      const listRows = async (query: string) => (await runQuery(dataFolder, query)).rows
      const forwards = await listRows(
        `select expiry::varchar as expiry, seconds_left from forwards
       where minute_et = '09:35' and expiry <= '${closed}' order by all`,
      )
      expect(forwards).toEqual([
        { expiry: date, seconds_left: 23_100 },
        { expiry: closed, seconds_left: 23_100 },
      ])
      // neither is carried into the next session
      const carried = await listRows(
        `select count(*) as n from closing_positions where expiry <= '${closed}'`,
      )
      expect(carried).toEqual([{ n: 0 }])
    },
  )
})

describe.skipIf(!existsSync(CHAIN))('a chain of the exchange without prints', () => {
  test('has the levels of open interest, no order and no flow, and verifies', async () => {
    const dataFolder = join(root, 'chain')
    const date = '2022-07-12'
    await runImport({ dataFolder, format: 'cboe-chain', files: [CHAIN] })
    await runImport({ dataFolder, format: 'treasury-rates', files: [RATES] })
    const manifest = await buildDay({ dataFolder, date, progress: silent })
    const listRows = async (query: string) => (await runQuery(dataFolder, query)).rows
    expect(manifest).toMatchObject({ asof: '11:55:00', tape_grade: { grade: 'bad' } })
    expect(manifest.tape_grade!.reasons[0]).toMatch(/^prints_missing is 1, .* open interest alone$/)
    const levels = await listRows(
      `select book_basis, flip, net_gamma_musd_per_point as gamma, reason from levels
       where minute_et = '11:56' order by book_basis`,
    )
    expect(levels).toMatchObject([
      { book_basis: 'measured', flip: null, reason: 'inventory_unknown' },
      // the published chart has 3,984 with neither rates nor dividends and business days
      { book_basis: 'oi', flip: expect.closeTo(3949.19, 1), reason: null },
      { book_basis: 'vol', flip: null, gamma: null, reason: 'empty_book' },
    ])
    const [counts] = await listRows(
      `select (select count(*) from orders) as orders, count(*) as n,
         count(*) filter (delta_musd is null and delta_reason = 'no_orders') as empty_count
       from flow`,
    )
    expect(counts!.orders).toBe(0)
    expect(counts!.empty_count).toBe(counts!.n)
    expect(await verifyDay({ dataFolder, date, progress: silent })).toEqual([])
  })
})
