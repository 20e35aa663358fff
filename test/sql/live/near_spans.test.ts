import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, type Row } from '../../../src/core/engine/database.ts'

const WINDOW = { window_us: 30_000, window_slow_us: 120_000_000 }

let db: Database
beforeAll(async () => {
  db = await openDatabase({ threads: 1 })
  await db.run('create schema live')
})
afterAll(() => db.close())

/**
 * Orders of a session and its late data, by seed: most of them an instant wide, some minutes,
 * and the late data at its end, with a few cancels anywhere.
 */
async function makeSession(seed: number): Promise<void> {
  await db.run(
    `create or replace table live.spans as
     with drawn as (
       select
         range as edition_id,
         hash(range, $seed) % 10 = 0 as is_slow,
         (hash(range, $seed, 1) % 23_000)::bigint * 1_000_000 as first_us,
         hash(range, $seed, 2) as width
       from range(4000)
     )
     select
       edition_id, is_slow, first_us,
       first_us + (case
         when not is_slow then width % 2_000_000
         when width % 50 = 0 then width % 400_000_000
         else width % 30_000_000
       end)::bigint as last_us
     from drawn`,
    { seed },
  )
  await db.run(
    `create or replace table live.widths as
     select max(last_us - first_us) as width_us from live.spans`,
  )
  await db.run(
    `create or replace table live.changed_prints as
     select
       hash(range, $seed, 3) % 10 = 0 as is_slow,
       (case
         when range < 3 then hash(range, $seed, 4) % 23_000_000_000
         else 22_900_000_000 + hash(range, $seed, 5) % 60_000_000
       end)::bigint as printed_us
     from range(40)`,
    { seed },
  )
}

const read = async (): Promise<readonly Row[][]> => [
  await db.rows('from live.affected_ranges order by all'),
  await db.rows('from live.replaced order by all'),
]

test('affected ranges and what they replace are those that a scan of every order finds', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    await makeSession(seed)
    await db.build('live/near_spans', WINDOW)
    await db.build('live/affected_ranges', WINDOW)
    await db.build('live/replaced')
    const [nearCount] = await db.rows('select count(*) as n from live.near_spans')
    expect(Number(nearCount!.n)).toBeLessThan(4000)
    const found = await read()
    expect(found[1]!.length).toBeGreaterThan(0)

    await db.refill('live.near_spans', 'from live.spans')
    await db.build('live/affected_ranges', WINDOW)
    await db.build('live/replaced')
    expect(found, `seed ${seed}`).toEqual(await read())
  }
})
