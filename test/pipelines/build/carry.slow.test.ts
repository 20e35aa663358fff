// Two sessions in a row: what the first one measured, the second one knows, and nothing else.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { importDataset } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate, TAPE_FILES } from '../../../pipelines/simulate/simulate.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { publishedFolder } from '../../../src/data/published/manifest.ts'

const root = mkdtempSync(join(tmpdir(), 'tapefold-carry-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const DAYS = ['2026-10-14', '2026-10-15'] as const
const folders = new Map<string, string>()

async function simulated(date: string): Promise<string> {
  const out = folders.get(date) ?? join(root, date)
  if (!folders.has(date)) {
    const size = { prints: 5_000, contracts: 400, seed: 8 }
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out })
    folders.set(date, out)
  }
  return out
}

/** Open interest of the second day as if nothing had been opened or closed since the first. */
async function writeUnchangedInterest(file: string): Promise<void> {
  const db = await openDatabase({ threads: 2 })
  try {
    await db.rows(
      `copy (
         select * replace (date '${DAYS[1]}' as session_date)
         from read_parquet('${join(await simulated(DAYS[0]), 'open_interest.parquet')}')
         where expiry >= date '${DAYS[1]}'
       ) to '${file}' (format parquet)`,
    )
  } finally {
    db.close()
  }
}

/** Level of the measured book at noon of the second day, and its inventory by source. */
async function buildBoth(name: string, positions: readonly string[], interest?: string) {
  const dataFolder = join(root, name)
  let files: Record<string, { file: string }> = {}
  for (const date of DAYS) {
    const folder = await simulated(date)
    const tables = [...TAPE_FILES, ...(positions.includes(date) ? ['dealer_positions'] : [])]
    for (const table of tables) {
      const isReplaced = table === 'open_interest' && date === DAYS[1] && interest !== undefined
      const path = isReplaced ? interest : join(folder, `${table}.parquet`)
      await importDataset(dataFolder, table, path)
    }
    files = (await buildDay({ dataFolder, date, progress: silent })).datasets
  }
  const db = await openDatabase({ threads: 2 })
  try {
    const read = (dataset: string) =>
      `read_parquet('${join(publishedFolder(dataFolder), files[dataset]!.file)}')`
    const [level] = await db.rows(
      `select * from ${read('levels')} where minute_et = '12:00' and book_basis = 'measured'`,
    )
    const [carried] = await db.rows(
      `select sum(guessed_quantity) as guessed from ${read('inventory')} where source = 'carried'`,
    )
    return { level: level!, guessed: Number(carried!.guessed) }
  } finally {
    db.close()
  }
}

test('after one night of open interest alone the book is hardly measured, and says so', async () => {
  const { level, guessed } = await buildBoth('alone', [])
  expect(level.measured_share).toBeLessThanOrEqual(0.25)
  expect(level).toMatchObject({ sessions_carried: 1, flip: null, reason: 'inventory_unknown' })
  expect(guessed).toBeGreaterThan(0)
})

test('what was imported once is carried as known', async () => {
  const file = join(root, 'unchanged.parquet')
  await writeUnchangedInterest(file)
  const { level, guessed } = await buildBoth('imported', [DAYS[0]], file)
  expect(level).toMatchObject({ sessions_carried: 1, measured_share: 1 })
  expect(guessed).toBe(0)
})
