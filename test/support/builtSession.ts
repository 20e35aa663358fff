import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDay } from '../../pipelines/build/day.ts'
import { silent } from '../../pipelines/command/progress.ts'
import { DEFAULT_OPTIONS } from '../../pipelines/simulate/options.ts'
import { runSimulate } from '../../pipelines/simulate/simulate.ts'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'
import { importSimulated } from './session.ts'

export type BuiltSession = {
  readonly dataFolder: string
  readonly date: string
  readonly manifest: PublishedManifest
  readonly remove: () => void
}

/** A small simulated session, imported, built and published in a temporary folder. */
export async function buildSmallSession(date = '2026-10-15'): Promise<BuiltSession> {
  const root = mkdtempSync(join(tmpdir(), 'tapefold-built-'))
  const [dataFolder, out] = [join(root, 'data'), join(root, 'simulated')]
  await runSimulate({ ...DEFAULT_OPTIONS, prints: 3_000, contracts: 600, seed: 3, date, out })
  await importSimulated(dataFolder, out)
  const manifest = await buildDay({
    dataFolder,
    date,
    threads: 2,
    progress: silent,
    minPremiumUsd: 20_000,
  })
  const remove = () => rmSync(root, { recursive: true, force: true })
  return { dataFolder, date, manifest, remove }
}
