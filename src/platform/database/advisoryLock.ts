import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { monotonicMs } from '../../core/clock.ts'
import { Busy, Refusal } from '../../core/disk/refusal.ts'
import { databaseAway } from './postgres.ts'

/** Time limit of the server's reply to a new connection. */
const CONNECT_TIMEOUT_MS = 5_000
/** Interval of attempts to take a lock that another process holds, or to reach the server again. */
const RETRY_MS = 1_000
/** Time after which the server ends a connection whose machine has died, at the latest. */
const GHOST_MS = 30_000
/** Makes the server notice within GHOST_MS that the other end has gone. */
const KEEPALIVE =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

const LOST = 'Another process went on with the work while the database was away.'

export type AdvisoryLock = {
  /** Address of the PostgreSQL database. */
  readonly url: string
  /** Name of the lock, the same on every machine. */
  readonly name: string
  /** Sentence for a lock that another process holds; null to wait for it. */
  readonly busy: string | null
  /** Receives a sentence when the server goes away, and one when it is back; nobody by default. */
  readonly say?: (line: string) => void
}

/**
 * Runs `work` while this process alone holds a lock of the database, which the server releases when
 * the connection ends, whatever the clocks say. After a loss of the connection the lock is taken
 * again, however long the server is away; `signal` is aborted where another process had it first.
 * Fails with a Refusal when the lock was lost, whatever `work` returns, with Busy where another process
 * holds it, and with exit code 75 where the server is away, unless it is to be waited for.
 */
export async function withAdvisoryLock<T>(
  lock: AdvisoryLock,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const lost = new AbortController()
  const watch = (connected: pg.Client) => {
    connected.once('end', () => {
      if (!over.signal.aborted) void renew()
    })
    return connected
  }
  const renew = async () => {
    lock.say?.('the database does not respond; waiting for it')
    const taken = await takeAgain(lock, over.signal)
    if (over.signal.aborted) return taken?.end()
    lock.say?.('the database responds again')
    if (taken) client = watch(taken)
    else lost.abort(new Refusal(LOST))
  }
  let client = watch(await takeFirst(lock))
  try {
    const result = await work(lost.signal)
    lost.signal.throwIfAborted()
    return result
  } finally {
    over.abort()
    await client.end().catch(() => {})
  }
}

async function takeFirst(lock: AdvisoryLock): Promise<pg.Client> {
  for (let isAway = false; ; await delay(RETRY_MS)) {
    try {
      const client = await takeLock(lock)
      if (client) return client
      isAway = false
    } catch (error) {
      if (lock.busy !== null) throw databaseAway(error)
      if (!isAway) lock.say?.(`${databaseAway(error).message} Waiting for it.`)
      isAway = true
      continue
    }
    if (lock.busy !== null) throw new Busy(lock.busy)
  }
}

/**
 * Takes a lock whose connection was lost; null where another process has it. The server may still
 * count the lost connection as its holder, until it notices.
 */
async function takeAgain(lock: AdvisoryLock, over: AbortSignal): Promise<pg.Client | null> {
  let heldSinceMs: number | null = null
  for (; !over.aborted; await delay(RETRY_MS)) {
    try {
      const client = await takeLock(lock)
      if (client) return client
      heldSinceMs ??= monotonicMs()
      if (monotonicMs() - heldSinceMs > GHOST_MS) return null
    } catch {
      // the server is away
    }
  }
  return null
}

/** Connects and takes the lock; null where another connection holds it. */
async function takeLock({ url, name }: AdvisoryLock): Promise<pg.Client | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  client.on('error', () => {})
  let isTaken = false
  try {
    await client.connect()
    await client.query(KEEPALIVE)
    const { rows } = await client.query(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_taken',
      [`tapefold ${name}`],
    )
    isTaken = rows[0].is_taken
    return isTaken ? client : null
  } finally {
    if (!isTaken) await client.end().catch(() => {})
  }
}
