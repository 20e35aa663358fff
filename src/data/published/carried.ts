import { basename, join } from 'node:path'
import { damagedFiles } from '../../core/disk/files.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import type { Database } from '../../core/engine/database.ts'
import { filePath } from '../../core/engine/paths.ts'
import { neighbourSession, type SessionDate } from '../../core/market/calendar.ts'
import { type TapeInput, tapeInputs } from '../tape/manifest.ts'
import { publishedFolder, readManifest } from './manifest.ts'

/** Files that a session takes from the one before; they are named once and never written again. */
export type Carried = {
  /** Product of the session before, such as 'SPX'. */
  readonly symbol: string
  /** Folder in which the files lie. */
  readonly folder: string
  /** Dealers' positions at its close, and the index there; null where it has none. */
  readonly positions: TapeInput | null
  readonly index: TapeInput | null
}

/** Returns what a session takes from the published one before it; null where there is none. */
export function readCarried(dataFolder: string, date: SessionDate): Carried | null {
  const manifest = readManifest(dataFolder, neighbourSession(date, -1).date)
  if (!manifest) return null
  const input = (dataset: string) => {
    const entry = manifest.datasets[dataset]
    return entry ? toInput(dataset, entry) : null
  }
  return {
    symbol: manifest.symbol,
    folder: publishedFolder(dataFolder),
    positions: input('closing_positions'),
    // versions before had the index at the close in this one alone
    index: input('closing_index') ?? input('market_minutes'),
  }
}

/** Returns the entry of a file among the inputs of a build. */
const toInput = (dataset: string, { file, rows, sha256 }: Omit<TapeInput, 'dataset'>) => ({
  dataset,
  file,
  rows,
  sha256,
})

const carriedInputs = (carried: Carried | null): TapeInput[] =>
  [carried?.positions, carried?.index].filter(input => input != null)

/** Inputs of a build of the session, for its manifest: equal lists, equal inputs. */
export const buildInputs = (
  dataFolder: string,
  date: SessionDate,
  carried: Carried | null = readCarried(dataFolder, date),
): TapeInput[] => [
  ...tapeInputs(dataFolder, date).map(input => toInput(input.dataset, input)),
  ...carriedInputs(carried),
]

/**
 * Fails where a file that the session takes from the one before is damaged, which would silently
 * change prices.
 */
export async function refuseDamagedCarried(
  carried: Carried | null,
  date: SessionDate,
): Promise<void> {
  if (!carried) return
  const [damaged] = await damagedFiles(carried.folder, carriedInputs(carried))
  if (damaged === undefined) return
  const folder = basename(carried.folder)
  throw new Refusal(`${folder}/${damaged}; repair ${neighbourSession(date, -1).date} first.`)
}

/** Makes an empty `tape.carried_positions`: of a session without one before it. */
export const createCarriedPositions = (db: Database): Promise<void> =>
  db.build('tape/no_carried_positions', {}, 'tape.carried_positions')

/**
 * Makes `tape.carried_positions`, dealers' positions in a symbol at the close of the session
 * before, and `tape.previous_close`, the last index before that close or the reason why there is
 * none. The session before may be of another symbol.
 */
export async function loadCarried(
  db: Database,
  carried: Carried | null,
  symbol: string,
): Promise<void> {
  await loadCarriedPositions(db, carried, symbol)
  const index = carried?.symbol === symbol ? carried.index : null
  if (!carried || !index) return db.build('tape/no_previous_close', {}, 'tape.previous_close')
  await db.build('tape/previous_close', { file: filePath(join(carried.folder, index.file)) })
}

/** Makes `tape.carried_positions` alone. */
export async function loadCarriedPositions(
  db: Database,
  carried: Carried | null,
  symbol: string,
): Promise<void> {
  if (!carried?.positions) return createCarriedPositions(db)
  const file = filePath(join(carried.folder, carried.positions.file))
  await db.build('tape/carried_positions', { file, symbol })
}
