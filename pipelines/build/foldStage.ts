/** The first stage of a backfill: a session's changes of positions, which need no other session. */

import { withWorkFolder } from '../../src/core/disk/work.ts'
import { runConcurrently } from '../../src/core/engine/concurrent.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import { buildInputs } from '../../src/data/published/carried.ts'
import { checkSession } from '../command/days.ts'
import { EDITION_MODELS, FOLD_MODELS, SPOT_MODELS } from './dag.ts'
import { foldDay } from './day.ts'
import { droppingUnread } from './drops.ts'
import { loadDay } from './loadDay.ts'
import { type Folded, writeFolded, writeStageFiles } from './stageFiles.ts'
import { buildModel } from './steps.ts'
import { buildSpots } from './surface.ts'

/** Models from the orders to the changes of positions. */
const CHANGE_MODELS = [
  'book/leg_sides',
  'book/flows',
  'ledger/outside_flows',
  'ledger/position_changes',
  'ledger/closing_index',
] as const

const STAGE_DATASETS = ['position_changes', 'closing_index'] as const

export type FoldStageOptions = {
  readonly dataFolder: string
  readonly date: SessionDate
  readonly threads?: number
}

/**
 * Folds the prints of a session, and stores what they change of the dealers' positions, with the
 * index at its close. Fails with a Refusal where the session has no prints or they are damaged.
 */
export async function foldSession(options: FoldStageOptions): Promise<Folded> {
  const { dataFolder, date, threads = 2 } = options
  const session = checkSession(date)
  return withWorkFolder(dataFolder, `fold-${date}`, async temporaryFolder => {
    const db = await openDatabase({
      threads,
      memoryLimit: '2GB',
      temporaryFolder,
      hasRegion: true,
    })
    try {
      const inputs = buildInputs(dataFolder, date, null)
      const { symbol } = await loadDay(db, session, { dataFolder, carried: null })
      const after = droppingUnread({
        models: [...FOLD_MODELS, ...EDITION_MODELS, ...SPOT_MODELS, ...CHANGE_MODELS],
        outputs: [],
      })
      await runConcurrently(db, [
        connection => foldDay(connection, after),
        connection => buildSpots(connection),
      ])
      for (const model of CHANGE_MODELS) await buildModel(db, model)
      const files = await writeStageFiles(db, dataFolder, date, STAGE_DATASETS)
      const folded: Folded = {
        session_date: date,
        symbol,
        code_version: codeVersion(),
        inputs,
        position_changes: files.position_changes!,
        closing_index: files.closing_index!,
      }
      writeFolded(dataFolder, folded)
      return folded
    } finally {
      db.close()
    }
  })
}
