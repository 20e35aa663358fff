import { openDatabase } from '../../core/engine/database.ts'
import {
  findTradingSession,
  neighbourSession,
  type SessionDate,
} from '../../core/market/calendar.ts'
import type { PublishedManifest } from '../../data/published/manifest.ts'
import { blocksInMemory } from '../market/blocks.ts'
import { buildSession } from '../market/buildSession.ts'
import { readMarket } from '../market/readMarket.ts'
import type { LabMarket } from '../market/session.ts'
import { storedSession } from '../market/storedSession.ts'

/**
 * Reads the market of a session that may still be running, with the earlier sessions in which its
 * contracts traded: same kind only, consecutive trading days. Null when the session has no minutes.
 */
export async function readRunningMarket(
  dataFolder: string,
  manifest: PublishedManifest,
  dteMax: number,
): Promise<LabMarket | null> {
  const session = findTradingSession(manifest.session_date)
  if (!session) return null
  const kind = manifest.simulated ? 'simulated' : 'real'
  const through = neighbourSession(session.date, -1).date
  const from = sessionsBefore(session.date, dteMax)
  const before = dteMax > 0 ? await readMarket(dataFolder, { dteMax, from, through }) : null
  const db = await openDatabase({ threads: 1, memoryLimit: '1GB' })
  try {
    const dtes = Array.from({ length: dteMax + 1 }, (_, dte) => dte)
    const drafts = await buildSession({ db, dataFolder, manifest, session }, dtes)
    const files = drafts.map(({ about, blocks }) => blocksInMemory(about, blocks))
    const own = storedSession(session, files)
    const earlier = before?.kind === kind ? before.sessions.slice(-dteMax) : []
    return { kind, sessions: [...earlier, own], leftOut: [], hash: manifest.revision }
  } finally {
    db.close()
  }
}

function sessionsBefore(date: SessionDate, count: number): SessionDate {
  let day = date
  for (let step = 0; step < count; step++) day = neighbourSession(day, -1).date
  return day
}
