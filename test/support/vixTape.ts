import { join } from 'node:path'
import type { FoldDb } from './fold.ts'
import { SHARED_DATA } from './shared.ts'

const FILE = join(SHARED_DATA, 'tape/UnderlyingOptionsTrades_2016-06-01.csv')

/**
 * Fills `tape.prints` from the Cboe sample of 1 June 2016, VIX options. Its condition ids become
 * letters by the public tables; with `isBlind` every condition is hidden.
 */
export async function loadVixTape(db: FoldDb, isBlind = false): Promise<void> {
  await db.run(
    `create or replace table vix as
     select
       column02::bigint as sequence,
       timezone('UTC', timezone('America/New_York', column01::timestamp)) as printed_at,
       column03 as root, column04::date as expiry, column05::double as strike,
       column06 as option_type, column07 as exchange, column08::integer as size,
       column09::double as price,
       case column10 when '0' then ' ' when '35' then 'L' when '106' then 'R' when '13' then 'D'
         when '95' then 'S' when '2' then 'B' when '40' then 'A' end as letter,
       column12::double as best_bid, column13::double as best_ask
     from read_csv($file, header = false, skip = 1, null_padding = true, all_varchar = true)`,
    { file: FILE },
  )
  await db.run(
    `insert into tape.prints by name
     select * exclude (letter), date '2016-06-01' as session_date, printed_at as known_at,
       case when not $isBlind then letter end as condition
     from vix`,
    { isBlind },
  )
}
