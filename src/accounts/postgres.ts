import pg from 'pg'

/** How long a server may take to answer a new connection. */
const CONNECT_TIMEOUT_MS = 5_000

/** How long a statement may take, waiting for other processes' writes included. */
const STATEMENT_TIMEOUT_MS = 10_000

/** PostgreSQL's type number of bigint, which the driver hands over as text. */
const BIGINT_OID = 20

/** Whether a text is the address of a PostgreSQL database, not the path of a file. */
export const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:\/\//.test(location)

/**
 * Connections to the database of an address, made when they are needed; bigints are numbers. Where
 * it is given, a statement that waits longer for others' locks fails, and has done nothing.
 */
export function openPostgres(url: string, maxConnections: number, lockWaitMs?: number): pg.Pool {
  const pool = new pg.Pool({
    // a statement, not a parameter of the connection's start: poolers refuse those unknown to them
    ...(lockWaitMs !== undefined && {
      onConnect: async client => {
        await client.query(`set lock_timeout = ${lockWaitMs}`)
      },
    }),
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    types: {
      getTypeParser: (oid, format) =>
        oid === BIGINT_OID ? Number : (pg.types.getTypeParser(oid, format) as never),
    },
  })
  // a connection that breaks while nobody uses it: the next operation tells
  pool.on('error', () => {})
  return pool
}

/** Why a database cannot be used, in the first line of its own words; never its address. */
export function databaseReason(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  // of several addresses that refuse, only the code is told
  return (message || code || String(error)).split('\n')[0]!
}
