// A full chain of the exchange as LAB would have it, and the file read by itself.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { buildModel } from '../../pipelines/build/steps.ts'
import { buildSurface } from '../../pipelines/build/surface.ts'
import { runImport } from '../../pipelines/import/import.ts'
import type { Row } from '../../src/core/engine/database.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import { findTradingSession } from '../../src/core/market/calendar.ts'
import { loadConditions, loadExpiries, loadSession } from '../../src/data/tape/session.ts'
import { loadTape } from '../../src/data/tape/tables.ts'
import { SHARED_DATA } from './shared.ts'

/** An option as a line of the file has it; a bid or an ask of 0 is none. */
export type ChainOption = {
  readonly root: string
  readonly expiry: string
  readonly strike: number
  readonly type: 'C' | 'P'
  readonly bid: number
  readonly ask: number
  readonly delta: number
}

/** Reads the lines below the header, each of which has a call and a put. */
export function readChainFile(name: string): { options: ChainOption[]; last: number } {
  const text = gunzipSync(readFileSync(join(SHARED_DATA, 'chains', name))).toString()
  const last = Number(/Last: ([\d.]+)/.exec(text)![1])
  const options = text.split(/\r?\n/).flatMap(line => {
    const cells = line.split(',')
    const found = /^(SPXW?)(\d\d)(\d\d)(\d\d)C\d{8}$/.exec(cells[1] ?? '')
    if (!found) return []
    const [, root, year, month, day] = found
    const [expiry, strike] = [`20${year}-${month}-${day}`, Number(cells[11])]
    const of = (type: 'C' | 'P', bid: number) => ({
      root: root!,
      expiry,
      strike,
      type,
      bid: Number(cells[bid]),
      ask: Number(cells[bid + 1]),
      delta: Number(cells[bid + 4]),
    })
    return [of('C', 4), of('P', 15)]
  })
  return { options, last }
}

/**
 * Published data of a chain: a session is not built without prints, so that the models which LAB
 * reads are built here of the imported tape, as `build` does.
 */
export async function chainRows(
  name: string,
  date: string,
  settlement?: number,
): Promise<Readonly<Record<string, readonly Row[]>>> {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-chain-day-'))
  const files = [join(SHARED_DATA, 'chains', name)]
  await runImport({ dataFolder: folder, format: 'cboe-chain', files })
  if (settlement !== undefined) {
    const file = join(folder, 'settlements.csv')
    writeFileSync(file, `session_date,settlement\n${date},${settlement}\n`)
    await runImport({ dataFolder: folder, format: 'settlements', files: [file] })
  }
  const db = await openDatabase({ threads: 2 })
  try {
    await loadConditions(db)
    await loadTape(db, folder, date, 'SPX')
    const session = findTradingSession(date)!
    const known = { symbol: 'SPX', knownUntilMs: session.closesAtMs, minPremiumUsd: 0 }
    await loadSession(db, { session, ...known })
    await loadExpiries(db)
    await buildSurface(db)
    const rows: Record<string, readonly Row[]> = { large_orders: [] }
    for (const model of ['option_minutes', 'smiles', 'settlements']) {
      await buildModel(db, `ledger/${model}`)
      const dated = /minutes|smiles/.test(model) ? ', expiry::varchar as expiry' : ''
      rows[model] = await db.rows(
        `select * replace (session_date::varchar as session_date${dated}) from ledger.${model}`,
      )
    }
    rows.market_minutes = await db.rows(
      `select $date as session_date, minute_et, spot from surface.spots
       where minute_et <= '16:00' order by minute_et`,
      { date },
    )
    return rows
  } finally {
    db.close()
  }
}
