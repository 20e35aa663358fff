import { join } from 'node:path'
import { sha256, writeAtomically } from '../../disk/files.ts'
import { arrowStream, parquetBytes } from '../../http/table.ts'
import { type TradeRow, tradeTable } from './tradeTable.ts'

/** Where the trades of a run lie. */
export const tradesPath = (dataFolder: string, runId: string): string =>
  join(dataFolder, 'lab', 'runs', `${runId}.parquet`)

/**
 * Writes the trades of a run, which nobody reads before the run is done; answers the hash of their
 * bytes. A run that is begun again writes them again.
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
