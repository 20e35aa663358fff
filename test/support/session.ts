import { join } from 'node:path'
import { runImport } from '../../pipelines/import/import.ts'
import { TAPE_FILES } from '../../pipelines/simulate/simulate.ts'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'

/** Canonical files of a simulated session, with the dealers' positions at its open. */
export const SIMULATED_FILES = [...TAPE_FILES, 'dealer_positions'] as const

/** Takes every canonical file of a simulated session onto the tape of a data folder. */
export async function importSimulated(dataFolder: string, folder: string): Promise<void> {
  for (const name of SIMULATED_FILES) {
    const format = name.replaceAll('_', '-')
    const files = [join(folder, `${name}.parquet`)]
    await runImport({ dataFolder, format, files, simulated: true })
  }
}

/** Every published file of a session with its hash. */
export const listHashes = ({ datasets, ledger }: PublishedManifest): string[] =>
  [...Object.entries(datasets), ...Object.entries(ledger)].map(
    ([name, { sha256 }]) => `${name} ${sha256}`,
  )
