/** Quarantines prints that an audit finds wrong, and lets the rest be published. */

import { Refusal } from '../../src/core/disk/refusal.ts'
import type { Database } from '../../src/core/engine/database.ts'
import { formatList } from '../../src/core/engine/paths.ts'
import { type AuditFinding, describeFinding } from './audit.ts'

/** Largest share of prints that may be quarantined; beyond it the whole session is refused. */
const SET_APART_SHARE_MAX = 0.1

/** Rebuilds of a session without the prints its audits named; faults after that are refused. */
const ROUNDS_MAX = 3

/**
 * Quarantines the prints that the findings name, or those of the orders that they name: in
 * `tape.set_apart`, each with the audit that named it. Fails with a Refusal where they name none,
 * where there would be too many, or where earlier rounds have not helped.
 */
export async function setApart(
  db: Database,
  date: string,
  findings: readonly AuditFinding[],
  round: number,
): Promise<number> {
  const refuse = (why: string) => {
    throw new Refusal(
      `${date} is not published; the version served before stays: ` +
        `${describeFinding(findings[0]!)}; ${why}.`,
    )
  }
  const [{ apart_count: before } = { apart_count: 0 }] = await db.query('views/set_apart_counts')
  for (const { name, rows } of findings) {
    const named = (column: string) =>
      formatList(rows.flatMap(row => (row[column] == null ? [] : [String(row[column])])))
    await db.add(
      'views/set_apart',
      { name, sequences: named('sequence'), orders: named('order_id') },
      'tape.set_apart',
    )
  }
  const [counts] = await db.query('views/set_apart_counts')
  const [apart, prints] = [Number(counts!.apart_count), Number(counts!.print_count)]
  if (apart === Number(before)) refuse('it names no print that could be set apart')
  if (apart > SET_APART_SHARE_MAX * prints) {
    refuse(`${apart} of ${prints} prints would have to be set apart, more than one in ten`)
  }
  if (round >= ROUNDS_MAX) refuse(`setting ${before} prints apart did not help`)
  return apart - Number(before)
}
