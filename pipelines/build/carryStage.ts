/** The second stage of a backfill: positions at each open, of the changes of all sessions before. */

import { join } from 'node:path'
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
import { checkSession } from '../command/days.ts'
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
}

/**
 * Carries positions through sessions in a row: each takes from the one before, whose changes are
 * added to its positions at the open. The first takes what the published session before it has.
 * `isCurrent` is true for a published session whose own tape and code are those of now: its published
 * changes count; of any other those of the first stage. Where there are neither, the next session
 * takes what is published, as if it were built alone.
 */
export async function carrySessions(
  dataFolder: string,
  dates: readonly SessionDate[],
  isCurrent: (date: SessionDate) => boolean,
): Promise<void> {
  const [first] = dates
  if (first === undefined) return
  await withWorkFolder(dataFolder, `carry-${first}`, async temporaryFolder => {
    const db = await openDatabase({ threads: 2, memoryLimit: '2GB', temporaryFolder })
    try {
      writeStageCarried(dataFolder, first, undefined)
      let carried = readCarried(dataFolder, first)
      for (const date of dates.slice(0, -1)) {
        const next = neighbourSession(date, 1).date
        const changes = findChanges(dataFolder, date, isCurrent(date))
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

function findChanges(dataFolder: string, date: SessionDate, isCurrent: boolean): Changes | null {
  const manifest = isCurrent ? readManifest(dataFolder, date) : null
  const { position_changes: changes, closing_index: index } = manifest?.datasets ?? {}
  if (manifest && changes && index) {
    return { symbol: manifest.symbol, folder: publishedFolder(dataFolder), changes, index }
  }
  const folded = readFolded(dataFolder, date)
  if (!folded) return null
  return {
    symbol: folded.symbol,
    folder: stagesFolder(dataFolder),
    changes: folded.position_changes,
    index: folded.closing_index,
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
  await loadPositions(db, dataFolder, date, symbol)
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
  symbol: string,
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
  const files = ['prints', 'quotes'].flatMap(name => tapeFiles(dataFolder, name, date))
  const listed = await db.query('tape/listed_expiries', { files: filePaths(files) })
  await makeExpiries(db, listed as SeenExpiry[])
}
