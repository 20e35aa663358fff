import { addDays, type SessionDate } from '../core/market/calendar.ts'
import { shown } from '../platform/http/request.ts'
import { liveError } from './errors.ts'

/** Symbols that have levels, and how each follows from the book of SPX. */

export type SymbolKind = 'index' | 'mini_index' | 'future'

export type LevelSymbol = {
  /** As in a response, in capitals. */
  readonly sym: string
  readonly kind: SymbolKind
  /** Tick size in points. */
  readonly tick: number
  /** The requested dated contract of a future; null: the one with most volume. */
  readonly contract: string | null
}

/** A hundredth and a quarter of a point. */
const INDEX_TICK = 0.01
const FUTURE_TICK = 0.25

const FUTURE = /^(M?ES)(?:([HMUZ])(\d))?$/
const MONTHS = { H: '03', M: '06', U: '09', Z: '12' } as const

/** Symbols without a date, in the order of the list. */
export const UNDATED: readonly string[] = ['SPX', 'XSP', 'ES', 'MES']

/** Parses a symbol, case-insensitively. Fails with `unknown_symbol`. */
export function parseSymbol(text: string): LevelSymbol {
  const sym = text.toUpperCase()
  if (sym === 'SPX') return { sym, kind: 'index', tick: INDEX_TICK, contract: null }
  if (sym === 'XSP') return { sym, kind: 'mini_index', tick: INDEX_TICK, contract: null }
  const [, root, month, year] = FUTURE.exec(sym) ?? []
  if (root === undefined) {
    throw liveError('unknown_symbol', {
      message:
        `there is no book for ${shown(text)}; ` +
        '/api/v1/symbols lists the symbols there are, such as SPX.',
    })
  }
  // both sizes of the future have one price
  const contract = month === undefined ? null : `ES${month}${year}`
  return { sym, kind: 'future', tick: FUTURE_TICK, contract }
}

/** True when a text names a future, or nothing. */
export const mayBeFuture = (text: string): boolean => !/^(SPX|XSP)$/i.test(text)

/** Names a contract by the root of a symbol: MES has the contracts of ES. */
export const toContract = (symbol: Pick<LevelSymbol, 'sym'>, contract: string): string =>
  symbol.sym.startsWith('M') ? `M${contract}` : contract

/** Third Friday of a contract's month, in the first year in which it is not before a day. */
export function findExpiry(contract: string, day: SessionDate): SessionDate {
  const [, , month, digit] = FUTURE.exec(contract)!
  const decade = Number(day.slice(0, 3)) * 10
  const expiries = [decade, decade + 10].map(start =>
    thirdFriday(`${start + Number(digit)}-${MONTHS[month as keyof typeof MONTHS]}`),
  )
  return expiries.find(expiry => expiry >= day) ?? expiries[1]!
}

function thirdFriday(month: string): SessionDate {
  const first = `${month}-01`
  const weekday = new Date(`${first}T00:00:00Z`).getUTCDay()
  return addDays(first, ((5 - weekday + 7) % 7) + 14)
}
