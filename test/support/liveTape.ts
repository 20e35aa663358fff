import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { importSimulated } from '../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../pipelines/simulate/options.ts'
import { runSimulate } from '../../pipelines/simulate/simulate.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import { newFolder } from './import.ts'
import { addLateData } from './lateData.ts'

export const DATE = '2026-10-15'

/** A small simulated session with late prints and cancels, as files. */
export async function simulateLive(size: Partial<typeof DEFAULT_OPTIONS> = {}): Promise<string> {
  const out = join(newFolder(), 'simulated')
  const small = { prints: 6_000, contracts: 200, seed: 5 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...small, ...size, date: DATE, out })
  await addLateData(join(out, 'prints.parquet'))
  return out
}

/** A data folder with the whole tape of a simulated session. */
export async function importedTape(simulated: string): Promise<string> {
  const dataFolder = newFolder()
  await importSimulated(dataFolder, simulated)
  return dataFolder
}

/** Writes the prints of a simulated session that came from an ET minute up to another. */
export async function writePart(
  simulated: string,
  { from, until, to }: { readonly from: number; readonly until: number; readonly to: string },
): Promise<void> {
  rmSync(to, { force: true })
  mkdirSync(join(to, '..'), { recursive: true })
  const db = await openDatabase()
  try {
    await db.run(
      `copy (
         from read_parquet($prints)
         where known_at >= make_timestamp($from::bigint * 1000)
           and known_at < make_timestamp($until::bigint * 1000)
         order by known_at, sequence
       ) to $to (format parquet)`,
      { prints: join(simulated, 'prints.parquet'), from, until, to },
    )
  } finally {
    db.close()
  }
}
