import { join } from 'node:path'
import { runImport } from '../../pipelines/import/import.ts'
import { TAPE_FILES } from '../../pipelines/simulate/simulate.ts'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'

/** Takes every canonical file of a simulated session onto the tape of a data folder. */
export async function importSimulated(dataFolder: string, folder: string): Promise<void> {
  for (const name of [...TAPE_FILES, 'dealer_positions']) {
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
