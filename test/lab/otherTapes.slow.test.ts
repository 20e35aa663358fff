// Real tapes and index minutes on which no rule can be tested, and what LAB says of them.

import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDay } from '../../pipelines/build/day.ts'
import { buildSpots } from '../../pipelines/build/surface.ts'
import { silent } from '../../pipelines/command/progress.ts'
import { runImport } from '../../pipelines/import/import.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import { findTradingSession } from '../../src/core/market/calendar.ts'
import { readMarket } from '../../src/lab/market/readMarket.ts'
import type { LabMarket } from '../../src/lab/market/session.ts'
import { computeRun } from '../../src/lab/verdict/computeRun.ts'
import { madeRequest } from '../support/labLedger.ts'
import { readLeanDay } from '../support/leanBars.ts'
import { takeGradeOff } from '../support/leanFolder.ts'
import { hasSharedData, SHARED_DATA } from '../support/shared.ts'
import { addRows, loadExpiries, openSessionDb } from '../support/surface.ts'
import { findLedger, findMarket, rule } from './engine/market.ts'
import { publishMarket } from './market/publish.ts'

const root = mkdtempSync(join(tmpdir(), 'tapefold-tapes-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const TAPES = {
  vix: 'tape/UnderlyingOptionsTrades_2016-06-01.csv',
  spx: 'tape/spx_otm_trades_2024-10-07_135411-135642.csv',
  spy: 'opra-fixtures/thetadata_option_history_trade_quote_SPY240621C500_2024-06-14.csv',
} as const

/** The excerpt is of no vendor's format: it becomes a file of prints of our own. */
async function writeExcerpt(): Promise<string> {
  const file = join(root, 'excerpt.csv')
  const db = await openDatabase()
  await db.run(
    `copy (
       select timezone('UTC', timezone('America/New_York', quote_datetime::timestamp))
           as printed_at,
         'SPXW' as root, expiration_derived as expiry, strike_price as strike,
         upper(left(w, 1)) as option_type, trade_size as size, trade_price as price,
         spot_price as underlying_price, row_number() over () as sequence
       from read_csv($from)
     ) to $file (format csv, header)`,
    { from: join(SHARED_DATA, TAPES.spx), file },
  )
  db.close()
  return file
}

describe.skipIf(!hasSharedData)('three real tapes next to simulated sessions', () => {
  let market: LabMarket

  beforeAll(async () => {
    const built = async (format: string, file: string, date: string) => {
      await runImport({ dataFolder: root, format, files: [file] })
      await buildDay({ dataFolder: root, date, progress: silent })
    }
    await built('cboe-trades', join(SHARED_DATA, TAPES.vix), '2016-06-01')
    await built('thetadata-trade-quote', join(SHARED_DATA, TAPES.spy), '2024-06-14')
    await built('prints', await writeExcerpt(), '2024-10-07')
    for (const date of ['2026-10-14', '2026-10-15']) {
      await publishMarket(root, findMarket({ date, expiries: [{ expiry: date }] }))
    }
    market = await readMarket(root)
  })

  test('the simulated ones are tested on, and the others are counted by why they are not', () => {
    expect(market).toMatchObject({
      kind: 'simulated',
      leftOut: [],
      passedOver: [
        { reason: 'real_bad_tape', sessions: 1 },
        { reason: 'other_symbol', sessions: 2 },
      ],
    })
    expect(market.sessions.map(({ date }) => date)).toEqual(['2026-10-14', '2026-10-15'])
    const { result } = computeRun(market, madeRequest({ spec: rule({}), kind: 'backtest' }))
    expect(result.says.slice(1, 3)).toEqual([
      'No real session that is published can be tested on: 1 with a bad tape.',
      '2 published sessions are not of SPX, and not used.',
    ])
  })

  test('prints without quotes price no rule, even if their tape were good', async () => {
    takeGradeOff(root, '2024-10-07')
    const real = await readMarket(root)
    expect(real).toMatchObject({
      kind: 'real',
      passedOver: [
        { reason: 'simulated', sessions: 2 },
        { reason: 'other_symbol', sessions: 2 },
      ],
    })
    const { market: minutes, expiries, settlement } = real.sessions[0]!
    // the index of the prints serves five minutes
    const spots = [...minutes.spot].flatMap((spot, state) => (Number.isNaN(spot) ? [] : [state]))
    expect([spots[0], spots.at(-1)]).toEqual([13 * 60 + 55 - 571, 14 * 60 + 1 - 571])
    expect(settlement).toBeNull()
    expect(expiries.map(one => one?.strikes.length ?? null)).toEqual([null, null, 0, 0, 0, 0])
    const reasons = (dte: number) => {
      const spec = rule({ structure: 'straddle', dte, entry: { at: '13:57' } })
      return findLedger(real, spec).missed.map(({ reason }) => reason)
    }
    expect([0, 2].map(reasons)).toEqual([['no_expiry'], ['no_reference']])
  })
})

/** Index values by the start of their minute, as the models settle them. */
async function settled(date: string, index: ReadonlyMap<number, number>) {
  const db = await openSessionDb(date)
  const midnightMs = findTradingSession(date)!.opensAtMs - 570 * 60_000
  const rows = [...index].map(([minute, spot]) => ({
    session_date: date,
    spotted_at: new Date(midnightMs + (minute + 1) * 60_000 - 1).toISOString().slice(0, -1),
    spot,
  }))
  await addRows(db, 'tape.spots', rows)
  await loadExpiries(db)
  await buildSpots(db)
  await db.build('ledger/settlements')
  const [row] = await db.rows('select settlement, source from ledger.settlements')
  db.close()
  return row
}

const files = globSync('spx-minutes/*.csv', { cwd: SHARED_DATA }).sort()

test.skipIf(!hasSharedData)(
  '26 sessions of index minutes settle at the last before 16:00',
  async () => {
    expect(files).toHaveLength(26)
    let hadClose = 0
    for (const file of files) {
      const lines = readFileSync(join(SHARED_DATA, file), 'utf8').trim().split('\n').slice(1)
      const index = new Map(
        lines.map(line => {
          const [clock, , , , close] = line.split(',')
          return [Number(clock!.slice(0, 2)) * 60 + Number(clock!.slice(3)), Number(close)]
        }),
      )
      // one value after the close is not one that stood for a minute
      if (index.has(960)) hadClose += 1
      const wanted = { settlement: index.get(959), source: 'last_index' }
      expect(await settled(file.slice(12, 22), index), file).toEqual(wanted)
    }
    expect(hadClose).toBe(5)
  },
)

test.skipIf(!hasSharedData).each([
  ['2023-06-30', 959],
  // closes at 13:00
  ['2023-07-03', 779],
])('the index of %s ends before its close, and its last minute counts', async (date, last) => {
  const { index } = readLeanDay(date)
  expect(Math.max(...index.keys())).toBe(last)
  const wanted = { settlement: index.get(last), source: 'last_index' }
  expect(await settled(date, index)).toEqual(wanted)
})
