import type { SessionDate } from '../../market/calendar.ts'
import { readManifest } from '../../published/manifest.ts'
import { openColumns } from './columns.ts'
import { whyUnused } from './readMarket.ts'
import { DTE_MAX } from './session.ts'

/**
 * Makes what is missing of the columns of a published session, for who reads the market later. A
 * session that LAB leaves out gets none. Fails with DamagedFile when a published file is not what
 * its manifest says.
 */
export async function makeColumns(dataFolder: string, date: SessionDate): Promise<void> {
  const manifest = readManifest(dataFolder, date)
  if (whyUnused(manifest) !== null) return
  const columns = openColumns(dataFolder)
  try {
    await columns.openFiles(manifest!, DTE_MAX)
  } finally {
    columns.close()
  }
}
