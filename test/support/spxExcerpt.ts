import { join } from 'node:path'
import type { FoldDb } from './fold.ts'
import { SHARED_DATA } from './shared.ts'

const FILE = join(SHARED_DATA, 'tape/spx_otm_trades_2024-10-07_135411-135642.csv')

/** Fills `tape.prints` from 2.5 minutes of SPX, 7 October 2024: no conditions, no quotes. */
export async function loadSpxExcerpt(db: FoldDb): Promise<void> {
  await db.run(
    `insert into tape.prints by name
     with rows as (
       select
         row_number() over () as sequence,
         timezone('UTC', timezone('America/New_York', quote_datetime)) as printed_at,
         expiration_derived as expiry, strike_price as strike,
         upper(left(w, 1)) as option_type, trade_size as size, trade_price as price
       from read_csv($file, header = true, types = {'quote_datetime': 'TIMESTAMP'}))
     select *, date '2024-10-07' as session_date, 'SPXW' as root, printed_at as known_at
     from rows`,
    { file: FILE },
  )
}
