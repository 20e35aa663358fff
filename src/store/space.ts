import type { Database } from './duck.ts'

/** The share of its memory from which on an engine whose tables are filled anew frees space. */
const FULL_SHARE = 0.5

/**
 * Frees the space of rows that were taken out, once there is much of it. Left to itself, the engine
 * would do it at any time that enough was written: a fifth of the time of who waits for a round.
 */
export async function freeSpace(db: Database, databases: readonly string[]): Promise<void> {
  const [memory] = await db.rows(
    `select sum(memory_usage_bytes) >
       $share::double * parse_formatted_bytes(current_setting('memory_limit')) as is_full
     from duckdb_memory()`,
    { share: FULL_SHARE },
  )
  if (!memory?.is_full) return
  for (const name of databases) await db.run(`checkpoint "${name}"`)
}
