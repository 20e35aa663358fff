import { join } from 'node:path'
import { openDatabase } from '../../src/core/engine/database.ts'
import { filePath } from '../../src/core/engine/paths.ts'

/** Error of the formulas in SQL against reference values computed with 60 digits. */
export type FormulaAccuracy = {
  readonly case_count: number
  /** Cases with a value where none exists, or without a value where one exists. */
  readonly wrong_count: number
  /** Worst relative error. */
  readonly worst_error: number
}

const VECTORS = join(import.meta.dirname, '../../test/vectors')

/** Implied volatility and gamma of all reference options. */
export async function measureFormulas(): Promise<Readonly<Record<string, FormulaAccuracy>>> {
  const db = await openDatabase({ threads: 1 })
  try {
    const measure = async (query: string, vectors: string) => {
      const [row] = await db.query(query, { file: filePath(join(VECTORS, `${vectors}.json`)) })
      return row as FormulaAccuracy
    }
    return {
      implied_vol: await measure('measure/implied_vol_errors', 'iv_black76'),
      gamma: await measure('measure/gamma_errors', 'greeks_black76'),
    }
  } finally {
    db.close()
  }
}
