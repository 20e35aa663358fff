import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/**
 * The yardstick of an event sent to many accounts: its rows, by prepared statements, with ids that
 * are in no order, as those of events. Each call inserts them once more.
 */
export function openBareInserts(file: string, ids: readonly string[], rounds: number) {
  const database = new DatabaseSync(file)
  database.exec(
    `pragma journal_mode = wal;
     pragma synchronous = full;
     create table events (
       seq integer primary key, id text unique, account_id text, type text, finding_id integer,
       extra text, owner text, run text, day text, minute text, minute_end_at integer,
       priority integer, channels text, created_at integer
     );
     create index events_of_account on events (account_id, seq);
     create table deliveries (
       id integer primary key, event_seq integer, account_id text, owner text, channel text,
       type text, priority integer, state text, tries integer, due_at integer, queued_at integer
     );
     create index deliveries_due on deliveries (state, due_at);
     create index deliveries_dealt on deliveries (state, account_id, priority, due_at);
     create index deliveries_of_event on deliveries (event_seq)`,
  )
  const event = database.prepare(
    'insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const delivery = database.prepare(
    'insert into deliveries values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const extra = JSON.stringify({ alert: { id: 'l_0123456789ab', kind: 'price', price: 6000 } })
  const events = Array.from({ length: rounds }, (_, round) =>
    ids.map(id => `evt_${hash('sha256', `${round} ${id}`).slice(0, 32)}`),
  )
  let round = 0
  const insert = (): void => {
    database.exec('begin')
    for (const [index, id] of ids.entries()) {
      const seq = round * ids.length + index
      const head = [seq, events[round]![index]!, id, 'price_alert', round] as const
      event.run(...head, extra, 'alerts', 'live', '2026-10-15', '10:00', 1, 1, 'webhook,', 1)
      delivery.run(seq, seq, id, 'alerts', 'webhook', 'price_alert', 1, 'waiting', 0, 1, 1)
    }
    database.exec('commit')
    round++
  }
  return { insert, close: () => database.close() }
}
