import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import {
  type PublishedManifest,
  publishedFolder,
  publishedSessions,
} from '../../../src/data/published/manifest.ts'
import { hasSharedData, SHARED_DATA } from '../../support/shared.ts'

const root = mkdtempSync(join(tmpdir(), 'tapefold-real-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const listRows = async (folder: string, query: string) => (await runQuery(folder, query)).rows

describe.skipIf(!hasSharedData)('a real VIX session, from the vendor file to the ledger', () => {
  const dataFolder = join(root, 'vix')
  let manifest: PublishedManifest

  beforeAll(async () => {
    const files = [join(SHARED_DATA, 'tape/UnderlyingOptionsTrades_2016-06-01.csv')]
    await runImport({ dataFolder, format: 'cboe-trades', files, roots: ['VIX'] })
    manifest = await buildDay({ dataFolder, date: '2016-06-01', progress: silent })
  })

  test('2,295 prints with every condition count of the file', async () => {
    const counts = await listRows(
      dataFolder,
      'select vendor_condition::int as id, count(*) as n from prints group by all order by id',
    )
    expect(counts.map(({ id, n }) => [id, n])).toEqual([
      [0, 1493],
      [2, 2],
      [13, 22],
      [35, 719],
      [40, 1],
      [95, 9],
      [106, 49],
    ])
    expect(manifest).toMatchObject({ symbol: 'VIX', simulated: false })
    expect(manifest.tape).toEqual({ cancel: 1, cancelled: 1, kept: 2293 })
  })

  test('a print that was cancelled and reported again counts once, at its new price', async () => {
    const reported = await listRows(
      dataFolder,
      `select p.price, p.fate, e.order_id is not null as is_in_order
       from prints p left join order_prints e using (session_date, sequence)
       where p.strike = 18 and p.option_type = 'P' and p.expiry = '2016-07-20' and p.size = 180
         and (p.printed_at = '2016-06-01 18:07:28.4' or p.printed_at > '2016-06-01 18:20:00')
       order by p.sequence`,
    )
    expect(reported).toEqual([
      { price: 2.2, fate: 'cancelled', is_in_order: false },
      { price: 2.2, fate: 'cancel', is_in_order: false },
      { price: 2.25, fate: 'kept', is_in_order: true },
    ])
  })

  test('the 1x2 slices are one parent at each net, 1,000 and 1,475 units', async () => {
    const orders = await listRows(
      dataFolder,
      `select legs_text, size, print_count, round(net_price, 4) as net, minute_et
       from orders where legs_text like '17/20C%' and size > 500 order by printed_at`,
    )
    expect(orders).toMatchObject([
      { legs_text: '17/20C 1x2', size: 1000, net: 0.1, minute_et: '09:30' },
      { legs_text: '17/20C 1x2', size: 1475, net: 0.09, minute_et: '09:31' },
    ])
  })

  test('the ledger says which product it is not: only SPX is called SPX', () => {
    const file = join(publishedFolder(dataFolder), manifest.ledger.json!.file)
    const ledger = JSON.parse(readFileSync(file, 'utf8'))
    expect(ledger).not.toHaveProperty('sym')
    expect(ledger).toMatchObject({ day: '2016-06-01', simulated: false })
    expect(ledger.orders.length).toBeGreaterThan(10)
  })
})

describe.skipIf(!hasSharedData)('a real SPX excerpt without conditions', () => {
  const dataFolder = join(root, 'spx')
  let manifest: PublishedManifest

  beforeAll(async () => {
    const file = join(root, 'excerpt.csv')
    const db = await openDatabase()
    // the excerpt is of no vendor's format: it becomes a canonical file of prints
    await db.run(
      `copy (
         select
           timezone('UTC', timezone('America/New_York', quote_datetime::timestamp)) as printed_at,
           'SPXW' as root, expiration_derived as expiry, strike_price as strike,
           upper(left(w, 1)) as option_type, trade_size as size, trade_price as price,
           spot_price as underlying_price,
           row_number() over () as sequence
         from read_csv($from)
       ) to $file (format csv, header)`,
      { from: join(SHARED_DATA, 'tape/spx_otm_trades_2024-10-07_135411-135642.csv'), file },
    )
    db.close()
    await runImport({ dataFolder, format: 'prints', files: [file] })
    const session = { dataFolder, date: '2024-10-07', minPremiumUsd: 0, progress: silent }
    await expect(buildDay({ ...session, isBadTapeRefused: true })).rejects.toThrow(
      /is too incomplete for a ledger .*minutes_missing/,
    )
    expect(publishedSessions(dataFolder)).toEqual([])
    manifest = await buildDay(session)
  })

  test('two and a half minutes of a session are published as bad, or refused', () => {
    expect(manifest.tape_grade!.grade).toBe('bad')
    expect(manifest.tape_grade!.reasons.join('\n')).toMatch(
      /^minutes_missing_share is 0.99\d+, refused from 0.5: /,
    )
    const file = join(publishedFolder(dataFolder), manifest.ledger.json!.file)
    expect(JSON.parse(readFileSync(file, 'utf8')).tape).toEqual({
      ...manifest.tape_grade,
      gaps: [
        { from: '09:30', to: '13:53', minutes: 264 },
        { from: '13:57', to: '16:14', minutes: 138 },
      ],
    })
  })

  test('slices of one order are alike where nothing numbers them, and not uncertain', async () => {
    const rows = await listRows(dataFolder, 'select twin_share, grade_reasons from tape_report')
    expect(rows[0]!.twin_share).toBe(56 / 256)
    expect(String(rows[0]!.grade_reasons)).not.toMatch(/twin_share/)
  })

  test.each([
    ['13:54', 'vertical', '5750/5775C', 10, 8.25],
    ['13:54', 'calendar', '2025-02-28 6125C 2025-03-21 6125C', 10, 16.9],
    ['13:55', 'butterfly', '5300/5450/5600P 1x2x1', 25, 8.5],
    ['13:56', 'butterfly', '5300/5450/5600P 1x2x1', 25, 8.5],
  ])('%s %s %s is folded at its size and net', async (minute, structure, legs, size, net) => {
    const orders = await listRows(
      dataFolder,
      `select structure, size, abs(round(net_price, 4)) as net, fold_basis from orders
       where minute_et = '${minute}' and legs_text = '${legs}'`,
    )
    expect(orders).toEqual([{ structure, size, net, fold_basis: 'prints' }])
  })
})
