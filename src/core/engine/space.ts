import type { Row } from './results.ts'

/** Methods of a database that are used here. */
type SpaceRequest = {
  readonly rows: (sql: string, params: { readonly share: number }) => Promise<Row[]>
  readonly run: (sql: string) => Promise<void>
}

/** Share of its memory from which an engine with refilled tables frees space. */
const FULL_SHARE = 0.5

/**
 * True when removed rows may occupy much space. By default the engine would free it at any time
 * that enough was written, which costs a fifth of the time of a round.
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
 * Frees the space of removed rows of a database. A table whose space is freed while it
 * is empty takes its next rows as they come; any other adds to what it has 500 kB a column, however
 * few they are: the tables of a session's round were 1 GB.
 */
export const freeRows = (db: SpaceRequest, database: string): Promise<void> =>
  db.run(`checkpoint "${database}"`)
