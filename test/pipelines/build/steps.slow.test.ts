import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silent } from '../../../pipelines/command/progress.ts'
import { openMinuteJob } from '../../../pipelines/live/minute.ts'
import { openLiveSession } from '../../../pipelines/live/step.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { filePaths } from '../../../src/core/engine/paths.ts'
import { findTradingSession, instantMs } from '../../../src/core/market/calendar.ts'
import { liveFolder, readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { newFolder } from '../../support/import.ts'
import { DATE, importedTape, simulateLive } from '../../support/liveTape.ts'

// Catching up goes in steps that hold so many prints and minutes, however much is missing.

const UNTIL = '12:10'
const STEP_PRINTS = 70
const [whole, parts] = [newFolder(), newFolder()]
let db: Database

const at = (minute: string) => instantMs(DATE, minute)
const session = findTradingSession(DATE)!

const jobOn = (dataFolder: string, stepPrints: number) =>
  openMinuteJob({ dataFolder, date: DATE, progress: silent, stepPrints })

beforeAll(async () => {
  const tape = await importedTape(await simulateLive())
  for (const folder of [whole, parts]) cpSync(tape, folder, { recursive: true })
  db = await openDatabase()
})

afterAll(() => db.close())

const listFiles = (folder: string, name: string) =>
  (readLiveManifest(folder, DATE)!.live.files[name] ?? []).map(({ file }) =>
    join(liveFolder(folder), file),
  )

/** Rows of datasets, those that more than one of them has once. */
const listRows = (folder: string, names: readonly string[]) =>
  db.rows(
    `select distinct *
     from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
     order by all`,
    { files: filePaths(names.flatMap(name => listFiles(folder, name))) },
  )

test('a step holds no more prints than it may, and all steps say what one would', async () => {
  for (const [folder, stepPrints] of [
    [whole, 1_000_000],
    [parts, STEP_PRINTS],
  ] as const) {
    const job = await jobOn(folder, stepPrints)
    await job.advance(at('09:31'))
    // it is ready for one minute, where a longer step comes
    await job.advance(at(UNTIL), true)
    // who opens the session again finds it in such steps, too
    await job.close()
    const next = await jobOn(folder, stepPrints)
    await next.advance(at(UNTIL) + 60_000)
    await next.close()
  }
  const stops = listFiles(parts, 'levels').map(file => file.split('/').at(-1)!.slice(0, 4))
  // 09:30 and 09:31 one by one, then the steps, then one more
  const steps = stops.slice(2, -1)
  expect(steps.length).toBeGreaterThan(2)
  expect(stops.slice(-2)).toEqual(['1210', '1211'])
  // no minute more than the longest step has
  expect(listFiles(whole, 'levels').length).toBe(2 + 2 + 1)
  for (const [index, stop] of steps.entries()) {
    const [from, until] = [stops[1 + index]!, stop].map(text =>
      at(`${text.slice(0, 2)}:${text.slice(2)}`),
    ) as [number, number]
    const [counted] = await db.rows(
      `select count(*) as prints from read_parquet($file)
       where known_at >= make_timestamp($from::bigint * 1000)
         and known_at < make_timestamp($until::bigint * 1000)`,
      { file: join(parts, 'tape/prints/*/*.parquet'), from, until },
    )
    expect(Number(counted!.prints), stop).toBeLessThanOrEqual(STEP_PRINTS)
    expect(Number(counted!.prints), stop).toBeGreaterThan(0)
  }
  const datasets = [
    ['orders'],
    ['revisions'],
    ['levels'],
    ['profiles'],
    ['strikes'],
    ['market_minutes'],
    // a version that ended in the step that found it has its legs with its end alone
    ['legs', 'revision_legs'],
  ]
  for (const names of datasets) {
    const [one, many] = [await listRows(whole, names), await listRows(parts, names)]
    expect(one.length, names[0]).toBeGreaterThan(0)
    expect(many, names[0]).toEqual(one)
  }
})

test('a session that needs more memory than it may hold spills, and says the same', async () => {
  const tables = ['state_levels', 'state_profiles', 'state_strikes', 'new_orders', 'new_legs']
  const text = async (memoryLimit: string) => {
    const options = { dataFolder: whole, session, symbol: 'SPX', minPremiumUsd: 100_000 }
    const live = await openLiveSession({ ...options, threads: 1, memoryLimit })
    try {
      await live.advance(at('09:40'))
      await live.advance(at('11:30'))
      const [spilled] = await live.db.rows(
        'select coalesce(sum(size), 0) as bytes from duckdb_temporary_files()',
      )
      const rows = []
      for (const table of tables) rows.push(await live.db.rows(`from live.${table} order by all`))
      return { spilled: Number(spilled!.bytes), rows }
    } finally {
      await live.close()
    }
  }
  const [roomy, tight] = [await text('1200MB'), await text('300MB')]
  expect(roomy.spilled).toBe(0)
  expect(tight.spilled).toBeGreaterThan(0)
  expect(tight.rows).toEqual(roomy.rows)
  for (const rows of tight.rows) expect(rows.length).toBeGreaterThan(0)
})
