// `npm run other-tapes [-- --minutes 30 --seeds 10 --traits]`: tapes of the second maker, each
// imported and built in a folder of its own, and how well the published orders agree with the true.

import '../../src/server/registerAreas.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildDay } from '../../pipelines/build/day.ts'
import { silent } from '../../pipelines/command/progress.ts'
import { runImport } from '../../pipelines/import/import.ts'
import { type Database, openDatabase, type Row } from '../../src/core/engine/database.ts'
import { filePaths } from '../../src/core/engine/paths.ts'
import { datasetFiles } from '../../src/data/published/liveManifest.ts'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'
import { findScore, type Score, summedTraits } from './otherScore.ts'
import { OTHER_STYLES, type StyleName } from './otherStyle.ts'
import { otherTape, type PrintTruth } from './otherTape.ts'
import { writePrintsCsv } from './printsCsv.ts'

const DATE = '2026-10-13'
const STYLES = Object.keys(OTHER_STYLES) as StyleName[]

type Outcome = { readonly prints: number; readonly built: string; readonly score: Score | null }

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seeds: { type: 'string', default: '10' },
    /** Adds what kinds of orders are folded wrongly. */
    traits: { type: 'boolean', default: false },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const line = (cells: readonly unknown[]) => say(cells.map(cell => String(cell).padEnd(9)).join(' '))

line(['style', 'seed', 'prints', 'lost', 'apart', 'ARI', 'wrong', 'of large', 'built'])
for (const style of STYLES) {
  const scores: Score[] = []
  for (let seed = 1; seed <= Number(values.seeds); seed++) {
    const { prints, built, score } = await runTape(style, seed)
    if (score) scores.push(score)
    if (!score || score.lost.length > 0) process.exitCode = 1
    const reported = score
      ? [score.lost.length, score.apart, score.ari.toFixed(4), score.wrongOrders, score.largeOrders]
      : ['-', '-', '-', '-', '-']
    line([style, seed, prints, ...reported, built])
  }
  const mean = scores.reduce((sum, { ari }) => sum + ari, 0) / scores.length
  say(`${style}: mean ARI ${mean.toFixed(4)}`)
  if (values.traits) tellTraits(scores)
}

async function runTape(style: StyleName, seed: number): Promise<Outcome> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-other-'))
  const { rows, truth } = otherTape({ seed, style, minutes: Number(values.minutes) })
  const prints = rows.length
  const db = await openDatabase({ threads: 2 })
  try {
    const files = [writePrintsCsv(join(dataFolder, 'prints.csv'), rows)]
    await runImport({ dataFolder, format: 'prints', files, simulated: true })
    const manifest = await buildDay({ dataFolder, date: DATE, minPremiumUsd: 0, progress: silent })
    return { prints, built: 'yes', score: await scoreOfDay(db, { dataFolder, manifest, truth }) }
  } catch (error) {
    return { prints, built: `no: ${(error as Error).message}`, score: null }
  } finally {
    db.close()
    rmSync(dataFolder, { recursive: true })
  }
}

type Day = {
  readonly dataFolder: string
  readonly manifest: PublishedManifest
  readonly truth: readonly PrintTruth[]
}

async function scoreOfDay(db: Database, { dataFolder, manifest, truth }: Day): Promise<Score> {
  const listRows = async (name: string): Promise<Row[]> => {
    const { folder, files } = datasetFiles(dataFolder, manifest, name)
    return db.rows('from read_parquet($files::varchar[], hive_partitioning = false)', {
      files: filePaths(files.map(({ file }) => join(folder, file))),
    })
  }
  return findScore(truth, await listRows('prints'), await listRows('order_prints'))
}

function tellTraits(scores: readonly Score[]): void {
  line(['orders', 'torn', 'mixed', 'trait'])
  for (const { trait, orders, torn, mixed } of summedTraits(scores)) {
    line([orders, torn, mixed, trait])
  }
}
