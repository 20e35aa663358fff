import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { importDataset } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { instantMs, wallTimeEt } from '../../../src/core/market/calendar.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { addFutures } from '../../support/futures.ts'
import { addLateData, addLateValues } from '../../support/lateData.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-as-of-'))
const simulated = join(root, 'simulated')

/** Rows that an import takes when they say from when they were known. */
const DATED = [
  'prints',
  'quotes',
  'spots',
  'futures',
  'open_interest',
  'dealer_positions',
  'rates',
] as const

/** Imports the tape as it was known before an instant, and builds it. */
async function buildUntil(name: string, until: string): Promise<string> {
  const dataFolder = join(root, name)
  const db = await openDatabase()
  for (const dataset of DATED) {
    const file = join(root, `${name}-${dataset}.parquet`)
    await db.run(
      `copy (
         select * from read_parquet($from)
         where known_at is null or known_at < $until::timestamp
       ) to $file (format parquet)`,
      { from: join(simulated, `${dataset}.parquet`), until, file },
    )
    await importDataset(dataFolder, dataset, file)
  }
  db.close()
  // a tape that ends in the middle of the session is refused unless allowed
  await buildDay({ dataFolder, date: DATE, progress: silent })
  return dataFolder
}

let whole = ''

beforeAll(async () => {
  const size = { prints: 6_000, contracts: 1_500, seed: 5 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  await addLateData(join(simulated, 'prints.parquet'))
  await addLateValues(simulated)
  await addFutures(simulated)
  whole = await buildUntil('whole', '2026-10-16 04:00:00')
})

afterAll(async () => {
  for (const api of opened) await api.close()
  rmSync(root, { recursive: true, force: true })
})

test.each([
  ['10:17', '2026-10-15 14:17:00'],
  ['14:02', '2026-10-15 18:02:00'],
  ['09:40', '2026-10-15 13:40:00'],
])('nothing known from %s on changes a response about an earlier minute', async (minute, until) => {
  const cut = await buildUntil(`cut-${minute.replace(':', '')}`, until)
  const both = async (query: string, least = minute > '10:00' ? 100 : 0) => {
    const [a, b] = [await runQuery(whole, query), await runQuery(cut, query)]
    expect(a.rows.length).toBeGreaterThan(least)
    expect(b.rows).toEqual(a.rows)
  }
  await both(`from levels where minute_et <= '${minute}' order by all`)
  await both(`from profiles where minute_et <= '${minute}' order by all`)
  await both(`from basis where minute_et <= '${minute}' order by all`, 9)
  await both(`from option_minutes where minute_et <= '${minute}' order by all`)
  await both(`from smiles where minute_et <= '${minute}' order by all`)
  await both(`from strikes where minute_et <= '${minute}' order by all`)
  // a print that a later cancel or late print changed is returned as it was known
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
       from legs
       union all by name
       from revision_legs
     ) as legs
     semi join known using (order_id, revision_number)
     order by all`,
  )
  await expectEqualLedgers(await startApi(cut), minute)
})

let wholeApi: TestApi
const opened: TestApi[] = []

async function startApi(dataFolder: string): Promise<TestApi> {
  const api = await startTestApi({ dataFolder })
  opened.push(api)
  return api
}

/** Ledgers as of a minute and as of some earlier ones: the same bytes from both tapes. */
async function expectEqualLedgers(cutApi: TestApi, minute: string): Promise<void> {
  wholeApi ??= await startApi(whole)
  const atMs = instantMs(DATE, minute)
  for (const asof of [0, 1, 2, 17, 46].map(ago => wallTimeEt(atMs - ago * 60_000).minute)) {
    if (asof < '09:30') continue
    for (const accept of ['application/json', 'text/csv']) {
      const path = `/orders/api/day?day=${DATE}&asof=${asof}`
      const [ours, theirs] = await Promise.all(
        [wholeApi, cutApi].map(api => api.call(path, { headers: { accept } })),
      )
      expect([ours!.status, theirs!.status]).toEqual([200, 200])
      expect(theirs!.headers.get('etag')).toBe(ours!.headers.get('etag'))
      if (asof < '10:00' || accept !== 'application/json') continue
      expect(ours!.json.orders.length).toBeGreaterThan(5)
      expect(ours!.json.asof < asof).toBe(true)
    }
  }
}
