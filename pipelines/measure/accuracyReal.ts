/** Results of the fold on real tapes: the only truth is the codes that some exchanges give. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyToParquet } from '../../src/core/engine/bulk.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import { filePath } from '../../src/core/engine/paths.ts'
import { tapeColumns, tapeFiles } from '../../src/data/tape/manifest.ts'
import { loadFiles } from '../../src/data/tape/tables.ts'
import { buildFold } from '../build/fold.ts'
import { runImport } from '../import/import.ts'
import { loadPastSession } from './loadTruth.ts'

type RealTape = {
  readonly name: string
  /** Below the folder of real tapes. */
  readonly file: string
  readonly date: string
  readonly symbol: string
  readonly format: 'cboe-trades' | 'excerpt'
  /** True when the exchange's codes are hidden from the fold and used only to judge it. */
  readonly isBlind: boolean
}

const VIX = {
  file: 'tape/UnderlyingOptionsTrades_2016-06-01.csv',
  date: '2016-06-01',
  symbol: 'VIX',
  format: 'cboe-trades',
} as const

const REAL_TAPES: readonly RealTape[] = [
  { name: 'VIX, 1 June 2016', ...VIX, isBlind: false },
  { name: 'VIX, 1 June 2016, codes hidden', ...VIX, isBlind: true },
  {
    name: 'SPX, 7 October 2024, 2.5 minutes, no codes',
    file: 'tape/spx_otm_trades_2024-10-07_135411-135642.csv',
    date: '2024-10-07',
    symbol: 'SPX',
    format: 'excerpt',
    isBlind: true,
  },
]

/** The files of the real tapes, below the folder that holds them. */
export const REAL_FILES: readonly string[] = [...new Set(REAL_TAPES.map(({ file }) => file))]

/** One real tape; all figures null where its file is absent. */
export type RealAccuracy = {
  readonly tape: string
  /** Below the folder of real tapes. */
  readonly file: string
  readonly is_present: boolean
  readonly print_count: number | null
  /** Prints that the exchange marked as legs of packages. */
  readonly marked_count: number | null
  readonly package_count: number | null
  /** Share of the prints in packages that is marked; null where nothing is. */
  readonly precision: number | null
  /** Share of the marked prints that is in packages. */
  readonly recall: number | null
  /** Measures that need no truth: packages off their price step, legs without a package. */
  readonly off_step_share: number | null
  readonly orphan_share: number | null
}

const ABSENT = {
  print_count: null,
  marked_count: null,
  package_count: null,
  precision: null,
  recall: null,
  off_step_share: null,
  orphan_share: null,
} as const

/** Folds the real tapes that are in a folder; those that are not are named with nulls. */
export async function measureReal(folder: string | null): Promise<RealAccuracy[]> {
  const measured: RealAccuracy[] = []
  for (const real of REAL_TAPES) {
    const isPresent = folder !== null && existsSync(join(folder, real.file))
    const figures = isPresent ? await measureFile(real, join(folder, real.file)) : ABSENT
    measured.push({ tape: real.name, file: real.file, is_present: isPresent, ...figures })
  }
  return measured
}

async function measureFile(real: RealTape, file: string) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-real-'))
  const db = await openDatabase({ threads: 2 })
  try {
    const excerpt = join(dataFolder, 'excerpt.parquet')
    const isExcerpt = real.format === 'excerpt'
    if (isExcerpt) {
      await copyToParquet(db, {
        path: 'measure/excerpt_prints',
        file: excerpt,
        params: { source: filePath(file) },
      })
    }
    const format = isExcerpt ? 'prints' : real.format
    const roots = real.symbol === 'SPX' ? {} : { roots: [real.symbol] }
    await runImport({ dataFolder, format, files: [isExcerpt ? excerpt : file], ...roots })
    await db.run('create schema measure')
    const columns = tapeColumns('prints')
    const files = tapeFiles(dataFolder, 'prints', real.date)
    for (const table of ['tape.prints', 'measure.coded_prints']) {
      await loadFiles(db, table, columns, files, { orderBy: 'printed_at, sequence' })
    }
    if (real.isBlind) await db.build('measure/uncoded_prints', {}, 'tape.prints')
    await loadPastSession(db, real.date, real.symbol)
    await buildFold(db)
    const [legs] = await db.query('measure/found_legs')
    const [quality] = await db.query('views/fold_quality')
    return { ...legs, ...quality } as Omit<RealAccuracy, 'tape' | 'file' | 'is_present'>
  } finally {
    db.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}
