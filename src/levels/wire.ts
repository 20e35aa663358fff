import type { z } from 'zod'
import { isExpected, toErrorResponse } from '../platform/http/errors/catalogue.ts'
import { maskedStart } from '../platform/http/mask.ts'
import type { Curve, Ladder } from './columns.ts'
import { LIVE_ERRORS } from './errors.ts'
import { BAND, columnOf, LEVEL, LEVEL_NAMES, type LevelName } from './levelFields.ts'
import {
  cents,
  GAMMA_OF_SPX,
  type LevelReading,
  listStrikes,
  rankedStrikes,
  roundGamma,
  spotSource,
  sumNet,
} from './reading.ts'
import type { SymbolError, SymbolLevels } from './schema.ts'

/** Maximum number of roots returned, those nearest to the index. */
const ROOTS_MAX = 12

export type WireLevels = z.infer<typeof SymbolLevels>

/** Levels of a symbol in a response, with that many strikes of its ladder. */
export function wireLevels(
  reading: LevelReading,
  ladder: LadderFound,
  strikeCount: number,
): WireLevels {
  const { symbol, future } = reading
  return {
    sym: symbol.sym,
    source: formatSource(reading),
    ...(future && { contract: future.contract, basis: future.basis }),
    ...sendLevels(LEVEL_NAMES, reading),
    gamma_reason: symbol.kind === 'index' ? null : GAMMA_OF_SPX,
    gex: strikeCount === 0 ? [] : gexRows(reading, ladder.ladder, strikeCount),
    gex_reason: strikeCount === 0 ? null : ladder.reason,
  }
}

type Sent = { readonly [Name in LevelName]: z.infer<(typeof LEVEL)[Name]['schema']> }

export const sendLevels = <const Name extends LevelName>(
  names: readonly Name[],
  reading: LevelReading,
) => Object.fromEntries(names.map(name => [name, sendLevel(name, reading)])) as Pick<Sent, Name>

/** Returns a level of a reading as it is sent. */
export function sendLevel(
  name: LevelName,
  { symbol, row, toPrice, toMove }: Pick<LevelReading, 'symbol' | 'row' | 'toPrice' | 'toMove'>,
): Sent[LevelName] {
  if (name === 'spot_source') return spotSource(row)
  if (name === 'flip_roots') {
    return nearestRoots(row.flip_roots, row.spot).map(root => toPrice(root)!)
  }
  const value = row[columnOf(name)]
  const { kind } = LEVEL[name]
  if (kind === 'as_stored') return value
  const number = value as number | null
  if (kind === 'gamma') return symbol.kind === 'index' ? roundGamma(number) : null
  return { price: toPrice, move: toMove, share: roundShare }[kind](number)
}

export type LadderFound = { readonly ladder: Ladder | null; readonly reason: string | null }

function gexRows({ symbol, toPrice }: LevelReading, ladder: Ladder | null, count: number) {
  if (ladder === null) return null
  const hasGamma = symbol.kind === 'index'
  return rankedStrikes(ladder)
    .slice(0, count)
    .map(one => ({
      strike: toPrice(one.strike)!,
      call: hasGamma ? roundGamma(one.call) : null,
      put: hasGamma ? roundGamma(one.put) : null,
      net: hasGamma ? roundGamma(sumNet(one)) : null,
    }))
}

const formatSource = ({ symbol, book }: LevelReading): string =>
  ({ index: book, mini_index: 'SPX / 10', future: 'SPX + basis' })[symbol.kind]

/** The roots nearest to the index, ascending. */
function nearestRoots(roots: readonly number[], spot: number | null): number[] {
  const near = spot ?? 0
  return roots
    .toSorted((a, b) => Math.abs(a - near) - Math.abs(b - near))
    .slice(0, ROOTS_MAX)
    .sort((a, b) => a - b)
}

/** A share of a total, to a thousandth. */
export const roundShare = (share: number | null): number | null =>
  share === null ? null : Math.round(share * 1000) / 1000 + 0

type CurveFound = { readonly curve: Curve | null; readonly curveReason: string | null }

/** Gamma of a book by strike and by index level: for SPX only. */
export function wireGamma(
  reading: LevelReading,
  found: LadderFound,
  { curve, curveReason, strikeCount }: CurveFound & { readonly strikeCount: number },
) {
  const { symbol, row, future } = reading
  const hasGamma = symbol.kind === 'index'
  const ladder = hasGamma ? found.ladder : null
  const wanted = ladder && (strikeCount === 0 ? listStrikes(ladder) : rankedStrikes(ladder))
  const strikes = strikeCount === 0 ? wanted : (wanted?.slice(0, strikeCount) ?? null)
  const of = hasGamma ? curve : null
  return {
    sym: symbol.sym,
    ...(future && { contract: future.contract, basis: future.basis }),
    ...sendLevels(BAND, reading),
    reason: row.reason,
    strikes: strikes?.map(one => [one.strike, roundGamma(one.call), roundGamma(one.put)]) ?? null,
    strikes_reason: hasGamma ? found.reason : GAMMA_OF_SPX,
    curve: of && { from: cents(of.from), step: of.step, net: of.net.map(net => roundGamma(net)!) },
    curve_reason: hasGamma ? curveReason : GAMMA_OF_SPX,
  }
}

/** Longer than any existing symbol. */
const SHOWN_LENGTH = 20

/** Error codes with which one of several symbols fails alone. */
const SYMBOL_CODES = ['unknown_symbol', 'contract_not_live', 'no_basis', 'no_data']

/** Entry of a symbol that failed; null: the error is one of the whole call. */
export function wireError(sym: string, error: unknown): z.infer<typeof SymbolError> | null {
  if (!isExpected(error)) return null
  const { code, body } = toErrorResponse(error, LIVE_ERRORS)
  if (!SYMBOL_CODES.includes(code)) return null
  // the symbol is shown as the client sent it, unless it is a key
  return { sym: maskedStart(sym, SHOWN_LENGTH).toUpperCase(), ...JSON.parse(body) }
}
