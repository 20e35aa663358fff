/**
 * How far the rows of a batch reach: ranges of the numbers by which a row of its dataset is known
 * again. An import looks for what the tape has already only in batches whose reach meets its own:
 * what a minute's file costs does not grow with the day.
 */

import type { Database } from './duck.ts'

/** By column, ranges of its values as whole numbers in text: some are too large for JSON's own. */
export type Reach = Readonly<Record<string, readonly Range[]>>

/** The least and the greatest value, both within. */
export type Range = readonly [string, string]

/** Datasets of which a session has many batches; the others are small, or come once. */
const RANGED: readonly string[] = ['prints', 'quotes', 'spots']

/**
 * The reach of the sound rows of `import.judged`, by session; of a dataset without ranges there is
 * none. The rows that are taken in reach as far at most.
 */
export async function readReaches(
  db: Database,
  dataset: string,
): Promise<ReadonlyMap<string, Reach>> {
  const reaches = new Map<string, Record<string, Range[]>>()
  if (!RANGED.includes(dataset)) return reaches
  for (const row of await db.query(`import/reach_${dataset}`)) {
    const { session_date: session, column_name: column, least, greatest } = row
    const reach = reaches.get(String(session)) ?? {}
    reaches.set(String(session), reach)
    reach[String(column)] ??= []
    reach[String(column)]!.push([String(least), String(greatest)])
  }
  return reaches
}

/** False when no row of one can be in the other, nor have its number; of old batches, true. */
export function meets(one: Reach | undefined, other: Reach | undefined): boolean {
  if (!one || !other) return true
  return Object.entries(one).some(([column, ranges]) =>
    ranges.some(range => other[column]?.some(each => overlaps(range, each)) ?? true),
  )
}

const overlaps = ([least, greatest]: Range, [otherLeast, otherGreatest]: Range): boolean =>
  BigInt(least) <= BigInt(otherGreatest) && BigInt(otherLeast) <= BigInt(greatest)
