import { sql } from 'kysely'
import type { OutboxTransaction } from './addDeliveries.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxDatabase } from './queue.ts'
import type { Channel, ClaimedDelivery, ClaimRequest } from './types.ts'

/** Maximum expired leases that one claim makes due again. */
const EXPIRED_MAX = 1_000

/** Selects the deliveries to attempt next. */
export function claimOperations({ db, reader, isConcurrent }: OutboxDatabase) {
  // the account dealt last: the next claim starts after it
  let lastDealt = ''
  return {
    claim: async request => {
      if (request.limit <= 0 || !(await isAnyDue(request))) return []
      return await db.transaction().execute(async trx => {
        await releaseExpired(trx, request.nowMs, isConcurrent)
        const accounts = await dueAccounts(trx, request, lastDealt)
        const dealt = await deal(trx, request, accounts)
        lastDealt = dealt.at(-1)?.accountId ?? lastDealt
        return await lease(
          trx,
          request,
          dealt.map(one => one.deliveryId),
          isConcurrent,
        )
      })
    },
  } satisfies Partial<Outbox>

  async function isAnyDue({ nowMs, channels }: ClaimRequest): Promise<boolean> {
    for (const state of ['waiting', 'trying']) {
      const all = reader.selectFrom('deliveries').select('id').where('state', '=', state)
      const due = all.where('due_at', '<=', nowMs)
      const wanted = channels ? due.where('channel', 'in', channels) : due
      if ((await wanted.limit(1).execute()).length > 0) return true
    }
    return false
  }
}

/** Makes expired leases due again: their holder was killed, or too slow. */
async function releaseExpired(
  trx: OutboxTransaction,
  nowMs: number,
  isConcurrent: boolean,
): Promise<void> {
  const over = trx
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', 'trying')
    .where('due_at', '<=', nowMs)
    .orderBy('due_at')
    .limit(EXPIRED_MAX)
  const rows = await (isConcurrent ? over.forUpdate().skipLocked() : over).execute()
  if (rows.length === 0) return
  await trx
    .updateTable('deliveries')
    .set({ state: 'waiting', holder: null })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
}

type DueAccount = { readonly accountId: string; readonly capacity: number }

/** Accounts with due deliveries and free capacity, round-robin from the one after the last. */
async function dueAccounts(
  trx: OutboxTransaction,
  request: ClaimRequest,
  lastDealt: string,
): Promise<DueAccount[]> {
  const { limit, accountMax, busy } = request
  const inFlight = new Map(busy)
  const found: DueAccount[] = []
  // each row is found from the one before, so that an account with many costs as much as one
  const next = async (after: string, until: string | null, count: number) => {
    const { rows } = await sql<{ account_id: string }>`
      with recursive due as (
        select 1 as number, ${nextAccount(after, request)} as account_id
        union all
        select due.number + 1, ${nextAccount(sql.ref('due.account_id'), request)}
        from due where due.account_id is not null and due.number < ${sql.lit(count)}
      )
      select account_id from due where account_id is not null
        and ${until === null ? sql`1 = 1` : sql`account_id <= ${until}`}
      order by number`.execute(trx)
    return rows.map(row => row.account_id)
  }
  const full = busy.filter(([, count]) => count >= accountMax).length
  for (const [after, until] of [
    [lastDealt, null],
    ['', lastDealt],
  ] as const) {
    if (found.length >= limit || until === '') continue
    for (const accountId of await next(after, until, limit + full)) {
      const capacity = accountMax - (inFlight.get(accountId) ?? 0)
      if (capacity > 0 && found.length < limit) found.push({ accountId, capacity })
    }
  }
  return found
}

/** The sign stops both databases from using the index on due times, which matches most rows. */
const isDue = ({ nowMs, channels }: ClaimRequest) =>
  channels
    ? sql`+deliveries.due_at <= ${sql.lit(nowMs)} and deliveries.channel in (${sql.join(channels)})`
    : sql`+deliveries.due_at <= ${sql.lit(nowMs)}`

const nextAccount = (after: unknown, request: ClaimRequest) => sql`(
  select deliveries.account_id from deliveries
  where deliveries.state = 'waiting' and deliveries.account_id > ${after} and ${isDue(request)}
  order by deliveries.account_id
  limit 1
)`

type Dealt = { readonly deliveryId: number; readonly accountId: string }

/**
 * Deals one delivery of each account, then a second of each, up to the limit and their capacity.
 */
async function deal(
  trx: OutboxTransaction,
  request: ClaimRequest,
  accounts: readonly DueAccount[],
): Promise<Dealt[]> {
  const { limit } = request
  const dealt: Dealt[] = []
  let remaining = accounts
  for (let round = 0; remaining.length > 0 && dealt.length < limit; round++) {
    const ids = remaining.map(one => one.accountId)
    const rows = await trx
      .selectFrom('accounts')
      .select('id as accountId')
      .select(
        sql<number | null>`(
        select deliveries.id from deliveries
        where deliveries.account_id = accounts.id and deliveries.state = 'waiting'
          and ${isDue(request)}
        order by deliveries.priority, deliveries.due_at, deliveries.id
        limit 1 offset ${sql.lit(round)}
      )`.as('deliveryId'),
      )
      .where('id', 'in', ids)
      .execute()
    const next = new Map(rows.map(row => [row.accountId, row.deliveryId]))
    for (const accountId of ids) {
      const deliveryId = next.get(accountId) ?? null
      if (deliveryId !== null && dealt.length < limit) dealt.push({ accountId, deliveryId })
    }
    remaining = remaining.filter(one => one.capacity > round + 1 && next.get(one.accountId) != null)
  }
  return dealt
}

/** Leases those not claimed by others in the meantime, in the order they were dealt. */
async function lease(
  trx: OutboxTransaction,
  { nowMs, leaseMs, holder }: ClaimRequest,
  ids: readonly number[],
  isConcurrent: boolean,
): Promise<ClaimedDelivery[]> {
  if (ids.length === 0) return []
  const wanted = trx
    .selectFrom('deliveries')
    .select(['id', 'account_id', 'channel', 'owner', 'type', 'tries', 'state'])
    .where('id', 'in', ids)
  const rows = await (isConcurrent ? wanted.forUpdate().skipLocked() : wanted).execute()
  // with a condition on the state, SQLite would scan all waiting rows
  const free = rows.filter(({ state }) => state === 'waiting')
  if (free.length === 0) return []
  await trx
    .updateTable('deliveries')
    .set({ state: 'trying', holder, due_at: nowMs + leaseMs })
    .where(
      'id',
      'in',
      free.map(({ id }) => id),
    )
    .execute()
  const taken = new Map(free.map(row => [row.id, row]))
  return ids.flatMap(id => {
    const row = taken.get(id)
    if (!row) return []
    const { account_id: accountId, channel, owner, type, tries } = row
    return {
      deliveryId: id,
      accountId,
      channel: channel as Channel,
      owner,
      type,
      endedAttempts: tries,
    }
  })
}
