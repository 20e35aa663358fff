import type { SessionDate } from '../../core/market/calendar.ts'
import { readManifest } from '../../data/published/manifest.ts'
import { openColumns } from './columns.ts'
import { whyUnused } from './readMarket.ts'
import { DTE_MAX } from './session.ts'

/**
 * Builds the missing columns of a published session ahead of later reads. A session that LAB
 * excludes gets none. Fails with DamagedFile when a published file does not match its manifest.
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
