import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { Busy, Refusal } from '../../core/disk/refusal.ts'
import { databaseReason } from './postgres.ts'

/** Time limit of the server's reply to a new connection. */
const CONNECT_TIMEOUT_MS = 5_000
/** Interval of attempts to take a lock that another process holds, or to reach the server again. */
const RETRY_MS = 2_000

export type AdvisoryLock = {
  /** Address of the PostgreSQL database. */
  readonly url: string
  /** Name of the lock, the same on every machine. */
  readonly name: string
  /** Sentence for a lock that another process holds; null to wait for it. */
  readonly busy: string | null
  readonly say: (line: string) => void
}

/**
 * Runs `work` while this process alone holds a lock of the database, which the server releases when
 * the connection ends, whatever the clocks say. After a loss of the connection the lock is taken
 * again; `signal` is aborted where another process had it first.
 */
export async function withAdvisoryLock<T>(
  lock: AdvisoryLock,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const lost = new AbortController()
  let client = await takeLock(lock, over.signal)
  const renew = async () => {
    lock.say('the database does not respond; waiting for it')
    try {
      client = watch(await takeLock({ ...lock, busy: 'another process has it' }, over.signal))
      lock.say('the database responds again')
    } catch (error) {
      if (!over.signal.aborted) lost.abort(error)
    }
  }
  const watch = (connected: pg.Client) => {
    connected.once('end', () => {
      if (!over.signal.aborted) void renew()
    })
    return connected
  }
  watch(client)
  try {
    return await work(lost.signal)
  } finally {
    over.abort()
    await client.end().catch(() => {})
  }
}

/** Connects and takes the lock. Waits for a server that is away; fails with Busy, or where ended. */
async function takeLock({ url, name, busy }: AdvisoryLock, over: AbortSignal): Promise<pg.Client> {
  for (let isFirst = true; ; isFirst = false) {
    if (over.aborted) throw new Refusal('it has ended.')
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_taken',
        [`tapefold ${name}`],
      )
      if (rows[0].is_taken) return client
      await client.end()
    } catch (error) {
      await client.end().catch(() => {})
      if (isFirst && busy !== null) {
        throw new Refusal(`the database of DATABASE_URL: ${databaseReason(error)}.`)
      }
      await delay(RETRY_MS)
      continue
    }
    if (busy !== null) throw new Busy(busy)
    await delay(RETRY_MS)
  }
}
