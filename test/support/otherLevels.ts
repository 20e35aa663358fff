// Levels worked out a second time from the published files, by other code: a reader of Parquet in
// plain JavaScript, and the rules of docs/levels.md.

import { readFileSync } from 'node:fs'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

export type PublishedRow = Readonly<Record<string, unknown>>

/** The rows of a Parquet file. */
export async function rowsOfParquet(path: string): Promise<PublishedRow[]> {
  const { buffer, byteOffset, byteLength } = readFileSync(path)
  const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
  return parquetReadObjects({ file, compressors })
}

/** A number as decimal text rounds it; null stays null. */
const rounded = (value: unknown, digits: number): number | null =>
  value == null ? null : Number(Number(value).toFixed(digits))

/** Conversion of the levels of SPX for a symbol. */
export type OtherSymbol = {
  readonly sym: string
  readonly price: (points: number) => number
  readonly hasGamma: boolean
  readonly others: object
}

export const otherSpx: OtherSymbol = {
  sym: 'SPX',
  price: points => points,
  hasGamma: true,
  others: {},
}
export const otherXsp: OtherSymbol = {
  sym: 'XSP',
  price: points => Number(points.toFixed(2)) / 10,
  hasGamma: false,
  others: {},
}
export const otherFuture = (sym: string, contract: string, basis: number): OtherSymbol => ({
  sym,
  price: points => points + basis,
  hasGamma: false,
  others: { contract, basis: rounded(basis, 2) },
})

/** The levels of a row as a symbol gets them; `ladder` has its strikes. */
export function otherLevels(
  row: PublishedRow,
  { sym, price, hasGamma, others }: OtherSymbol,
  ladder: readonly PublishedRow[],
  count: number,
) {
  const isTenth = sym === 'XSP'
  const findPrice = (value: unknown) =>
    value == null ? null : rounded(price(Number(value)), isTenth ? 3 : 2)
  const findMove = (value: unknown) => {
    const points = rounded(value, 2)
    return points === null ? null : isTenth ? rounded(points / 10, 3) : points
  }
  const findGamma = (value: unknown) => (hasGamma ? rounded(value, 4) : null)
  const source = hasGamma ? row.book_basis : isTenth ? 'SPX / 10' : 'SPX + basis'
  const roots = (row.flip_roots as number[]).map(root => ({
    root,
    distance: Math.abs(root - Number(row.spot ?? 0)),
  }))
  roots.sort((a, b) => a.distance - b.distance)
  const near = roots.slice(0, 12).map(({ root }) => root)
  return {
    sym,
    source,
    ...others,
    spot: findPrice(row.spot),
    // files of older code have no index but that of the tape
    spot_source: row.spot_source ?? (row.spot === null ? null : 'index'),
    spot_error: findMove(row.spot_error ?? null),
    flip: findPrice(row.flip),
    flip_lo: findPrice(row.flip_lo),
    flip_hi: findPrice(row.flip_hi),
    flip_roots: near.sort((a, b) => a - b).map(findPrice),
    call_wall: findPrice(row.call_wall),
    put_wall: findPrice(row.put_wall),
    net_gamma: findGamma(row.net_gamma_musd_per_point),
    regime: row.regime ?? null,
    p_positive: rounded(row.p_positive, 3),
    net_gamma_deviation: findGamma(row.net_gamma_deviation_musd),
    expected_move: findMove(row.expected_move_points),
    session_move: findMove(row.session_expected_move_points),
    expected_move_reason: row.expected_move_reason ?? null,
    measured_share: rounded(row.measured_share, 3),
    sessions_carried: row.sessions_carried ?? null,
    reason: row.reason ?? null,
    gamma_reason: hasGamma ? null : 'of_spx',
    gex:
      ladder.length === 0
        ? null
        : findGex(ladder, count, { priceOf: findPrice, gammaOf: findGamma }),
    gex_reason: ladder.length === 0 ? 'empty_book' : null,
  }
}

type Rules = Readonly<Record<'priceOf' | 'gammaOf', (value: unknown) => number | null>>

function findGex(
  ladder: readonly PublishedRow[],
  count: number,
  { priceOf: findPrice, gammaOf: findGamma }: Rules,
) {
  const strikes = ladder.map(({ strike, call_musd: call, put_musd: put }) => {
    return { strike: Number(strike), call, put, net: Number(call ?? 0) + Number(put ?? 0) }
  })
  strikes.sort((a, b) => Math.abs(b.net) - Math.abs(a.net) || a.strike - b.strike)
  return strikes.slice(0, count).map(({ strike, call, put, net }) => ({
    strike: findPrice(strike),
    call: findGamma(call),
    put: findGamma(put),
    net: findGamma(net),
  }))
}

/** One in the last digit of a number, by its path. */
function lastDigit(at: string): number {
  if (/\.net_gamma(_deviation)?$|\.gex\.\d+\.(call|put|net)$|^\.\d+\.[12]$/.test(at)) return 0.0001
  return /\.(measured_share|p_positive)$/.test(at) ? 0.001 : 0.01
}

/**
 * Paths at which two responses differ by more than one in the last digit: decimal text and
 * multiplication round a half to different sides. [] is nowhere.
 */
export function differences(one: unknown, other: unknown, at = ''): string[] {
  if (typeof one === 'number' && typeof other === 'number') {
    return Math.abs(one - other) <= 1.000_1 * lastDigit(at) ? [] : [`${at}: ${one} and ${other}`]
  }
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) {
    return one === other ? [] : [`${at}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`]
  }
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap(name =>
    differences(
      (one as Record<string, unknown>)[name],
      (other as Record<string, unknown>)[name],
      `${at}.${name}`,
    ),
  )
}
