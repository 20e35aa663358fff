// Whatever other symbols a tape holds, SPX is what its own part says, by night and by minute.

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { openMinuteJob } from '../../../pipelines/live/minute.ts'
import { importDataset, importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { filePaths } from '../../../src/core/engine/paths.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { datasetFiles, readLiveManifest } from '../../../src/data/published/liveManifest.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-symbols-'))
const simulated = join(root, 'simulated')
const alone = join(root, 'alone')
let db: Database

/** Results of the tape's own part: all of it but the report on the tape itself. */
const STATED = [
  'orders',
  'legs',
  'revisions',
  'revision_legs',
  'levels',
  'profiles',
  'strikes',
  'forwards',
  'inventory',
  'position_changes',
  'closing_positions',
  'closing_index',
  'market_minutes',
  'large_orders',
  'order_prints',
]
/** The same without the rows of prints that are retained for display. */
const OWN_PRINTS = "select * from prints where fate <> 'other_symbol' order by all"

const listRows = async (folder: string, query: string) => (await runQuery(folder, query)).rows

beforeAll(async () => {
  const size = { prints: 3_000, contracts: 200, seed: 8 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  await importSimulated(alone, simulated)
  cpSync(alone, join(root, 'apart'), { recursive: true })
  await buildDay({ dataFolder: alone, date: DATE, progress: silent })
  db = await openDatabase()
})

afterAll(() => {
  db.close()
  rmSync(root, { recursive: true, force: true })
})

/** The columns of a dataset that another symbol has otherwise. */
const CHANGES: Readonly<Record<string, string>> = {
  prints:
    'sequence + $shift::bigint as sequence, $root::varchar as root, ' +
    'underlying_price * $scale::double as underlying_price',
  quotes: '$root::varchar as root',
  spots: 'spot * $scale::double as spot, symbol_of($root::varchar) as symbol',
  open_interest: '$root::varchar as root, open_interest * 3 as open_interest',
  dealer_positions: '$root::varchar as root, -2 * quantity as quantity',
}

/** Of these no two rows may become one contract. */
const ONCE: Readonly<Record<string, string>> = {
  quotes: "root = 'SPXW'",
  open_interest: "root = 'SPXW'",
  dealer_positions: "root = 'SPXW'",
}

/** Imports some rows of SPX once more as those of other roots; a seed says which. */
async function addOthers(folder: string, seed: number, roots: readonly string[]): Promise<void> {
  const out = join(root, `others-${seed}`)
  mkdirSync(out)
  for (const [index, other] of roots.entries()) {
    for (const [dataset, changes] of Object.entries(CHANGES)) {
      const file = join(out, `${dataset}-${other}.parquet`)
      const params = { root: other, scale: 0.1 + index, shift: (index + 1) * 10 ** 17 }
      const wanted = Object.entries(params).filter(([name]) => changes.includes(`$${name}`))
      await db.run(
        `copy (
           select * exclude (file_row_number) replace (${changes})
           from read_parquet($source, file_row_number = true)
           where hash(file_row_number, $seed::int) % 3 = 0 and ${ONCE[dataset] ?? 'true'}
         ) to $file (format parquet)`,
        {
          source: join(simulated, `${dataset}.parquet`),
          seed: seed + index,
          file,
          ...Object.fromEntries(wanted),
        },
      )
      await importDataset(folder, dataset, file)
    }
  }
}

test.each([
  [1, ['SPY']],
  // more of them than of SPX
  [2, ['VIXW', 'NDXP', 'RUTW', 'XSP', 'ZZZ']],
])('mixture %i, with %j, says of SPX what SPX alone says', async (seed, roots) => {
  const mixed = join(root, `mixed-${seed}`)
  cpSync(join(root, 'apart'), mixed, { recursive: true })
  await addOthers(mixed, seed, roots)
  const night = await buildDay({ dataFolder: mixed, date: DATE, progress: silent })
  expect(night.symbol).toBe('SPX')
  expect(night.tape.other_symbol).toBeGreaterThan(500)
  for (const query of [...STATED.map(name => `from ${name} order by all`), OWN_PRINTS]) {
    expect(await listRows(mixed, query), query).toEqual(await listRows(alone, query))
  }
  const levels = await listRows(alone, 'select count(flip) as flips from levels')
  expect(levels[0]!.flips).toBeGreaterThan(100)
})

test('states published minute by minute from a mixture are those of SPX alone', async () => {
  const mixed = join(root, 'minutes')
  cpSync(join(root, 'apart'), mixed, { recursive: true })
  await addOthers(mixed, 5, ['SPY', 'VIX'])
  const job = await openMinuteJob({ dataFolder: mixed, date: DATE, progress: silent })
  await job.advance(instantMs(DATE, '09:36'))
  await job.advance(instantMs(DATE, '11:00'), true)
  await job.close()
  const manifest = readLiveManifest(mixed, DATE)!
  expect(manifest.symbol).toBe('SPX')
  for (const name of ['levels', 'profiles', 'strikes', 'market_minutes']) {
    const { folder, files } = datasetFiles(mixed, manifest, name)
    const running = await db.rows(
      `from read_parquet($files::varchar[], hive_partitioning = false)
       where minute_et <= '11:00' order by all`,
      { files: filePaths(files.map(({ file }) => join(folder, file))) },
    )
    expect(running.length).toBeGreaterThan(80)
    const whole = `from ${name} where minute_et <= '11:00' order by all`
    expect(running, name).toEqual(await listRows(alone, whole))
  }
})
