import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDay } from '../../pipelines/build/day.ts'
import { silent } from '../../pipelines/command/progress.ts'
import { importSimulated } from '../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../pipelines/simulate/options.ts'
import { makeSample } from '../../pipelines/simulate/sample.ts'
import { runSimulate } from '../../pipelines/simulate/simulate.ts'
import { type PublishedManifest, readManifest } from '../../src/data/published/manifest.ts'
import { copyMade } from './madeOnce.ts'

export type BuiltSession = {
  readonly dataFolder: string
  readonly date: string
  readonly manifest: PublishedManifest
  readonly remove: () => void
}

/** A small simulated session, imported, built and published in a temporary folder. */
export async function buildSmallSession(date = '2026-10-15'): Promise<BuiltSession> {
  const root = mkdtempSync(join(tmpdir(), 'tapefold-built-'))
  const dataFolder = join(root, 'data')
  await copySmallSession(dataFolder, date)
  const remove = () => rmSync(root, { recursive: true, force: true })
  return { dataFolder, date, manifest: readManifest(dataFolder, date)!, remove }
}

/** Fills a new data folder with the small session. */
export const copySmallSession = (dataFolder: string, date = '2026-10-15'): Promise<void> =>
  copyMade(`small-${date}`, dataFolder, folder => makeSmallSession(folder, date))

/** The small session in two editions: in the second one more orders are large. */
export async function buildTwoEditions(date = '2026-10-15'): Promise<
  Omit<BuiltSession, 'manifest'> & {
    readonly before: PublishedManifest
    readonly after: PublishedManifest
  }
> {
  const root = mkdtempSync(join(tmpdir(), 'tapefold-editions-'))
  const dataFolder = join(root, 'data')
  const first = join(root, 'first.json')
  await copyMade(`editions-${date}`, root, async folder => {
    const data = join(folder, 'data')
    await copySmallSession(data, date)
    writeFileSync(join(folder, 'first.json'), JSON.stringify(readManifest(data, date)))
    const options = { dataFolder: data, date, threads: 2, progress: silent }
    await buildDay({ ...options, minPremiumUsd: 5_000 })
  })
  const before = JSON.parse(readFileSync(first, 'utf8'))
  const remove = () => rmSync(root, { recursive: true, force: true })
  return { dataFolder, date, before, after: readManifest(dataFolder, date)!, remove }
}

/** Size of the sample of `copySample`. */
export const SAMPLE_SIZE = { prints: 3_000, contracts: 600, seed: 3 }

/** Puts a small sample into a data folder. */
export const copySample = (dataFolder: string): Promise<void> =>
  copyMade('sample', dataFolder, folder =>
    makeSample({ dataFolder: folder, progress: silent, size: SAMPLE_SIZE }),
  )

async function makeSmallSession(dataFolder: string, date: string): Promise<void> {
  const out = mkdtempSync(join(tmpdir(), 'tapefold-simulated-'))
  await runSimulate({ ...DEFAULT_OPTIONS, prints: 3_000, contracts: 600, seed: 3, date, out })
  await importSimulated(dataFolder, out)
  const minPremiumUsd = 20_000
  await buildDay({ dataFolder, date, threads: 2, progress: silent, minPremiumUsd })
  rmSync(out, { recursive: true })
}
