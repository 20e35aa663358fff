/** The first stage of a backfill: a session's changes of positions, which need no other session. */

import { checkSession } from '../../src/core/days.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { runOnOneThreadEach } from '../../src/core/engine/concurrent.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { filePaths } from '../../src/core/engine/paths.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import { buildInputs } from '../../src/data/published/carried.ts'
import { tapeFiles } from '../../src/data/tape/manifest.ts'
import type { SeenExpiry } from '../../src/data/tape/session.ts'
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
  /** Data folder whose stages it writes; left out, that of the tape. */
  readonly stagesIn?: string
}

/**
 * Folds the prints of a session, and stores what they change of the dealers' positions, with the
 * index at its close. Fails with a Refusal where the session has no prints or they are damaged.
 */
export async function foldSession(options: FoldStageOptions): Promise<Folded> {
  const { dataFolder, date, threads = 2, stagesIn = dataFolder } = options
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
      const expiries = await listExpiries(db, dataFolder, date)
      const after = droppingUnread({
        models: [...FOLD_MODELS, ...EDITION_MODELS, ...SPOT_MODELS, ...CHANGE_MODELS],
        outputs: [],
      })
      await runOnOneThreadEach(db, threads, [
        connection => foldDay(connection, after),
        connection => buildSpots(connection),
      ])
      for (const model of CHANGE_MODELS) await buildModel(db, model)
      const files = await writeStageFiles(db, stagesIn, date, STAGE_DATASETS)
      const folded: Folded = {
        session_date: date,
        symbol,
        code_version: codeVersion(),
        inputs,
        position_changes: files.position_changes!,
        closing_index: files.closing_index!,
        expiries: [...expiries],
      }
      writeFolded(stagesIn, folded)
      return folded
    } finally {
      db.close()
    }
  })
}

/** Lists the expiries of a session's contracts, of the files of its prints and quotes. */
export async function listExpiries(
  db: Database,
  dataFolder: string,
  date: SessionDate,
): Promise<readonly SeenExpiry[]> {
  const files = ['prints', 'quotes'].flatMap(name => tapeFiles(dataFolder, name, date))
  const listed = await db.query('tape/listed_expiries', { files: filePaths(files) })
  const name = ({ root, expiry }: SeenExpiry) => `${root} ${expiry}`
  return (listed as SeenExpiry[]).sort((a, b) => (name(a) < name(b) ? -1 : 1))
}
