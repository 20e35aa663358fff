/**
 * Ranges of a batch's rows: of the instants and numbers by which a row of its dataset is
 * recognised. An import searches for rows already on the tape only in batches whose ranges overlap
 * its own: the cost of a minute's file does not grow with the day.
 */

import type { Database } from '../../core/engine/database.ts'

/** Ranges of instants in UTC microseconds, and of numbers. */
export type RowRanges = {
  readonly at: readonly Range[]
  /** For prints only: their possible sequences. */
  readonly number?: readonly Range[]
}

/** The least and the greatest value, both included; some are too large for JSON numbers. */
export type Range = readonly [string, string]

/** Datasets with many batches in a session; the others are small, or come once. */
const MODELS: Readonly<Record<string, string>> = {
  prints: 'import/print_ranges',
  quotes: 'import/time_ranges',
  spots: 'import/time_ranges',
  futures: 'import/time_ranges',
}

/**
 * Reads the ranges of the valid rows of `import.judged`, by session; empty for a dataset without
 * ranges. The accepted rows lie within them.
 */
export async function readRowRanges(
  db: Database,
  dataset: string,
): Promise<ReadonlyMap<string, RowRanges>> {
  const model = MODELS[dataset]
  const rows = model ? await db.query(model) : []
  const rangesByDate = new Map<string, RowRanges>()
  for (const { session_date, kind, least, greatest } of rows) {
    const of = kind === 'at' ? 'at' : 'number'
    const before = rangesByDate.get(String(session_date)) ?? { at: [] }
    const ranges: Range[] = [...(before[of] ?? []), [String(least), String(greatest)]]
    rangesByDate.set(String(session_date), { ...before, [of]: ranges })
  }
  return rangesByDate
}

/** False when the batches cannot share a row or a number; true for old batches. */
export function meets(one: RowRanges | undefined, other: RowRanges | undefined): boolean {
  if (!one || !other) return true
  return overlap(one.at, other.at) || overlap(one.number, other.number)
}

const overlap = (ranges: readonly Range[] = [], others: readonly Range[] = []): boolean =>
  ranges.some(([least, greatest]) =>
    others.some(
      ([otherLeast, otherGreatest]) =>
        BigInt(least) <= BigInt(otherGreatest) && BigInt(otherLeast) <= BigInt(greatest),
    ),
  )
