import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_OPTIONS, type SimulateOptions } from '../../pipelines/simulate/options.ts'
import { runSimulate } from '../../pipelines/simulate/simulate.ts'
import { openDatabase, type Row } from '../../src/core/engine/database.ts'

export type SimulatedFolder = {
  readonly folder: string
  /** Rows of a query in which `{name}` stands for the file of that name. */
  readonly rows: (sql: string) => Promise<Row[]>
  readonly remove: () => void
}

/** A small simulated session in a temporary folder. */
export async function simulateSmall(
  options: Partial<SimulateOptions> = {},
): Promise<SimulatedFolder> {
  const root = mkdtempSync(join(tmpdir(), 'tapefold-simulate-'))
  const out = join(root, 'session')
  const { folder } = await runSimulate({
    ...DEFAULT_OPTIONS,
    prints: 5000,
    contracts: 1500,
    hasQuotes: false,
    ...options,
    out,
  })
  const db = await openDatabase({ threads: 2 })
  return {
    folder,
    rows: sql => db.rows(sql.replace(/\{(\w+)\}/g, (_, name) => `'${folder}/${name}.parquet'`)),
    remove: () => {
      db.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
