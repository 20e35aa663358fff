import type { z } from 'zod'
import { pick } from '../core/text/values.ts'
import { type ExpiryLevels, type ExposureCells, SHARED_COLUMNS } from './columns.ts'
import { EXPOSURE_UNITS, type ExpiryBucket, type Exposure } from './expiries.ts'
import { GAMMA_OF_SPX, roundGamma } from './reading.ts'
import type { ExpiryShares, Exposures } from './schema.ts'
import type { LevelSymbol } from './symbols.ts'
import { roundShare } from './wire.ts'

/** Levels of some expiries, and exposures by strike and expiry, in a response. */

const NOT_PUBLISHED = 'not_published'

/** The levels of a bucket in place of those of all expiries; undefined: an older session. */
export const partRow = (found: ExpiryLevels | undefined) => ({
  ...Object.fromEntries(SHARED_COLUMNS.map(name => [name, null])),
  reason: NOT_PUBLISHED,
  ...(found && pick(found, SHARED_COLUMNS)),
  flip_roots: found?.flip == null ? [] : [found.flip],
})

type SharesFound = {
  readonly bucket: ExpiryBucket
  readonly found: ExpiryLevels | undefined
  readonly today: ExpiryLevels | undefined
  readonly all: ExpiryLevels | undefined
}

/** Which expiries a symbol's levels are of, and how much of the book's gamma leaves when. */
export const wireShares = ({
  bucket,
  found,
  today,
  all,
}: SharesFound): z.infer<typeof ExpiryShares> => ({
  expiry: bucket,
  expiry_day: found?.expiry ?? null,
  gamma_share: roundShare(found?.gross_share ?? null),
  leaves: {
    today: roundShare(today?.gross_share ?? null),
    monthly: roundShare(all?.monthly_share ?? null),
    monthly_day: all?.monthly_expiry ?? null,
  },
})

type CellsFound = {
  readonly cells: ExposureCells | null
  readonly isPublished: boolean
  readonly exposure: Exposure
  readonly minute: string
  /** Number of strikes with most exposure; 0: all. */
  readonly strikeCount: number
}

type Cell = [
  strike: number | null,
  root: string,
  expiry: string,
  value: number,
  deviation: number | null,
]

/** An exposure by strike and expiry: for SPX only. */
export function wireExposures(
  { kind }: LevelSymbol,
  { cells, isPublished, exposure, minute, strikeCount }: CellsFound,
): z.infer<typeof Exposures> {
  const own = kind === 'index' ? cells : null
  const rows = own && listCells(own, exposure)
  return {
    exposure,
    unit: EXPOSURE_UNITS[exposure],
    cells_time: minute,
    net: rows && roundGamma(rows.reduce((sum, [, , , value]) => sum + value, 0)),
    cells: rows && largest(rows, strikeCount).map(roundCell),
    cells_reason: own ? null : missing(kind, isPublished),
  }
}

function missing(kind: LevelSymbol['kind'], isPublished: boolean): string {
  if (kind !== 'index') return GAMMA_OF_SPX
  return isPublished ? 'empty_book' : NOT_PUBLISHED
}

const listCells = (cells: ExposureCells, exposure: Exposure): Cell[] =>
  cells.strikes.map((strike, at) => [
    strike,
    cells.roots[at]!,
    cells.expiries[at]!,
    ...cells[exposure][at]!,
  ])

/** The cells of the strikes whose sum over the expiries is largest, in their order. */
function largest(rows: readonly Cell[], count: number): readonly Cell[] {
  if (count === 0) return rows
  const sums = new Map<number, number>()
  for (const [strike, , , value] of rows) {
    if (strike !== null) sums.set(strike, (sums.get(strike) ?? 0) + value)
  }
  const ranked = [...sums].sort(([a, x], [b, y]) => Math.abs(y) - Math.abs(x) || a - b)
  const wanted = new Set<number | null>(ranked.slice(0, count).map(([strike]) => strike))
  return rows.filter(([strike]) => wanted.has(strike))
}

const roundCell = ([strike, root, expiry, value, deviation]: Cell): Cell => [
  strike,
  root,
  expiry,
  roundGamma(value)!,
  roundGamma(deviation),
]
