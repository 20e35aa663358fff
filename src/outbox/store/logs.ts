import { type Kysely, sql } from 'kysely'
import type { AccountTables } from '../../accounts/schema.ts'
import { eventBody } from './body.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxDatabase } from './queue.ts'
import {
  type AttemptRecord,
  type Channel,
  type DeliveryRecord,
  type DeliveryState,
  GEO_OWNER,
} from './types.ts'

const HOUR_MS = 3_600_000
/** Maximum runs whose progress is reported, the most recently advanced first. */
const RUNS_MAX = 20

/** Queries of sent events and their deliveries. */
export function logOperations({ reader }: OutboxDatabase) {
  return {
    listEvents: async ({ accountId, afterSeq, limit, day, type, run = 'live', hasPutSupport }) => {
      let rows = eventRows(reader, accountId).where('run', '=', run).where('seq', '>', afterSeq)
      if (day !== undefined) rows = rows.where('day', '=', day)
      if (type !== undefined) rows = rows.where('type', '=', type)
      const found = await rows.orderBy('seq').limit(limit).execute()
      return found.map(row => eventRecord(row, hasPutSupport))
    },
    findEvent: async ({ accountId, eventId, hasPutSupport }) => {
      const found = await eventRows(reader, accountId)
        .where('events.id', '=', eventId)
        .executeTakeFirst()
      return found ? eventRecord(found, hasPutSupport) : null
    },
    listDeliveries: async ({ accountId, eventId, beforeId, isGeo = false, limit }) => {
      let rows = reader
        .selectFrom('deliveries')
        .innerJoin('events', 'events.seq', 'deliveries.event_seq')
        .selectAll('deliveries')
        .select('events.id as event_id')
        .where('deliveries.account_id', '=', accountId)
        .where('deliveries.owner', isGeo ? '=' : '<>', GEO_OWNER)
      if (eventId !== undefined) rows = rows.where('events.id', '=', eventId)
      if (beforeId !== undefined) rows = rows.where('deliveries.id', '<', beforeId)
      const found = await rows.orderBy('deliveries.id', 'desc').limit(limit).execute()
      const attempts = await readAttempts(
        reader,
        found.map(({ id }) => id),
      )
      return found.map(row => deliveryRecord(row, attempts.get(row.id) ?? []))
    },
    outboxState: async ({ nowMs }) => {
      const counts = await reader
        .selectFrom('deliveries')
        .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
        .select(({ fn }) => fn.min<number>('due_at').as('oldest'))
        .where(where =>
          where.or([
            where('state', 'in', ['waiting', 'trying']),
            where.and([
              where('state', 'in', ['sent', 'failed']),
              where('due_at', '>', nowMs - HOUR_MS),
            ]),
          ]),
        )
        .groupBy('state')
        .execute()
      const of = (state: DeliveryState) => counts.find(row => row.state === state)
      const countInState = (state: DeliveryState) => Number(of(state)?.count ?? 0)
      const oldestMs = of('waiting')?.oldest ?? null
      return {
        waiting: countInState('waiting'),
        trying: countInState('trying'),
        // a retry that is due later is not overdue
        oldestDueMs: oldestMs !== null && oldestMs <= nowMs ? oldestMs : null,
        sentLastHour: countInState('sent'),
        failedLastHour: countInState('failed'),
        watched: await readWatched(reader),
      }
    },
  } satisfies Partial<Outbox>
}

type Reader = Kysely<AccountTables>

const eventRows = (reader: Reader, accountId: string) =>
  reader
    .selectFrom('events')
    .innerJoin('findings', 'findings.id', 'events.finding_id')
    .selectAll('events')
    .select('findings.body')
    .where('account_id', '=', accountId)
    .where('events.owner', '<>', GEO_OWNER)

type EventRow = AccountTables['events'] & { readonly body: string }

function eventRecord(row: EventRow, hasPutSupport: boolean) {
  const { seq, id, type, owner, run, day, minute, body, extra } = row
  return {
    seq,
    id,
    type,
    owner,
    run,
    day,
    minute,
    body: eventBody({ id, body, extra, hasPutSupport }),
    createdAtMs: row.created_at,
  }
}

async function readAttempts(reader: Reader, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, AttemptRecord[]>()
  const rows = await reader
    .selectFrom('attempts')
    .selectAll()
    .where('delivery_id', 'in', ids)
    .orderBy('delivery_id')
    .orderBy('number')
    .execute()
  const byDelivery = Map.groupBy(rows, row => row.delivery_id)
  return new Map([...byDelivery].map(([id, some]) => [id, some.map(attemptRecord)]))
}

const attemptRecord = (row: AccountTables['attempts']): AttemptRecord => ({
  number: row.number,
  beganAtMs: row.began_at,
  result: row.result as AttemptRecord['result'],
  ms: row.ms,
  status: row.status,
  error: row.error,
  address: row.address,
})

type DeliveryRow = AccountTables['deliveries'] & { readonly event_id: string }

function deliveryRecord(row: DeliveryRow, attempts: readonly AttemptRecord[]): DeliveryRecord {
  const state = row.state as DeliveryState
  const isOver = state !== 'waiting' && state !== 'trying'
  return {
    id: row.id,
    eventId: row.event_id,
    type: row.type,
    owner: row.owner,
    channel: row.channel as Channel,
    contactId: row.contact_id,
    state,
    reason: row.reason,
    endedAttempts: row.tries,
    dueAtMs: state === 'waiting' ? row.due_at : null,
    firstAttemptAtMs: row.first_try_at,
    queuedAtMs: row.queued_at,
    endedAtMs: isOver ? row.due_at : null,
    attempts,
  }
}

/** Progress of each run: the last minute of its newest day. */
function readWatched(reader: Reader) {
  return reader
    .selectFrom('watch_runs')
    .select(['run', 'day', 'minute'])
    .where(
      'day',
      '=',
      sql<string>`(
      select max(newest.day) from watch_runs as newest where newest.run = watch_runs.run
    )`,
    )
    .orderBy('updated_at', 'desc')
    .orderBy('run')
    .limit(RUNS_MAX)
    .execute()
}
