import { join } from 'node:path'
import { runImport } from '../import/import.ts'
import { TAPE_FILES } from './simulate.ts'

/** Canonical files of a simulated session, with the dealers' positions at its open. */
export const SIMULATED_FILES = [...TAPE_FILES, 'dealer_positions'] as const

/** Takes one canonical file of a dataset onto the tape of a data folder. */
export const importDataset = (dataFolder: string, dataset: string, file: string) =>
  runImport({
    dataFolder,
    format: dataset.replaceAll('_', '-'),
    files: [file],
    simulated: true,
  })

/** Takes canonical files of a simulated session, by default every one, onto a tape. */
export async function importSimulated(
  dataFolder: string,
  folder: string,
  datasets: readonly string[] = SIMULATED_FILES,
): Promise<void> {
  for (const dataset of datasets) {
    await importDataset(dataFolder, dataset, join(folder, `${dataset}.parquet`))
  }
}
