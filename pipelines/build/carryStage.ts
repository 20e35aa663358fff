/** The second stage of a backfill: positions at each open, of the changes of all sessions before. */

import { join } from 'node:path'
import { checkSession } from '../../src/core/days.ts'
import { damagedFiles } from '../../src/core/disk/files.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { filePaths } from '../../src/core/engine/paths.ts'
import { readSql } from '../../src/core/engine/sql.ts'
import {
  addDays,
  midnightMs,
  neighbourSession,
  type SessionDate,
} from '../../src/core/market/calendar.ts'
import { MIN_PREMIUM_USD } from '../../src/core/market/minPremium.ts'
import {
  type Carried,
  loadCarriedPositions,
  readCarried,
} from '../../src/data/published/carried.ts'
import { publishedFolder, readManifest } from '../../src/data/published/manifest.ts'
import { tapeDataset, tapeFiles } from '../../src/data/tape/manifest.ts'
import { loadSession, makeExpiries, type SeenExpiry } from '../../src/data/tape/session.ts'
import { loadDataset } from '../../src/data/tape/tables.ts'
import { listExpiries } from './foldStage.ts'
import {
  readFolded,
  type StageFile,
  stageInput,
  stagesFolder,
  writeStageCarried,
  writeStageFiles,
} from './stageFiles.ts'

/** Models from the known positions and the changes of a session to its closing positions. */
const CLOSING_MODELS = [
  'book/known_positions',
  'book/inventory',
  'book/late_inventory',
  'ledger/closing_positions',
] as const

/** Changes of positions by a session's prints, and the files that hold them. */
type Changes = {
  readonly symbol: string
  readonly folder: string
  readonly changes: StageFile
  readonly index: StageFile
  /** Expiries of its contracts; null where the tape has to be read for them. */
  readonly expiries: readonly SeenExpiry[] | null
}

export type CarryOptions = {
  readonly dataFolder: string
  /** Sessions in a row, oldest first. */
  readonly dates: readonly SessionDate[]
  /** True for a published session whose own tape and code are those of now. */
  readonly isCurrent: (date: SessionDate) => boolean
  /** True where the first stage has folded the tape of now by this code. */
  readonly isFolded: (date: SessionDate) => boolean
  /** Called before a session's files are read; the data folder has them afterwards. */
  readonly prepare?: (date: SessionDate) => Promise<void>
}

/**
 * Carries positions through sessions in a row: each takes from the one before, whose changes are
 * added to its positions at the open. The first takes what the published session before it has. Of
 * a current session its published changes count, of any other those of the first stage. Where there
 * are neither, the next session takes what is published, as if it were built alone.
 */
export async function carrySessions(options: CarryOptions): Promise<void> {
  const { dataFolder, dates, prepare } = options
  const [first] = dates
  if (first === undefined) return
  await withWorkFolder(dataFolder, `carry-${first}`, async temporaryFolder => {
    const db = await openDatabase({ threads: 2, memoryLimit: '2GB', temporaryFolder })
    try {
      writeStageCarried(dataFolder, first, undefined)
      let carried = readCarried(dataFolder, first)
      for (const date of dates.slice(0, -1)) {
        const next = neighbourSession(date, 1).date
        await prepare?.(date)
        const changes = findChanges(options, date)
        if (changes) {
          carried = await closeSession(db, { dataFolder, date, carried, changes })
          const { folder: _, ...named } = carried
          writeStageCarried(dataFolder, next, named)
        } else {
          writeStageCarried(dataFolder, next, undefined)
          carried = readCarried(dataFolder, next)
        }
      }
    } finally {
      db.close()
    }
  })
}

function findChanges(
  { dataFolder, isCurrent, isFolded }: CarryOptions,
  date: SessionDate,
): Changes | null {
  const manifest = isCurrent(date) ? readManifest(dataFolder, date) : null
  const folded = readFolded(dataFolder, date)
  const expiries = folded && isFolded(date) ? folded.expiries : null
  const { position_changes: changes, closing_index: index } = manifest?.datasets ?? {}
  if (manifest && changes && index) {
    const { symbol } = manifest
    return { symbol, folder: publishedFolder(dataFolder), changes, index, expiries }
  }
  if (!folded) return null
  return {
    symbol: folded.symbol,
    folder: stagesFolder(dataFolder),
    changes: folded.position_changes,
    index: folded.closing_index,
    expiries,
  }
}

type Closing = {
  readonly dataFolder: string
  readonly date: SessionDate
  readonly carried: Carried | null
  readonly changes: Changes
}

/** Adds a session's changes to its positions at the open; returns what the next one takes. */
async function closeSession(db: Database, closing: Closing): Promise<Carried> {
  const { dataFolder, date, carried, changes } = closing
  const { symbol, folder } = changes
  const [damaged] = await damagedFiles(folder, [changes.changes, changes.index])
  if (damaged !== undefined) throw new Refusal(`${damaged}; repair or build ${date} first.`)
  await loadPositions(db, dataFolder, date, changes)
  await loadCarriedPositions(db, carried, symbol)
  for (const [table, { file }] of [
    ['ledger.position_changes', changes.changes],
    ['ledger.closing_index', changes.index],
  ] as const) {
    const files = filePaths([join(folder, file)])
    await db.refill(table, readSql('views/published_rows'), { files })
  }
  for (const model of CLOSING_MODELS) await db.build(model)
  const names = ['closing_positions', 'closing_index']
  const written = await writeStageFiles(db, dataFolder, date, names)
  return {
    symbol,
    folder: stagesFolder(dataFolder),
    positions: stageInput('closing_positions', written.closing_positions!),
    index: stageInput('closing_index', written.closing_index!),
  }
}

/** Makes the tables of a session's tape that its closing positions depend on. */
async function loadPositions(
  db: Database,
  dataFolder: string,
  date: SessionDate,
  { symbol, expiries }: Changes,
): Promise<void> {
  await loadSession(db, {
    session: checkSession(date),
    symbol,
    knownUntilMs: midnightMs(addDays(date, 1)),
    minPremiumUsd: MIN_PREMIUM_USD,
  })
  for (const name of ['open_interest', 'dealer_positions']) {
    const files = tapeFiles(dataFolder, name, date)
    await loadDataset(db, tapeDataset(name), files, { sessionDate: date, symbol })
  }
  await makeExpiries(db, expiries ?? (await listExpiries(db, dataFolder, date)))
}
