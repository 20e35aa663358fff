// The trades of a run are the same in every form, each value and each null.

import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { expect, test } from 'vitest'
import {
  EXIT_REASONS,
  type LegPrice,
  MISSED_REASONS,
  type Trade,
  type TradeLedger,
} from '../../../src/lab/engine/trade.ts'
import { renderTrades, type TradeForm } from '../../../src/lab/runs/renderTrades.ts'
import {
  readWholeTrades,
  tradesPath,
  writeTrades,
  writeWholeTrades,
} from '../../../src/lab/runs/tradesFile.ts'
import { sealTradeRows, TRADE_COLUMNS, tradeRows } from '../../../src/lab/runs/tradeTable.ts'
import { newFolder } from '../../support/import.ts'
import { runs } from '../../support/runs.ts'

const DATES = ['2026-10-12', '2026-10-13', '2026-10-14', '2026-10-15', '2026-10-16']
const AT = {
  dates: DATES,
  holdout: { from: '2026-10-14', to: '2026-10-15' },
  firstTestedTo: '2026-10-15',
}

const number = fc.double({ noNaN: true, noDefaultInfinity: true })
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })
const price: fc.Arbitrary<LegPrice> = fc.record({
  bid: orNull(number),
  ask: orNull(number),
  mid: number,
  halfSpread: number,
  source: fc.constantFrom('quote', 'smile'),
})
const index = {
  ruleLeg: fc.constantFrom(0, 1),
  session: fc.nat(4),
  decidedAt: fc.integer({ min: 571, max: 959 }),
  isInRule: fc.boolean(),
}
const trade: fc.Arbitrary<Trade> = fc.record({
  ...index,
  filledAt: fc.integer({ min: 571, max: 959 }),
  slot: fc.nat(959),
  isFixed: fc.boolean(),
  conditions: fc.array(fc.record({ value: orNull(number), holds: orNull(fc.boolean()) })),
  legs: fc.array(
    fc.record({
      type: fc.constantFrom('C', 'P'),
      sign: fc.constantFrom(1, -1),
      targetStrike: number,
      strike: number,
      entry: price,
      exit: orNull(price),
    }),
  ),
  net: number,
  exitReason: fc.constantFrom(...EXIT_REASONS),
  isLate: fc.boolean(),
  exitSession: orNull(fc.nat(4)),
  exitAt: orNull(fc.integer({ min: 571, max: 960 })),
  closeNet: orNull(number),
  settlement: orNull(number),
  feesUsd: number,
  pnlUsd: orNull(number),
  riskUsd: number,
  r: orNull(number),
  worstUsd: orNull(number),
}) as fc.Arbitrary<Trade>
const ledger: fc.Arbitrary<TradeLedger> = fc.record({
  trades: fc.array(trade, { maxLength: 20 }),
  missed: fc.array(fc.record({ ...index, reason: fc.constantFrom(...MISSED_REASONS) })),
})

const folder = newFolder()
const query = (sha256: string, form: TradeForm, start = 0, count = 1_000) =>
  renderTrades(folder, { runId: 'j_1', key: null, sha256, form, start, count })
/** JSON has one zero. */
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value))

test('JSON, CSV and Parquet have the rows of the ledger, read by other readers too', async () => {
  await fc.assert(
    fc.asyncProperty(ledger, async made => {
      const rows = tradeRows(made, AT)
      const { sha256 } = writeTrades(folder, 'j_1', rows)
      const json = JSON.parse(Buffer.from(query(sha256, 'json')).toString())
      expect(json).toEqual({ job: 'j_1', total: rows.length, trades: asJson(rows) })
      const bytes = query(sha256, 'parquet')
      const read = await parquetReadObjects({
        file: new Uint8Array(bytes).buffer as ArrayBuffer,
        compressors,
      })
      expect(asJson(read)).toEqual(asJson(rows))
      const lines = Buffer.from(query(sha256, 'csv')).toString().trimEnd().split('\r\n')
      expect(lines).toHaveLength(rows.length + 1)
      expect(lines[0]).toBe(TRADE_COLUMNS.join(','))
    }),
    { numRuns: runs(40) },
  )
})

