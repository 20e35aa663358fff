import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { type MinuteJob, openMinuteJob } from '../../../pipelines/live/minute.ts'
import { importDataset } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { type Database, openDatabase, type Row } from '../../../src/core/engine/database.ts'
import { filePaths } from '../../../src/core/engine/paths.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { datasetFiles, readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { type PublishedManifest, readManifest } from '../../../src/data/published/manifest.ts'
import { addFutures } from '../../support/futures.ts'

// Quotes, index, open interest, dealer positions and curves that come while a session runs are
// late data of the minute in which they come: to the running session, and to the build of the
// night alike.

const DATE = '2026-10-15'
/** Of each dataset, what comes in time: the rest comes once 10:40 is published. */
const SPLITS = {
  'some of them': {
    quotes: "minute_at > '2026-10-15 14:40:00' or strike::bigint % 10 = 0",
    futures: "priced_at > '2026-10-15 14:45:00' or priced_at < '2026-10-15 14:10:00'",
    spots: "spotted_at > '2026-10-15 14:39:30' or spotted_at < '2026-10-15 14:00:00'",
    open_interest: 'strike::bigint % 10 = 0',
    dealer_positions: 'strike::bigint % 20 = 0',
    rates: 'tenor_days < 30',
  },
  'all of them': {
    quotes: 'false',
    spots: 'false',
    futures: 'false',
    open_interest: 'false',
    dealer_positions: 'false',
    rates: 'false',
  },
} as const

describe.each(['some of them', 'all of them'] as const)('%s come while the session runs', split => {
  const root = mkdtempSync(join(tmpdir(), 'tapefold-late-'))
  const [live, whole, simulated] = ['live', 'whole', 'simulated'].map(name => join(root, name)) as [
    string,
    string,
    string,
  ]
  let job: MinuteJob
  let db: Database

  const importFile = (dataset: string, file: string) => importDataset(live, dataset, file)
  const importPart = async (dataset: string, condition: string, name: string) => {
    if (condition === 'false') return
    const file = join(root, `${dataset}-${name}.parquet`)
    await db.run(
      `copy (select * from read_parquet($from) where ${condition}) to $file (format parquet)`,
      { from: join(simulated, `${dataset}.parquet`), file },
    )
    await importFile(dataset, file)
  }

  beforeAll(async () => {
    db = await openDatabase()
    const size = { prints: 3_000, contracts: 400, seed: 21 }
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
    await addFutures(simulated)
    await importFile('prints', join(simulated, 'prints.parquet'))
    for (const [name, inTime] of Object.entries(SPLITS[split]))
      await importPart(name, inTime, 'early')
    job = await openMinuteJob({ dataFolder: live, date: DATE, progress: silent })
    await job.advance(instantMs(DATE, '10:40'), true)
    for (const [name, inTime] of Object.entries(SPLITS[split]))
      await importPart(name, `not (${inTime})`, 'b')
    for (const minute of ['10:41', '10:42']) await job.advance(instantMs(DATE, minute))
    await job.advance(instantMs(DATE, '11:30'), true)
    cpSync(live, whole, { recursive: true })
    await buildDay({ dataFolder: whole, date: DATE, progress: silent })
  })

  afterAll(async () => {
    await job.close()
    db.close()
    rmSync(root, { recursive: true, force: true })
  })

  async function listRows(
    folder: string,
    manifest: PublishedManifest,
    name: string,
  ): Promise<Row[]> {
    const { folder: index, files } = datasetFiles(folder, manifest, name)
    return db.rows(
      `from read_parquet($files::varchar[], hive_partitioning = false)
     where minute_et <= '11:30' order by all`,
      { files: filePaths(files.map(({ file }) => join(index, file))) },
    )
  }

  test.each(['levels', 'profiles', 'strikes', 'basis', 'market_minutes'])(
    'the build of the night reports of %s what was reported while they were not there',
    async name => {
      const running = await listRows(live, readLiveManifest(live, DATE)!, name)
      const built = await listRows(whole, readManifest(whole, DATE)!, name)
      expect(running.length).toBeGreaterThan(name === 'basis' ? 40 : 100)
      expect(running).toEqual(built)
    },
  )

  test('rows that came while the session ran say so, and count from then on', async () => {
    const [known] = await db.rows(
      `select count(*) filter (known_at >= '2026-10-15 14:40:00') as late, count(*) as all_of_them
     from read_parquet($files) where spotted_at < '2026-10-15 14:39:30'
       and spotted_at >= '2026-10-15 14:00:00'`,
      { files: join(live, 'tape/spots/*/*.parquet') },
    )
    expect(known).toEqual({ late: 39.5 * 60, all_of_them: 39.5 * 60 })
    const running = await listRows(live, readLiveManifest(live, DATE)!, 'levels')
    const at = (minute: string) =>
      running.find(row => row.minute_et === minute && row.book_basis === 'oi')!
    expect([at('10:40').spot, at('10:41').spot].map(spot => spot === null)).toEqual([
      split === 'all of them',
      false,
    ])
    const gammas = [at('10:40'), at('10:41')].map(row => row.net_gamma_musd_per_point as number)
    expect(Math.abs(gammas[1]! - (gammas[0] ?? 0))).toBeGreaterThan(0.1 * Math.abs(gammas[1]!))
  })

  test('holdings and curves that came while the session ran count from then on alone', async () => {
    const known = await db.rows(
      `select 'positions' as what, known_at::varchar as known_at, count(*) > 0 as is_there
       from read_parquet($positions) group by all
       union all
       select 'rates', known_at::varchar, count(*) > 0 from read_parquet($rates) group by all
       order by what, known_at nulls first`,
      {
        positions: join(live, 'tape/dealer_positions/*/*.parquet'),
        rates: join(live, 'tape/rates/*.parquet'),
      },
    )
    const early = split === 'all of them' ? [] : [null]
    expect(known.map(({ what, known_at }) => [what, known_at])).toEqual([
      ...[...early, '2026-10-15 14:40:00'].map(at => ['positions', at]),
      ...[...early, '2026-10-15 14:40:00'].map(at => ['rates', at]),
    ])
    // a curve that no running session may use is known at its own time
    const old = join(root, 'old.csv')
    writeFileSync(old, 'session_date,tenor_days,rate\n2026-09-01,1,0.04\n2026-10-09,1,0.04\n')
    await importFile('rates', old)
    expect(
      await db.rows(
        `select session_date, known_at from read_parquet($rates)
         where session_date <= '2026-10-09' order by all`,
        { rates: join(live, 'tape/rates/*.parquet') },
      ),
    ).toEqual([
      { session_date: '2026-09-01', known_at: null },
      { session_date: '2026-10-09', known_at: '2026-10-15 15:30:00' },
    ])
  })

  test('what was imported again, and known before, is known already', async () => {
    const { rows } = await importFile('quotes', join(simulated, 'quotes.parquet'))
    expect(rows.map(({ imported, rejected }) => [imported, rejected])).toEqual([[0, 0]])
  })
})
