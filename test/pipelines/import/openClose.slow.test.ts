// A session that is measured by Open-Close files, from the file to its levels.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate, TAPE_FILES } from '../../../pipelines/simulate/simulate.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { type PublishedManifest, publishedFolder } from '../../../src/data/published/manifest.ts'
import { dayFile, firstDayRows } from '../../support/openClose.ts'

const [BEFORE, DATE] = ['2026-10-14', '2026-10-15']
const root = mkdtempSync(join(tmpdir(), 'tapefold-open-close-'))
const simulated = join(root, 'simulated')
const read = (name: string) => join(simulated, `${name}.parquet`)
let db: Database

beforeAll(async () => {
  const size = { prints: 3_000, contracts: 600, seed: 3 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  db = await openDatabase()
})

afterAll(() => {
  db.close()
  rmSync(root, { recursive: true, force: true })
})

/** Builds the session of a folder after an import of its dealers' positions. */
async function build(name: string, format: string, file: string) {
  const dataFolder = join(root, name)
  const given = [...TAPE_FILES.map(tape => [tape.replace('_', '-'), read(tape)]), [format, file]]
  for (const [format, file] of given) {
    await runImport({ dataFolder, format: format!, files: [file!], simulated: true })
  }
  const options = { dataFolder, date: DATE, minPremiumUsd: 20_000, progress: silent }
  return { dataFolder, manifest: await buildDay(options) }
}

const readRows = (
  { dataFolder, manifest }: { dataFolder: string; manifest: PublishedManifest },
  dataset: string,
  rest: string,
) =>
  db.rows(`from read_parquet($file) ${rest}`, {
    file: join(publishedFolder(dataFolder), manifest.datasets[dataset]!.file),
  })

test('a file of all that dealers traded measures the book as their positions do', async () => {
  // everything that is held was traded on the day before, the first one of the contracts
  const held = await db.rows(
    `select root, expiry::varchar as expiry, strike, option_type, open_interest, quantity
     from read_parquet($interest) as interest
     join read_parquet($positions) as positions
       using (root, expiry, strike, option_type)
     order by all`,
    { interest: read('open_interest'), positions: read('dealer_positions') },
  )
  const file = join(root, `C1OpenClose_${BEFORE}.csv`)
  writeFileSync(file, dayFile(BEFORE, firstDayRows(held)))
  const flows = await build('flows', 'cboe-open-close', file)
  const positions = await build('positions', 'dealer-positions', read('dealer_positions'))
  const [first] = await readRows(
    flows,
    'levels',
    "where book_basis = 'measured' order by minute_et",
  )
  expect(first).toMatchObject({ measured_share: 1, reason: null })
  expect(first!.flip).toBeGreaterThan(0)
  const levels = 'select * order by all'
  expect(await readRows(flows, 'levels', levels)).toEqual(
    await readRows(positions, 'levels', levels),
  )
  const [report] = await readRows(flows, 'tape_report', '')
  expect(report).toMatchObject({ dealers: 'mm', rejected_row_count: 0 })
  const inventory = await readRows(flows, 'inventory', "where source <> 'measured'")
  expect(inventory).toEqual([])
})
