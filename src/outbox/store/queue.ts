import { type Kysely, sql } from 'kysely'
import type { AccountTables } from '../../accounts/schema.ts'
import { addDeliveries, bigint, type OutboxTransaction } from './addDeliveries.ts'
import { bulkInsert, toRowTable } from './bulk.ts'
import type { Outbox } from './outbox.ts'
import { type Channel, type FoundEvent, GEO_OWNER, type SingleEvent } from './types.ts'

export type OutboxDatabase = {
  readonly db: Kysely<AccountTables>
  /** The same database, over a connection that never waits for writers. */
  readonly reader: Kysely<AccountTables>
  /** True when transactions run concurrently. */
  readonly isConcurrent: boolean
}

/** Events that no minute found, and those that are sent again. */
export function queueOperations({ db }: OutboxDatabase) {
  return {
    queueEvent: event => db.transaction().execute(trx => queueSingle(trx, event)),
    redeliver: request =>
      db.transaction().execute(async trx => {
        const event = await findToRedeliver(trx, request)
        return event && addRedelivery(trx, event, request.atMs)
      }),
  } satisfies Partial<Outbox>
}

/** Queues a single event; false when its id exists already, or its account does not. */
export async function queueSingle(trx: OutboxTransaction, event: SingleEvent): Promise<boolean> {
  const { accountId, body, run, day, minute, atMs } = event
  if (!(await isAccount(trx, accountId))) return false
  const known = trx.selectFrom('events').select('seq').where('id', '=', event.id)
  if ((await known.execute()).length > 0) return false
  const found = { findings: [{ body }], events: [{ ...event, finding: 0 }] }
  await writeEvents(trx, { ...found, run, day, minute, atMs })
  return true
}

/** An event that may be sent again, unless a delivery is in progress. */
export type ToRedeliver = {
  readonly seq: number
  readonly channels: string
  readonly isUnderway: boolean
}

/** Null when the account has none. No other process adds deliveries until the transaction ends. */
export async function findToRedeliver(
  trx: OutboxTransaction,
  { accountId, eventId }: { readonly accountId: string; readonly eventId: string },
): Promise<ToRedeliver | null> {
  // writers of events or deliveries wait here: two concurrent requests make one
  await takeNumbers(trx, 0, 0)
  const event = await trx
    .selectFrom('events')
    .select(['seq', 'channels'])
    .where('account_id', '=', accountId)
    .where('id', '=', eventId)
    .where('owner', '<>', GEO_OWNER)
    .executeTakeFirst()
  if (!event) return null
  const [underway] = await trx
    .selectFrom('deliveries')
    .select('id')
    .where('event_seq', '=', event.seq)
    .where('state', 'in', ['waiting', 'trying'])
    .limit(1)
    .execute()
  return { ...event, isUnderway: underway !== undefined }
}

/** Queues an event again, to the current destinations; returns the number of deliveries. */
export async function addRedelivery(
  trx: OutboxTransaction,
  { seq, channels, isUnderway }: ToRedeliver,
  atMs: number,
): Promise<number> {
  if (isUnderway) return 0
  return addDeliveries(trx, {
    channels: new Set(channels.split(',').filter(Boolean) as Channel[]),
    afterSeq: seq - 1,
    lastSeq: seq,
    atMs,
    isLateAllowed: true,
  })
}

type Found = {
  readonly run: string
  readonly day: string
  readonly minute: string | null
  readonly atMs: number
  readonly findings: readonly { readonly body: string }[]
  readonly events: readonly FoundEvent[]
}

const EVENT_COLUMNS = [
  'seq',
  'id',
  'account_id',
  'type',
  'finding_id',
  'extra',
  'owner',
  'run',
  'day',
  'minute',
  'minute_end_at',
  'priority',
  'channels',
  'created_at',
] as (keyof AccountTables['events'])[]

const insertFindings = bulkInsert('findings', ['id', 'body', 'created_at'])

