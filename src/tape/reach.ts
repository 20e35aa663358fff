/**
 * How far the rows of a batch reach: ranges of the instants and numbers by which a row of its
 * dataset is known again. An import looks for what the tape has already only in batches whose reach
 * meets its own: what a minute's file costs does not grow with the day.
 */

import type { Database } from '../engine/database.ts'

/** Ranges of instants in UTC microseconds, and of numbers. */
export type RowRanges = {
  readonly at: readonly Range[]
  /** Of prints alone: what their sequences may be. */
  readonly number?: readonly Range[]
}

/** The least and the greatest value, both within; some are too large for JSON's own numbers. */
export type Range = readonly [string, string]

/** Of a session these have many batches; the other datasets are small, or come once. */
const MODELS: Readonly<Record<string, string>> = {
  prints: 'import/print_ranges',
  quotes: 'import/time_ranges',
  spots: 'import/time_ranges',
  futures: 'import/time_ranges',
}

/**
 * The reach of the sound rows of `import.judged`, by session; of a dataset without ranges there is
 * none. The rows that are taken in reach as far at most.
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

/** False when no row of one can be in the other, nor have its number; of old batches, true. */
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
