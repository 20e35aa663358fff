import type { z } from 'zod'
import type { MinuteEt } from '../core/market/calendar.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { FIRST_MINUTE } from '../data/published/stateMinutes.ts'
import type { ColumnLists } from '../platform/http/table.ts'
import { contractUntil } from './basis.ts'
import { rowAt } from './columns.ts'
import { HISTORY_COLUMNS, HISTORY_LEVELS } from './levelFields.ts'
import { GAMMA_OF_SPX, priceRule, type Sources } from './reading.ts'
import type { History } from './schema.ts'
import { type LevelSymbol, toContract } from './symbols.ts'
import { sendLevel } from './wire.ts'

export type HistoryResponse = z.infer<typeof History>

/** Returns the minutes of a session up to the one of the sources. Fails as `contractUntil` does. */
export function buildHistory(
  symbol: LevelSymbol,
  sources: Sources,
  { session_date: day, simulated }: PublishedManifest,
): HistoryResponse {
  const { book, minute: last, levels, futures } = sources
  const contract = symbol.kind === 'future' ? contractUntil(symbol, sources) : null
  const columns = levels.get(book)!
  const bases = new Map<MinuteEt, number | null>(
    (futures.rows ?? [])
      .filter(row => row.contract === contract)
      .map(row => [row.minute_et, row.basis]),
  )
  const toMove = priceRule(symbol, null)
  const readings = columns.minute_et.flatMap((minute, position) => {
    if (minute < FIRST_MINUTE || minute > last) return []
    const row = rowAt(columns, position)
    const basis = contract === null ? 0 : (bases.get(minute) ?? null)
    if (basis !== null) return [{ symbol, row, toPrice: priceRule(symbol, { basis }), toMove }]
    // without a basis a future has no price, not even of the index
    const unpriced = { ...row, spot: null, reason: 'no_basis' }
    return [{ symbol, row: unpriced, toPrice: () => null, toMove: () => null }]
  })
  const lists = HISTORY_LEVELS.map(name => [name, readings.map(one => sendLevel(name, one))])
  return {
    day,
    book,
    sym: symbol.sym,
    simulated,
    ...(contract && { contract: toContract(symbol, contract) }),
    minutes: readings.map(({ row }) => row.minute_et),
    ...(Object.fromEntries(lists) as Pick<HistoryResponse, (typeof HISTORY_LEVELS)[number]>),
    gamma_reason: symbol.kind === 'index' ? null : GAMMA_OF_SPX,
  }
}

export const historyColumns = (history: HistoryResponse): ColumnLists =>
  Object.fromEntries(
    HISTORY_COLUMNS.map(name => [name, name === 'minute' ? history.minutes : history[name]!]),
  )

/** Rows of a history, by column name. */
export const historyRows = (history: HistoryResponse): Record<string, string | number | null>[] => {
  const columns = Object.entries(historyColumns(history))
  return history.minutes.map((_, at) =>
    Object.fromEntries(columns.map(([name, cells]) => [name, cells[at]!])),
  )
}
