import { sql, type Transaction } from 'kysely'
import type { AccountTables } from '../../accounts/schema.ts'
import { type Channel, WEBHOOK_OFF } from './types.ts'

/** Maximum delay of an event's first attempt after the end of its minute. */
export const LATE_MS = 300_000

export type OutboxTransaction = Transaction<AccountTables>

type Adding = {
  readonly channels: ReadonlySet<Channel>
  /** The events between two numbers, the second one included. */
  readonly afterSeq: number
  readonly lastSeq: number
  readonly atMs: number
  readonly isLateAllowed: boolean
}

const DELIVERY_COLUMNS = [
  'id',
  'event_seq',
  'account_id',
  'owner',
  'channel',
  'contact_id',
  'type',
  'priority',
  'state',
  'tries',
  'attempts',
  'due_at',
  'late_at',
  'queued_at',
] as (keyof AccountTables['deliveries'])[]

/** Queues deliveries of events to the current destinations; returns how many. */
export async function addDeliveries(trx: OutboxTransaction, adding: Adding): Promise<number> {
  let count = 0
  for (const channel of adding.channels) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('deliveries')
      .columns(DELIVERY_COLUMNS)
      .expression(deliveriesTo(trx, channel, adding))
      .executeTakeFirstOrThrow()
    const added = Number(numInsertedOrUpdatedRows)
    count += added
    if (added === 0) continue
    await trx
      .updateTable('outbox_counters')
      .set(({ eb }) => ({ delivery_id: eb('delivery_id', '+', added) }))
      .execute()
  }
  return count
}

/** One row for each destination of a channel; a position without one gets a row that records it. */
function deliveriesTo(trx: OutboxTransaction, channel: Channel, adding: Adding) {
  const { afterSeq, lastSeq, atMs, isLateAllowed } = adding
  const events = trx
    .selectFrom('events')
    .where('events.seq', '>', afterSeq)
    .where('events.seq', '<=', lastSeq)
    .where('events.channels', 'like', `%${channel},%`)
  const placed =
    channel === 'webhook'
      ? events
          .leftJoin('hooks as destination', join =>
            join
              .onRef('destination.account_id', '=', 'events.account_id')
              .onRef('destination.owner', '=', 'events.owner'),
          )
          .select(sql`null`.as('contact_id'))
          .select('destination.owner as destination_id')
      : events
          .leftJoin('contacts as destination', join =>
            join
              .onRef('destination.account_id', '=', 'events.account_id')
              .on('destination.channel', '=', channel)
              .on('destination.proven_at', 'is not', null)
              .on(on =>
                on.or([
                  on('events.owner', '<>', 'alerts'),
                  on('is_for_alerts', '=', 1),
                  on('events.type', '=', WEBHOOK_OFF),
                ]),
              ),
          )
          .select('destination.id as contact_id')
          .select('destination.id as destination_id')
  const rows = placed.select([
    'events.seq',
    'events.account_id',
    'events.owner',
    'events.type',
    'events.priority',
    'events.minute_end_at',
  ])
  return trx
    .selectFrom(rows.as('rows'))
    .where(where =>
      where.or([
        where.and([where('owner', '<>', 'alerts'), where('type', '<>', WEBHOOK_OFF)]),
        where('destination_id', 'is not', null),
      ]),
    )
    .select([
      sql`(select delivery_id from outbox_counters) +
        row_number() over (order by seq, contact_id)`.as('id'),
      'seq',
      'account_id',
      'owner',
      sql.lit(channel).as('channel'),
      sql`contact_id`.as('contact_id'),
      'type',
      'priority',
      sql.lit('waiting').as('state'),
      sql.lit(0).as('tries'),
      sql.lit(0).as('attempts'),
      bigint(atMs).as('due_at'),
      (isLateAllowed ? bigint(null) : sql`minute_end_at + ${sql.lit(LATE_MS)}`).as('late_at'),
      bigint(atMs).as('queued_at'),
    ])
}

/** An integer whose type PostgreSQL cannot infer. */
export const bigint = (value: number | null) => sql`cast(${value} as bigint)`
