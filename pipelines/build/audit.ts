import { forEachConcurrently } from '../../src/core/engine/concurrent.ts'
import type { Database, Row } from '../../src/core/engine/database.ts'
import { AUDITS } from './dag.ts'

export type AuditName = (typeof AUDITS)[number]

/** Findings of an audit: the rows that should not be there. */
export type AuditFinding = { readonly name: AuditName; readonly rows: readonly Row[] }

/** The audits of a fold by itself: they look at nothing but its prints and orders. */
const FOLD_AUDITS = ['prints_are_conserved', 'legs_equal_their_prints'] as const

/** Runs every audit on a built session; returns those that found something, in their order. */
export async function findFaults(db: Database): Promise<AuditFinding[]> {
  const found = new Map<string, Row[]>()
  await forEachConcurrently(db, AUDITS, async (name, connection) => {
    found.set(name, await connection.query(`audit/${name}`))
  })
  return AUDITS.map(name => ({ name, rows: found.get(name)! })).filter(
    ({ rows }) => rows.length > 0,
  )
}

/** Audits the fold of a few prints; returns a sentence for each finding. */
export async function auditFold(db: Database): Promise<string[]> {
  const alarms: string[] = []
  for (const name of FOLD_AUDITS) {
    const rows = await db.query(`audit/${name}`)
    if (rows.length > 0) alarms.push(describeFinding({ name, rows }))
  }
  return alarms
}

/** Formats an audit's finding as a sentence that names the first row. */
export function describeFinding({ name, rows }: AuditFinding): string {
  const more = rows.length > 1 ? `, and ${rows.length - 1} more like it` : ''
  return `the audit ${name} finds that ${describeRow(rows[0]!)}${more}`
}

function describeRow(row: Row): string {
  if (row.problem != null) return `print ${row.sequence} of ${row.printed_at} UTC ${row.problem}`
  const { order_id, ...rest } = row
  const facts = Object.entries(rest).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
  const subject = order_id == null ? 'a row is wrong' : `order ${order_id} is wrong`
  return facts.length > 0 ? `${subject} (${facts.join(', ')})` : subject
}
