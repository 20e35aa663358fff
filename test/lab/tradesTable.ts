/** The trades of a run, written as the product writes them, as the table that SQL reads. */

import type { Database } from '../../src/core/engine/database.ts'
import type { TradeLedger } from '../../src/lab/engine/trade.ts'
import { tradesPath, writeTrades } from '../../src/lab/runs/tradesFile.ts'
import { tradeRows } from '../../src/lab/runs/tradeTable.ts'

/** Rebuilds `lab.trades` from a ledger; `dates` are those of the sessions by index. */
export async function fillTrades(
  db: Database,
  folder: string,
  ledger: TradeLedger,
  dates: readonly string[],
): Promise<void> {
  const rows = tradeRows(ledger, { dates, holdout: null, firstTestedTo: null })
  writeTrades(folder, 'j_1', rows)
  await db.run('create schema if not exists lab')
  await db.run('create or replace table lab.trades as select * from read_parquet($path)', {
    path: tradesPath(folder, 'j_1'),
  })
}
