import type { Row } from './results.ts'

/** What is asked of a database here. */
type SpaceRequest = {
  readonly rows: (sql: string, params: { readonly share: number }) => Promise<Row[]>
  readonly run: (sql: string) => Promise<void>
}

/** The share of its memory from which on an engine whose tables are filled anew frees space. */
const FULL_SHARE = 0.5

/**
 * Whether there may be much space of rows that were taken out. Left to itself, the engine would
 * free it at any time that enough was written: a fifth of the time of who waits for a round.
 */
export async function isFull(db: SpaceRequest): Promise<boolean> {
  const [memory] = await db.rows(
    `select sum(memory_usage_bytes) >
       $share::double * parse_formatted_bytes(current_setting('memory_limit')) as is_full
     from duckdb_memory()`,
    { share: FULL_SHARE },
  )
  return Boolean(memory?.is_full)
}

/**
 * Frees the space of rows that were taken out of a database. A table whose space is freed while it
 * is empty takes its next rows as they come; any other adds to what it has 500 kB a column, however
 * few they are: the tables of a session's round were 1 GB.
 */
export const freeRows = (db: SpaceRequest, database: string): Promise<void> =>
  db.run(`checkpoint "${database}"`)
