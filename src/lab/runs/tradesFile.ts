import { join } from 'node:path'
import { sha256, writeAtomically } from '../../core/disk/files.ts'
import { arrowStream, parquetBytes } from '../../platform/http/table.ts'
import { type TradeRow, tradeTable } from './tradeTable.ts'

/** Path of the file with the trades of a run. */
export const tradesPath = (dataFolder: string, runId: string): string =>
  join(dataFolder, 'lab', 'runs', `${runId}.parquet`)

/**
 * Writes the trades of a run and returns the hash of their bytes. Nobody reads them before the run
 * is done; a restarted run writes them again.
 */
export function writeTrades(
  dataFolder: string,
  runId: string,
  rows: readonly TradeRow[],
): { readonly sha256: string } {
  const bytes = parquetBytes(arrowStream(tradeTable(rows)))
  writeAtomically(tradesPath(dataFolder, runId), bytes)
  return { sha256: sha256(bytes) }
}
