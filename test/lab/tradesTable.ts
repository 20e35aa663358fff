/** The trades of a run as the table that the SQL of LAB reads, in the columns of its file. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/engine/database.ts'
import type { TradeLedger } from '../../src/lab/engine/trade.ts'
import { minutesAfter } from '../../src/market/calendar.ts'

const COLUMNS = `{rule_leg: 'INTEGER', session_date: 'VARCHAR', decided_et: 'VARCHAR',
  in_rule: 'BOOLEAN', missed: 'VARCHAR', pnl_usd: 'DOUBLE', r: 'DOUBLE'}`

/** Makes `lab.trades` anew of a ledger; `dates` are those of the sessions by place. */
export async function fillTrades(
  db: Database,
  folder: string,
  { trades, missed }: TradeLedger,
  dates: readonly string[],
): Promise<void> {
  const placeOf = (row: { ruleLeg: number; session: number; decidedAt: number }) => ({
    ...{ rule_leg: row.ruleLeg, session_date: dates[row.session]! },
    decided_et: minutesAfter('00:00', row.decidedAt),
  })
  const rows = [
    ...trades.map(trade => ({
      ...{ ...placeOf(trade), in_rule: trade.isInRule, missed: null },
      ...{ pnl_usd: trade.pnlUsd, r: trade.r },
    })),
    ...missed.map(chance => ({
      ...{ ...placeOf(chance), in_rule: chance.isInRule, missed: chance.reason },
      ...{ pnl_usd: null, r: null },
    })),
  ]
  const path = join(folder, 'trades.json')
  writeFileSync(path, rows.map(row => JSON.stringify(row)).join('\n'))
  await db.run('create schema if not exists lab')
  await db.run(
    `create or replace table lab.trades as
     select * from read_json($path, format = 'newline_delimited', columns = ${COLUMNS})`,
    { path },
  )
}