/** Writes events with their shared parts, and queues their deliveries. */
export async function writeEvents(trx: OutboxTransaction, found: Found): Promise<void> {
  const { atMs, events } = found
  if (events.length === 0) return
  const last = await takeNumbers(trx, events.length, found.findings.length)
  const findingsBefore = last.finding_id - found.findings.length
  const afterSeq = last.event_seq - events.length
  const findings = found.findings.map(({ body }, index) => {
    return { id: findingsBefore + 1 + index, body, created_at: atMs }
  })
  await insertFindings(trx, findings)
  let seq = afterSeq
  for (const alike of likeNeighbours(events)) {
    const findingId = findings[alike[0]!.finding]!.id
    await insertEvents(trx, { alike, afterSeq: seq, findingId, found })
    seq += alike.length
  }
  const channels = new Set(events.flatMap(event => event.channels))
  await addDeliveries(trx, {
    channels,
    afterSeq,
    lastSeq: last.event_seq,
    atMs,
    isLateAllowed: false,
  })
}

/** More events at once would make the JSON larger than a few megabytes. */
const ALIKE_MAX = 10_000

/** Groups consecutive events that differ only in their account and its own part. */
function likeNeighbours(events: readonly FoundEvent[]): FoundEvent[][] {
  const groups: FoundEvent[][] = []
  for (const event of events) {
    const last = groups.at(-1)
    if (last && last.length < ALIKE_MAX && isAlike(last[0]!, event)) last.push(event)
    else groups.push([event])
  }
  return groups
}

const isAlike = (one: FoundEvent, other: FoundEvent): boolean =>
  one.finding === other.finding &&
  one.type === other.type &&
  one.owner === other.owner &&
  one.minuteEndMs === other.minuteEndMs &&
  one.priority === other.priority &&
  (one.channels === other.channels || channelsText(one) === channelsText(other))

const channelsText = ({ channels }: FoundEvent): string =>
  channels.map(channel => `${channel},`).join('')

type Inserted = {
  /** At least one. */
  readonly alike: readonly FoundEvent[]
  readonly afterSeq: number
  readonly findingId: number
  readonly found: Found
}

/**
 * Inserts events: the shared part is one value of the statement, and only the differences are rows.
 */
async function insertEvents(
  trx: OutboxTransaction,
  { alike, afterSeq, findingId, found }: Inserted,
): Promise<void> {
  const { run, day, minute, atMs } = found
  const one = alike[0]!
  const own = toRowTable(
    trx,
    alike.map(({ id, accountId, extra }) => [id, accountId, extra]),
  )
  const text = (value: string | null) => sql`cast(${value} as text)`
  const rows = trx
    .selectFrom(own)
    .select([
      sql`${bigint(afterSeq)} + place`.as('seq'),
      sql`value ->> 0`.as('id'),
      sql`value ->> 1`.as('account_id'),
      text(one.type).as('type'),
      bigint(findingId).as('finding_id'),
      sql`value ->> 2`.as('extra'),
      text(one.owner).as('owner'),
      text(run).as('run'),
      text(day).as('day'),
      text(minute).as('minute'),
      bigint(one.minuteEndMs).as('minute_end_at'),
      bigint(one.priority).as('priority'),
      text(channelsText(one)).as('channels'),
      bigint(atMs).as('created_at'),
    ])
    // without a condition SQLite parses the following clause as a part of the select
    .where(sql.lit(true))
  await trx
    .insertInto('events')
    .columns(EVENT_COLUMNS)
    .expression(rows)
    // an order that matches a rule again, in a later version, is the same event
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

/**
 * Reserves numbers of events and findings, and returns the last ones. Until the transaction ends
 * nobody else gets any: a reader of events up to a number misses none with a smaller one.
 */
function takeNumbers(trx: OutboxTransaction, events: number, findings: number) {
  return trx
    .updateTable('outbox_counters')
    .set(({ eb }) => ({
      event_seq: eb('event_seq', '+', events),
      finding_id: eb('finding_id', '+', findings),
    }))
    .returning(['event_seq', 'finding_id'])
    .executeTakeFirstOrThrow()
}

async function isAccount(trx: OutboxTransaction, accountId: string): Promise<boolean> {
  const found = trx.selectFrom('accounts').select('id').where('id', '=', accountId)
  return (await found.execute()).length === 1
}
