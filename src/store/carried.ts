import { join } from 'node:path'
import { neighbourSession } from '../market/calendar.ts'
import type { Database } from './duck.ts'
import { publishedFolder, readManifest } from './manifest.ts'

/** The file a session's book carries over from, or null when the session before is not built. */
export function carriedInput(dataFolder: string, date: string) {
  const previous = neighbourSession(date, -1).date
  const entry = readManifest(dataFolder, previous)?.datasets.closing_positions
  return entry ? { dataset: 'closing_positions', ...entry } : null
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
  await db.run(
    `insert into tape.carried_positions
     select root, expiry, strike, option_type, quantity from read_parquet($file)`,
    { file: join(publishedFolder(dataFolder), input.file) },
  )
}
