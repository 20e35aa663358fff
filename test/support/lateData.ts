import { join } from 'node:path'
import { openDatabase } from '../../src/core/engine/database.ts'

/** Gives a simulated file of prints more late data than a real tape has. */
export async function addLateData(file: string): Promise<void> {
  const db = await openDatabase()
  await db.run('create table prints as from read_parquet($file)', { file })
  await db.run(ADD_LATE_DATA)
  await db.run(
    `copy (
       from late union all from cancels union all from twins
       union all (from prints where sequence not in (select sequence from late))
       order by known_at, sequence
     ) to $file (format parquet)`,
    { file },
  )
  db.close()
}

/**
 * Takes the prints of some minutes out of a file of a simulated session, but for the first one,
 * which then printed in the minute `reported` and became known late. Times are ET of a day in summer.
 */
export async function silenceMinutes(
  file: string,
  { from, to, reported, knownAt }: Readonly<Record<'from' | 'to' | 'reported' | 'knownAt', string>>,
): Promise<void> {
  const db = await openDatabase()
  await db.run(
    `create table prints as
     select *, strftime(printed_at - interval 4 hours, '%H:%M') between $from and $to as is_silent
     from read_parquet($file)`,
    { file, from, to },
  )
  const [first] = await db.rows(
    `select arg_min(sequence, printed_at) as sequence from prints
     where is_silent and coalesce(condition, '') not in ('A', 'C', 'E', 'G', 'O')`,
  )
  const atEt = (name: string) => `session_date + ${name}::interval + interval 4 hours`
  await db.run(
    `copy (
       select * exclude (is_silent) replace (
         case when is_silent then ${atEt('$reported')} else printed_at end as printed_at,
         case when is_silent then ${atEt('$known')} else known_at end as known_at
       )
       from prints where not is_silent or sequence = $sequence order by known_at, sequence
     ) to $file (format parquet)`,
    { file, reported: `${reported}:30`, known: knownAt, sequence: Number(first!.sequence) },
  )
  db.close()
}

/**
 * One print in 40 becomes known up to 40 minutes late. One in 50 is cancelled up to 40 minutes
 * after it, and of the late ones every second, be it known by then or not; half of the cancels name
 * nothing. What those repeat is printed once more within ten minutes, and known up to 40 after.
 */
const ADD_LATE_DATA = `
  create table late as
  select * replace (printed_at + to_seconds(1 + hash(sequence, 1) % 2400) as known_at)
  from prints where hash(sequence) % 40 = 0 and condition not in ('A', 'C', 'E', 'G', 'O');
  create table cancels as
  select * replace (
    sequence + 10000000 as sequence, if(hash(sequence, 3) % 4 = 0, 'E', 'A') as condition,
    case when hash(sequence, 4) % 2 = 0 then trade_id end as trade_id,
    printed_at + to_seconds(1 + hash(sequence, 2) % 2400) as printed_at,
    printed_at + to_seconds(1 + hash(sequence, 2) % 2400) as known_at)
  from prints where (hash(sequence) % 50 = 1 or hash(sequence) % 80 = 0) and trade_id is not null
    and condition not in ('A', 'C', 'E', 'G', 'O');
  create table twins as
  select prints.* replace (
    prints.sequence + 5000000 as sequence, 'twin' || prints.trade_id as trade_id,
    prints.printed_at + to_seconds(1 + hash(prints.sequence, 5) % 600) as printed_at,
    prints.printed_at + to_seconds(600 + hash(prints.sequence, 6) % 2400) as known_at)
  from prints inner join cancels on cancels.sequence = prints.sequence + 10000000
  where cancels.trade_id is null`

/** When rows of each dataset came, where that is not their own time. */
const LATE = {
  quotes: `case when hash(strike, minute_at, option_type) % 30 = 0
    then quoted_at + to_seconds(60 + hash(strike) % 1200) else quoted_at end`,
  spots: `case when epoch(spotted_at)::bigint // 200 % 5 = 0
    then spotted_at + to_seconds(20 + epoch(spotted_at)::bigint % 600) else spotted_at end`,
  open_interest: `case strike::bigint % 60
    when 10 then session_date + interval '14 hours 3 minutes'
    when 20 then session_date + interval '15 hours 30 seconds' end`,
  dealer_positions: `case strike::bigint % 80
    when 15 then session_date + interval '14 hours 1 minute'
    when 30 then session_date + interval '15 hours 20 seconds' end`,
  rates: 'null::timestamp',
} as const

/** An earlier curve in place of the session's, one that replaces it, and then its own. */
const MORE_CURVES = `
  select * replace (session_date - 2 as session_date, rate + 0.01 as rate) from rates
  union all
  select * replace (
    session_date - 1 as session_date, rate + 0.02 as rate,
    timestamp '2026-10-15 14:07:00' as known_at)
  from rates
  union all
  select * replace (timestamp '2026-10-15 15:00:00' as known_at) from rates`

/**
 * Gives a simulated session values that came late: one quote in 30 by up to 21 minutes, the index
 * of 200 seconds in 1000 by up to ten minutes, open interest of a strike in six at 10:03 ET, of
 * another one in six at 11:00:30 ET, dealer positions of some strikes at 10:01 and 11:00:20, and
 * yield curves at 10:07 and 11:00.
 */
export async function addLateValues(folder: string): Promise<void> {
  const db = await openDatabase()
  for (const [name, knownAt] of Object.entries(LATE)) {
    const file = join(folder, `${name}.parquet`)
    await db.run(
      `create table ${name} as select *, ${knownAt} as known_at from read_parquet($file)`,
      { file },
    )
    const rows = name === 'rates' ? MORE_CURVES : `from ${name}`
    await db.run(`copy (${rows}) to $file (format parquet)`, { file })
  }
  db.close()
}
