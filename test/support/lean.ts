import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import type { Row } from '../../src/core/engine/database.ts'
import { wallTimeEt } from '../../src/core/market/calendar.ts'
import { SHARED_DATA } from './shared.ts'
import { addRows, loadExpiries, openSessionDb } from './surface.ts'

/** New York midnight of a winter or summer day as UTC milliseconds. */
function midnightMs(date: string): number {
  const guess = Date.parse(`${date}T05:00:00Z`)
  return wallTimeEt(guess).minute === '00:00' ? guess : guess - 3_600_000
}

const isoDay = (text: string) => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`
const timestamp = (atMs: number) => new Date(atMs).toISOString().replace('T', ' ').replace('Z', '')

function readZip(path: string): { name: string; lines: string[][] }[] {
  const files = unzipSync(readFileSync(join(SHARED_DATA, 'lean', path)))
  return Object.entries(files).map(([name, bytes]) => ({
    name,
    lines: strFromU8(bytes)
      .trim()
      .split('\n')
      .map(line => line.split(',')),
  }))
}

/** Minute quotes of one day: the close of a bar stands just before the minute that follows. */
function readQuotes(date: string): Row[] {
  const day = date.replaceAll('-', '')
  return readZip(`indexoption/spxw/${day}_quote_european.zip`).flatMap(({ name, lines }) => {
    const [, , , , , side, strike, expiry] = name.replace('.csv', '').split('_')
    return lines.map(cells => {
      const endMs = midnightMs(date) + Number(cells[0]) + 60_000
      const price = (cell: string | undefined) => (cell ? Number(cell) / 10_000 : null)
      return {
        session_date: date,
        minute_at: timestamp(endMs),
        root: 'SPXW',
        expiry: isoDay(expiry!),
        strike: Number(strike) / 10_000,
        option_type: side === 'call' ? 'C' : 'P',
        best_bid: price(cells[4]),
        best_ask: price(cells[9]),
        quoted_at: timestamp(endMs - 1),
      }
    })
  })
}

/** Index minutes of one day, written in Chicago time; none where the excerpt has no such day. */
function readSpots(date: string): Row[] {
  const bars = readZip(`index/spx/${date.replaceAll('-', '')}_trade.zip`)
  return bars[0]!.lines.map(cells => ({
    session_date: date,
    spotted_at: timestamp(midnightMs(date) + Number(cells[0]) + 3_600_000 + 60_000 - 1),
    spot: Number(cells[4]),
  }))
}

/** A session database with the minute quotes of the LEAN excerpt, and its index where it has it. */
export async function openLeanDb(date: string, listSpots: (quotes: Row[]) => Row[] | null) {
  const db = await openSessionDb(date)
  const quotes = readQuotes(date)
  await addRows(db, 'tape.quotes', quotes)
  await addRows(db, 'tape.spots', listSpots(quotes) ?? readSpots(date))
  await loadExpiries(db)
  return db
}

/** Where there is no index: strike + call - put at 3700 of the nearest expiry quoted then. */
export function impliedSpots(quotes: readonly Row[]): Row[] {
  const chains = Map.groupBy(
    quotes.filter(row => row.strike === 3700),
    row => `${row.minute_at} ${row.expiry}`,
  )
  const mid = (row: Row | undefined) =>
    row?.best_bid && row.best_ask ? (Number(row.best_bid) + Number(row.best_ask)) / 2 : Number.NaN
  const spots = new Map<string, Row>()
  for (const [, rows] of [...chains].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const minuteAt = String(rows[0]!.minute_at)
    const call = mid(rows.find(row => row.option_type === 'C'))
    const spot = 3700 + call - mid(rows.find(row => row.option_type === 'P'))
    if (spots.has(minuteAt) || !Number.isFinite(spot)) continue
    const spotted_at = timestamp(Date.parse(`${minuteAt.replace(' ', 'T')}Z`) - 1)
    spots.set(minuteAt, { session_date: rows[0]!.session_date, spotted_at, spot })
  }
  return [...spots.values()]
}
