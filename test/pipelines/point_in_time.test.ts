import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runImport } from '../../pipelines/import.ts'
import { buildDay } from '../../pipelines/nightly.ts'
import { silent } from '../../pipelines/progress.ts'
import { DEFAULT_OPTIONS } from '../../pipelines/simulate/options.ts'
import { runSimulate } from '../../pipelines/simulate.ts'
import { ask } from '../../src/store/analyst.ts'
import { openDatabase } from '../../src/store/duck.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-as-of-'))
const simulated = join(root, 'simulated')

/** What an import takes, and the instant from which each row was known. */
const DATED = { prints: 'known_at', quotes: 'quoted_at', spots: 'spotted_at' } as const
const UNDATED = ['open_interest', 'rates'] as const

/** Imports the tape as it was known before an instant, and builds it. */
async function buildUntil(name: string, until: string): Promise<string> {
  const dataFolder = join(root, name)
  const db = await openDatabase()
  for (const [dataset, column] of Object.entries(DATED)) {
    const file = join(root, `${name}-${dataset}.parquet`)
    await db.run(
      `copy (select * from read_parquet($from) where ${column} < $until::timestamp)
       to $file (format parquet)`,
      { from: join(simulated, `${dataset}.parquet`), until, file },
    )
    await runImport({ dataFolder, format: dataset, files: [file], simulated: true })
  }
  db.close()
  for (const dataset of UNDATED) {
    const files = [join(simulated, `${dataset}.parquet`)]
    const format = dataset.replace('_', '-')
    await runImport({ dataFolder, format, files, simulated: true })
  }
  // a tape that ends in the middle of the session is refused unless told otherwise
  await buildDay({ dataFolder, date: DATE, progress: silent })
  return dataFolder
}

/**
 * The simulated tape with more news than a real one has: one print in 40 becomes known up to 40
 * minutes late, one in 50 is cancelled up to 40 minutes after it.
 */
async function addNews(): Promise<void> {
  const db = await openDatabase()
  const file = join(simulated, 'prints.parquet')
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

let whole = ''

beforeAll(async () => {
  const size = { prints: 6_000, contracts: 1_500, seed: 5 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  await addNews()
  whole = await buildUntil('whole', '2026-10-16 04:00:00')
}, 120_000)

afterAll(() => rmSync(root, { recursive: true, force: true }))

test.each([
  ['10:17', '2026-10-15 14:17:00'],
  ['14:02', '2026-10-15 18:02:00'],
])('nothing known from %s on changes an answer about an earlier minute', async (minute, until) => {
  const cut = await buildUntil(`cut-${minute.replace(':', '')}`, until)
  const both = async (query: string) => {
    const [a, b] = [await ask(whole, query), await ask(cut, query)]
    expect(a.rows.length).toBeGreaterThan(100)
    expect(b.rows).toEqual(a.rows)
  }
  await both(`from levels where minute_et <= '${minute}' order by all`)
  await both(`from profiles where minute_et <= '${minute}' order by all`)
  // what a later cancel or late print changed is told as it was known
  await both(
    `select * exclude (ledger_rank) from orders where visible_at < timestamp '${until}'
     union all by name
     select * exclude (superseded_at, superseded_by) from revisions
     where visible_at < timestamp '${until}' and superseded_at >= timestamp '${until}'
     order by all`,
  )
  await both(
    `with known as (
       select order_id, revision_number from orders where visible_at < timestamp '${until}'
       union all
       select order_id, revision_number from revisions
       where visible_at < timestamp '${until}' and superseded_at >= timestamp '${until}'
     )
     select legs.* from (
       select legs.*, orders.revision_number from legs join orders using (order_id)
       union all by name
       from revision_legs
     ) as legs
     semi join known using (order_id, revision_number)
     order by all`,
  )
})
