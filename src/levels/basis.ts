import type { MinuteEt, SessionDate } from '../core/market/calendar.ts'
import type { BasisRow } from './columns.ts'
import { liveError } from './errors.ts'
import { findExpiry, type LevelSymbol, toContract } from './symbols.ts'

/** Basis of a future: its difference to the index, and its contract. */
export type Basis = {
  readonly contract: string
  readonly basis: number | null
  readonly reason: string | null
}

/** Known data of futures on a day. */
export type Futures = {
  readonly day: SessionDate
  /** Null: the session has no bases. */
  readonly rows: readonly BasisRow[] | null
  /** Of the previous session: the contract must be chosen by data known before the first minute. */
  readonly before: readonly BasisRow[] | null
}

/** Seconds until the next request is worthwhile; null: no session is known to come. */
type Wait = number | null

/**
 * Returns the basis of a symbol at a minute. Fails with `contract_not_live` when only other
 * contracts were measured by then, and with `no_basis` when none was, or not in this minute.
 */
export function basisAt(
  symbol: LevelSymbol,
  { futures, minute, wait }: { futures: Futures; minute: MinuteEt; wait: Wait },
): Basis & { readonly basis: number } {
  const contract = contractUntil(symbol, { futures, minute, wait })
  const row = futures.rows!.find(one => one.contract === contract && one.minute_et === minute)
  if (row && row.basis !== null) return { ...row, contract, basis: row.basis }
  const seen = row?.reason == null ? '' : ` (${row.reason})`
  throw noBasis(`the basis of ${contract} is not known at ${minute}${seen}`, wait)
}

/** Returns the contract of a symbol, from data measured up to a minute. Fails as `basisAt`. */
export function contractUntil(
  symbol: LevelSymbol,
  { futures, minute, wait }: { futures: Futures; minute: MinuteEt; wait: Wait },
): string {
  const { day, rows } = futures
  const measured = (rows ?? []).filter(row => row.minute_et <= minute && row.basis !== null)
  const live = [...new Set(measured.map(row => row.contract))].sort((a, b) =>
    findExpiry(a, day) < findExpiry(b, day) ? -1 : 1,
  )
  if (live.length === 0) {
    throw noBasis(`no basis of ${symbol.sym} is measured on ${day} by ${minute}`, wait)
  }
  if (symbol.contract === null) return mainContract(live, futures)
  if (live.includes(symbol.contract)) return symbol.contract
  const named = live.map(contract => toContract(symbol, contract))
  throw liveError('contract_not_live', {
    message: `${symbol.sym} was not measured on ${day} by ${minute}; ask for ${named.join(', ')}.`,
    extras: { live: named },
  })
}

/** The contract with the most volume in the previous session; else the one that expires first. */
function mainContract(live: readonly string[], { before }: Futures): string {
  const sumVolume = (contract: string) =>
    (before ?? [])
      .filter(row => row.contract === contract)
      .reduce((sum, row) => sum + (row.volume ?? 0), 0)
  return live.reduce((best, one) => (sumVolume(one) > sumVolume(best) ? one : best))
}

const noBasis = (what: string, wait: Wait) =>
  liveError('no_basis', { message: `${what}.`, extras: { next_update_s: wait } })
