import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow'
import type { z } from 'zod'
import type { MinuteEt } from '../core/market/calendar.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { FIRST_MINUTE } from '../data/published/stateMinutes.ts'
import { contractUntil } from './basis.ts'
import { rowAt } from './columns.ts'
import { GAMMA_OF_SPX, priceRule, roundGamma, type Sources, spotSource } from './reading.ts'
import type { History } from './schema.ts'
import { type LevelSymbol, toContract } from './symbols.ts'
import { roundShare } from './wire.ts'

export type HistoryResponse = z.infer<typeof History>

/** Returns the minutes of a session up to the one of the sources. Fails as `contractUntil` does. */
export function buildHistory(
  symbol: LevelSymbol,
  sources: Sources,
  { session_date: day, simulated }: PublishedManifest,
): HistoryResponse {
  const { book, minute: last, levels, futures } = sources
  const contract = symbol.kind === 'future' ? contractUntil(symbol, sources) : null
  const columns = levels[book]
  const rows = columns.minute_et.flatMap((minute, position) =>
    minute >= FIRST_MINUTE && minute <= last ? [rowAt(columns, position)] : [],
  )
  const bases = new Map<MinuteEt, number | null>(
    (futures.rows ?? [])
      .filter(row => row.contract === contract)
      .map(row => [row.minute_et, row.basis]),
  )
  const lacks = (minute: MinuteEt) => contract !== null && (bases.get(minute) ?? null) === null
  const listPrices = (name: 'spot' | 'flip' | 'flip_lo' | 'flip_hi' | 'call_wall' | 'put_wall') =>
    rows.map(row => {
      if (lacks(row.minute_et)) return null
      const basis = contract === null ? null : { basis: bases.get(row.minute_et)! }
      return priceRule(symbol, basis)(row[name])
    })
  const hasGamma = symbol.kind === 'index'
  return {
    day,
    book,
    sym: symbol.sym,
    simulated,
    ...(contract && { contract: toContract(symbol, contract) }),
    minutes: rows.map(row => row.minute_et),
    spot: listPrices('spot'),
    flip: listPrices('flip'),
    flip_lo: listPrices('flip_lo'),
    flip_hi: listPrices('flip_hi'),
    call_wall: listPrices('call_wall'),
    put_wall: listPrices('put_wall'),
    net_gamma: rows.map(row => (hasGamma ? roundGamma(row.net_gamma_musd_per_point) : null)),
    regime: rows.map(row => row.regime),
    p_positive: rows.map(row => roundShare(row.p_positive)),
    spot_source: rows.map(row => (lacks(row.minute_et) ? null : spotSource(row))),
    spot_error: rows.map(row =>
      lacks(row.minute_et) ? null : priceRule(symbol, null)(row.spot_error),
    ),
    reason: rows.map(row => (lacks(row.minute_et) ? 'no_basis' : row.reason)),
    gamma_reason: hasGamma ? null : GAMMA_OF_SPX,
  }
}

const NUMBERS = [
  'spot',
  'flip',
  'flip_lo',
  'flip_hi',
  'call_wall',
  'put_wall',
  'net_gamma',
] as const

/** Columns of the tabular forms, in order. */
export const HISTORY_COLUMNS = [
  'minute',
  ...NUMBERS,
  'regime',
  'reason',
  'p_positive',
  'spot_source',
  'spot_error',
] as const

type Cell = string | number | null

/** Rows of a history, by column name. */
export const historyRows = (history: HistoryResponse): Record<string, Cell>[] =>
  history.minutes.map((minute, at) => ({
    minute,
    ...Object.fromEntries(NUMBERS.map(name => [name, history[name][at]!])),
    regime: history.regime[at]!,
    reason: history.reason[at]!,
    p_positive: history.p_positive?.[at] ?? null,
    spot_source: history.spot_source?.[at] ?? null,
    spot_error: history.spot_error?.[at] ?? null,
  }))

/** CSV as RFC 4180 with a header; a null is an empty field. No value has a comma or a quote. */
export const historyCsv = (history: HistoryResponse): string =>
  [
    HISTORY_COLUMNS,
    ...historyRows(history).map(row => HISTORY_COLUMNS.map(name => row[name] ?? '')),
  ]
    .map(cells => `${cells.join(',')}\r\n`)
    .join('')

type TextColumn = 'minute' | 'regime' | 'reason' | 'spot_source'

const isText = (name: (typeof HISTORY_COLUMNS)[number]): name is TextColumn =>
  ['minute', 'regime', 'reason', 'spot_source'].includes(name)

/** The same as an Arrow stream. */
export function historyArrow(history: HistoryResponse): Uint8Array {
  const { regime, reason, spot_source = [] } = history
  const texts = { minute: history.minutes, regime, reason, spot_source }
  const vectors = HISTORY_COLUMNS.map(name => {
    const vector = isText(name)
      ? vectorFromArray(texts[name], new Utf8())
      : vectorFromArray(history[name] ?? [], new Float64())
    return [name, vector] as const
  })
  return tableToIPC(new Table(Object.fromEntries(vectors)), 'stream')
}
