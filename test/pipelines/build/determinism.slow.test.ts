import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { importSimulated, SIMULATED_FILES } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { readTapeManifest } from '../../../src/data/tape/manifest.ts'
import { listHashes } from '../../support/session.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-determinism-'))
const simulated = join(root, 'simulated')
const dataFolder = join(root, 'data')
let hashes: string[]

const build = async (folder: string, threads: number) =>
  listHashes(
    await buildDay({
      dataFolder: folder,
      date: DATE,
      minPremiumUsd: 50_000,
      threads,
      progress: silent,
    }),
  )

beforeAll(async () => {
  const size = { prints: 6_000, contracts: 800, seed: 5 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  await importSimulated(dataFolder, simulated)
  hashes = await build(dataFolder, 2)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/**
 * Writes every file of the session again in `parts` files: its rows in an order that the seed
 * decides, dealt out one by one.
 */
async function shuffleFiles(folder: string, parts: number, seed: number) {
  mkdirSync(folder)
  const db = await openDatabase({ threads: 2 })
  const files: { format: string; file: string }[] = []
  for (const name of SIMULATED_FILES) {
    for (let part = 0; part < parts; part++) {
      const file = join(folder, `${name}-${part}.parquet`)
      await db.run(
        `copy (
           select * exclude (file_row_number, place) from (
             select *, row_number() over (order by hash(file_row_number, $seed::int)) as place
             from read_parquet($source, file_row_number = true)
           )
           where place % $parts::int = $part::int
           order by place
         ) to $file (format parquet)`,
        { source: join(simulated, `${name}.parquet`), seed, parts, part, file },
      )
      files.push({ format: name.replaceAll('_', '-'), file })
    }
  }
  db.close()
  return files
}

test.each([
  ['the rows of each file in another order', 1, 1],
  ['each file split into three, its rows in another order', 3, 2],
])('%s, imported in another order: the same hashes', async (_what, parts, threads) => {
  const folder = join(root, `data-${parts}`)
  const files = await shuffleFiles(join(root, `shuffled-${parts}`), parts, parts)
  for (const { format, file } of files.reverse()) {
    await runImport({ dataFolder: folder, format, files: [file], simulated: true })
  }
  // the tape itself lies there in other files, else this would prove nothing
  const hashesOfTape = (data: string) =>
    readTapeManifest(data, DATE).batches.map(batch => batch.sha256)
  expect(hashesOfTape(folder)).toHaveLength(hashesOfTape(dataFolder).length * parts)
  expect(hashesOfTape(folder)).not.toEqual(hashesOfTape(dataFolder))
  expect(await build(folder, threads)).toEqual(hashes)
})
