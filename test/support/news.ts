import { openDatabase } from '../../src/store/duck.ts'

/**
 * Gives a simulated file of prints more news than a real tape has: one print in 40 becomes known
 * up to 40 minutes late, one in 50 is cancelled up to 40 minutes after it.
 */
export async function addNews(file: string): Promise<void> {
  const db = await openDatabase()
  await db.run('create table prints as from read_parquet($file)', { file })
  await db.run(
    `create table late as
     select * replace (printed_at + to_seconds(1 + hash(sequence, 1) % 2400) as known_at)
     from prints where hash(sequence) % 40 = 0 and condition not in ('A', 'C', 'E', 'G', 'O');
     create table cancels as
     select * replace (
       sequence + 10000000 as sequence, 'A' as condition,
       printed_at + to_seconds(1 + hash(sequence, 2) % 2400) as printed_at,
       printed_at + to_seconds(1 + hash(sequence, 2) % 2400) as known_at)
     from prints where hash(sequence) % 50 = 1 and trade_id is not null
       and condition not in ('A', 'C', 'E', 'G', 'O')`,
  )
  await db.run(
    `copy (
       from late union all from cancels
       union all (from prints where sequence not in (select sequence from late))
       order by known_at, sequence
     ) to $file (format parquet)`,
    { file },
  )
  db.close()
}
