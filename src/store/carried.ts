import { join } from 'node:path'
import { neighbourSession } from '../market/calendar.ts'
import type { Database } from './duck.ts'
import { damagedFiles } from './files.ts'
import { publishedFolder, readManifest } from './manifest.ts'
import { Refusal } from './refusal.ts'
import { type TapeInput, tapeInputs } from './tape.ts'

/** The file a session's book carries over from, or null when the session before is not built. */
function carriedInput(dataFolder: string, date: string) {
  const previous = neighbourSession(date, -1).date
  const entry = readManifest(dataFolder, previous)?.datasets.closing_positions
  return entry ? { dataset: 'closing_positions', ...entry } : null
}

/** Everything a build of the session reads, for its manifest: equal lists, equal inputs. */
export function buildInputs(dataFolder: string, date: string): TapeInput[] {
  const carried = carriedInput(dataFolder, date)
  return [...tapeInputs(dataFolder, date), ...(carried ? [carried] : [])].map(
    ({ dataset, file, rows, sha256 }) => ({ dataset, file, rows, sha256 }),
  )
}

/** Makes `tape.carried_positions`: dealers' closing positions of the session before. */
export async function loadCarriedPositions(
  db: Database,
  dataFolder: string,
  date: string,
): Promise<void> {
  await db.run(
    `create or replace table tape.carried_positions
     (root varchar, expiry date, strike double, option_type varchar, quantity bigint)`,
  )
  const input = carriedInput(dataFolder, date)
  if (!input) return
  const [damaged] = await damagedFiles(publishedFolder(dataFolder), [input])
  if (damaged !== undefined) {
    throw new Refusal(`published/${damaged}; repair ${neighbourSession(date, -1).date} first.`)
  }
  await db.run(
    `insert into tape.carried_positions
     select root, expiry, strike, option_type, quantity from read_parquet($file)`,
    { file: join(publishedFolder(dataFolder), input.file) },
  )
}
