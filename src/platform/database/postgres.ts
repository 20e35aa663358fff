import { AssertionError } from 'node:assert'
import pg from 'pg'
import { CommandError } from '../../core/disk/refusal.ts'

/** Time limit of a server's reply to a new connection. */
const CONNECT_TIMEOUT_MS = 5_000

/** Time limit of a statement, waiting for other processes' writes included. */
const STATEMENT_TIMEOUT_MS = 10_000

/** PostgreSQL's type number of bigint, which the driver returns as text. */
const BIGINT_OID = 20

/** True for the URL of a PostgreSQL database, false for the path of a file. */
export const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:\/\//.test(location)

/**
 * Pool of connections to the database of a URL, opened on demand; bigints are numbers. If
 * `lockWaitMs` is given, a statement that waits longer for locks fails without effect.
 */
export function openPostgres(url: string, maxConnections: number, lockWaitMs?: number): pg.Pool {
  const pool = new pg.Pool({
    // a statement, not a startup parameter: poolers refuse startup parameters unknown to them
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
  // an idle connection broke: the next operation reports it
  pool.on('error', () => {})
  // so did one in use, between two statements of a transaction
  pool.on('connect', client => void client.on('error', () => {}))
  return pool
}

/** Returns why a database cannot be used, as the first line of its own message; never its address. */
export function databaseReason(error: unknown): string {
  const { message, code, syscall } = error as NodeJS.ErrnoException
  const hasAddress = syscall === 'connect' || syscall === 'getaddrinfo'
  // when several addresses refuse, only the code is reported
  return ((!hasAddress && message) || code || String(error)).split('\n')[0]!
}

/** Returns the failure of a command whose database cannot be used now, and may be later. */
export const databaseAway = (error: unknown): CommandError =>
  new CommandError(
    `the database of DATABASE_URL cannot be used now (${databaseReason(error)}).`,
    75,
  )

/** True for an error of a server that is away, starts or stops; false for one of the statement. */
export function isDatabaseAway(error: unknown): boolean {
  const { severity, code } = error as { severity?: string; code?: string }
  if (severity !== undefined) return /^(08|53|57)/.test(code ?? '')
  return !(error instanceof AssertionError || error instanceof TypeError)
}
