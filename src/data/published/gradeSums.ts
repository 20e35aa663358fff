import type { Database } from '../../core/engine/database.ts'
import type { GradeSums } from './manifest.ts'

/** The sums of the session's grades in the stage `ledger`, as its manifest holds them. */
export async function readGradeSums(db: Database): Promise<GradeSums> {
  const [sums] = await db.query('views/grade_sums')
  return sums as unknown as GradeSums
}
