import { eachBeside } from '../src/store/beside.ts'
import type { Database, Row } from '../src/store/duck.ts'
import { Refusal } from '../src/store/refusal.ts'
import { AUDITS } from './models.ts'

/** Refuses a build that fails an audit: of several the first in their order. */
export async function audit(db: Database, date: string): Promise<void> {
  const found = new Map<string, Row[]>()
  await eachBeside(db, AUDITS, async (name, connection) => {
    found.set(name, await connection.query(`audit/${name}`))
  })
  for (const name of AUDITS) {
    const rows = found.get(name)!
    if (rows.length > 0) {
      throw new Refusal(
        `the build of ${date} fails the audit ${name} in ${rows.length} rows, so the version ` +
          `served before stays; the first is ${JSON.stringify(rows[0])}.`,
      )
    }
  }
}