test('rows are by leg, session and minute; a session is of the part that it is in', () => {
  const one = fc.sample(trade, 1)[0]!
  const at = (ruleLeg: number, session: number, decidedAt: number) => {
    return { ...one, ruleLeg, session, decidedAt }
  }
  const trades = [at(0, 1, 600), at(0, 4, 600), at(1, 0, 600)]
  const missed = [
    { ruleLeg: 0, session: 1, decidedAt: 600, isInRule: true, reason: 'no_price' as const },
    { ruleLeg: 0, session: 2, decidedAt: 571, isInRule: false, reason: 'half_day' as const },
  ]
  const rows = tradeRows({ trades, missed }, AT)
  expect(
    rows.map(row => [row.rule_leg, row.session_date, row.decided_et, row.missed, row.era]),
  ).toEqual([
    [0, '2026-10-13', '10:00', null, 'design'],
    [0, '2026-10-13', '10:00', 'no_price', 'design'],
    [0, '2026-10-14', '09:31', 'half_day', 'holdout'],
    [0, '2026-10-16', '10:00', null, 'since'],
    [1, '2026-10-12', '10:00', null, 'design'],
  ])
  const { sha256 } = writeTrades(folder, 'j_1', rows)
  const page = JSON.parse(Buffer.from(query(sha256, 'json', 1, 2)).toString())
  expect(page.trades.map((row: { missed: string }) => row.missed)).toEqual(['no_price', 'half_day'])
  expect(page.total).toBe(5)
})

test('a file that is not what was written is refused', () => {
  const { sha256 } = writeTrades(folder, 'j_1', [])
  expect(() => query('0'.repeat(64), 'csv')).toThrow('damaged')
  const path = tradesPath(folder, 'j_1')
  const bytes = readFileSync(path)
  bytes[10]! ^= 1
  writeFileSync(path, bytes)
  expect(() => query(sha256, 'parquet')).toThrow('damaged')
})

test('sealed rows have their entry alone; all rows are encrypted, a file each time', () => {
  const [made] = fc.sample(ledger, { numRuns: 1, seed: 7 }) as [TradeLedger]
  const rows = tradeRows(made, AT)
  const dates = rows.map(({ session_date }) => session_date as string).sort()
  const range = { from: dates[Math.floor(dates.length / 2)]!, to: dates.at(-1)! }
  const sealed = sealTradeRows(rows, range)
  expect(rows.length).toBeGreaterThan(3)
  for (const [index, row] of sealed.entries()) {
    const isSealed = dates.includes(range.from) && (row.session_date as string) >= range.from
    expect(row).toEqual(isSealed ? { ...rows[index], ...HIDDEN, legs: row.legs } : rows[index])
    for (const leg of isSealed ? (row.legs as Record<string, unknown>[]) : []) {
      expect([leg.exit_bid, leg.exit_mid, leg.exit_source]).toEqual([null, null, null])
      expect(leg.entry_mid).not.toBeNull()
    }
  }
  expect(sealTradeRows(rows, null)).toEqual(rows)
  const keys = [0, 1].map(() => writeWholeTrades(folder, 'j_2', rows).key)
  for (const key of keys) {
    const bytes = renderTrades(folder, {
      runId: 'j_2',
      sha256: '',
      key,
      form: 'json',
      start: 0,
      count: 1_000,
    } as const)
    expect(JSON.parse(Buffer.from(bytes).toString()).trades).toEqual(asJson(rows))
  }
  expect(() => readWholeTrades(folder, 'j_2', 'ab'.repeat(32))).toThrow()
})

const HIDDEN = {
  is_sealed: true,
  exit_reason: null,
  exit_date: null,
  exit_et: null,
  is_late: null,
  close_net: null,
  settlement: null,
  fees_usd: null,
  pnl_usd: null,
  r: null,
  worst_usd: null,
}
