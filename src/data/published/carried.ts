import { join } from 'node:path'
import { damagedFiles } from '../../core/disk/files.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import type { Database } from '../../core/engine/database.ts'
import { filePath } from '../../core/engine/paths.ts'
import { neighbourSession } from '../../core/market/calendar.ts'
import { type TapeInput, tapeInputs } from '../tape/manifest.ts'
import { publishedFolder, readManifest } from './manifest.ts'

/** A file that a session takes from the session before, or null when that one has none. */
function carriedInput(dataFolder: string, date: string, dataset: string) {
  const previous = neighbourSession(date, -1).date
  const entry = readManifest(dataFolder, previous)?.datasets[dataset]
  return entry ? { dataset, ...entry } : null
}

/** Datasets a session takes from the one before: dealers' positions, and the index at its close. */
const CARRIED = ['closing_positions', 'market_minutes'] as const

/** Inputs of a build of the session, for its manifest: equal lists, equal inputs. */
export function buildInputs(dataFolder: string, date: string): TapeInput[] {
  const carried = CARRIED.map(dataset => carriedInput(dataFolder, date, dataset))
  return [...tapeInputs(dataFolder, date), ...carried.filter(input => input !== null)].map(
    ({ dataset, file, rows, sha256 }) => ({ dataset, file, rows, sha256 }),
  )
}

/** Fails where a file that the session takes from the one before is damaged. */
export async function refuseDamagedCarried(dataFolder: string, date: string): Promise<void> {
  for (const dataset of CARRIED) await carriedFile(dataFolder, date, dataset)
}

/** Makes an empty `tape.carried_positions`: of a session without one before it. */
export const createCarriedPositions = (db: Database): Promise<void> =>
  db.build('tape/no_carried_positions', {}, 'tape.carried_positions')

/**
 * Makes `tape.carried_positions`: dealers' positions in a symbol at the close of the session
 * before.
 */
export async function loadCarriedPositions(
  db: Database,
  dataFolder: string,
  date: string,
  symbol: string,
): Promise<void> {
  const file = await carriedFile(dataFolder, date, 'closing_positions')
  if (file === null) return createCarriedPositions(db)
  await db.build('tape/carried_positions', { file: filePath(file), symbol })
}

/**
 * Makes `tape.previous_close`: the last index before the close of the session before, or the reason
 * why there is none. The session before may be of another symbol.
 */
export async function loadPreviousClose(
  db: Database,
  dataFolder: string,
  date: string,
  symbol: string,
): Promise<void> {
  const previous = readManifest(dataFolder, neighbourSession(date, -1).date)
  const isOwn = previous?.symbol === symbol
  const file = isOwn ? await carriedFile(dataFolder, date, 'market_minutes') : null
  if (file === null) return db.build('tape/no_previous_close', {}, 'tape.previous_close')
  await db.build('tape/previous_close', { file: filePath(file) })
}

/** Path of a carried file, or null; refuses a damaged one, which would silently change prices. */
async function carriedFile(
  dataFolder: string,
  date: string,
  dataset: (typeof CARRIED)[number],
): Promise<string | null> {
  const input = carriedInput(dataFolder, date, dataset)
  if (!input) return null
  const [damaged] = await damagedFiles(publishedFolder(dataFolder), [input])
  if (damaged !== undefined) {
    throw new Refusal(`published/${damaged}; repair ${neighbourSession(date, -1).date} first.`)
  }
  return join(publishedFolder(dataFolder), input.file)
}
