import { join } from 'node:path'
import { openDatabase } from '../../src/core/engine/database.ts'

/**
 * Writes `futures.parquet` next to the index of a simulated session: one contract all day with a
 * pause, one that begins at noon and has no volume. Prices come every few seconds, some on a
 * whole minute, and some became known minutes later.
 */
export async function addFutures(simulated: string): Promise<void> {
  const db = await openDatabase({ threads: 1 })
  try {
    await db.run(
      `copy (
         with ticks as (
           select contract, above,
             spotted_at + to_microseconds(
               case when hash(contract, spotted_at) % 5 = 0 then 0
                 else (hash(spotted_at, contract) % 55000000)::bigint end
             ) as priced_at,
             spot, hash(spotted_at, above) as chance
           from read_parquet($spots)
           cross join (values ('ESZ6', 18.25), ('ESH7', 71.5)) as futures(contract, above)
         )
         select contract, priced_at,
           round((spot + above + (chance % 9)::integer / 8 - 0.5) * 4) / 4 as price,
           case when contract = 'ESZ6' then (chance % 40)::bigint end as volume,
           case when chance % 23 = 0 then priced_at + interval 4 minutes else priced_at end
             as known_at
         from ticks
         where (contract <> 'ESZ6' or priced_at < $from::timestamp or priced_at > $to::timestamp)
           and not (contract = 'ESH7' and priced_at < $noon::timestamp)
         qualify row_number() over (partition by contract, priced_at order by price) = 1
         order by priced_at, contract
       ) to $file (format parquet)`,
      {
        spots: join(simulated, 'spots.parquet'),
        file: join(simulated, 'futures.parquet'),
        from: '2026-10-15 13:33:20',
        to: '2026-10-15 13:42:20',
        noon: '2026-10-15 16:00:00',
      },
    )
  } finally {
    db.close()
  }
}
