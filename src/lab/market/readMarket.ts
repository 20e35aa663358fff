import { sha256 } from '../../core/disk/files.ts'
import {
  findTradingSession,
  neighbourSession,
  type SessionDate,
} from '../../core/market/calendar.ts'
import { DamagedFile } from '../../data/published/damagedFile.ts'
import { labRevision } from '../../data/published/labFiles.ts'
import {
  DamagedManifest,
  type PublishedManifest,
  publishedSessions,
  readManifest,
} from '../../data/published/manifest.ts'
import type { AboutFile } from './buildSession.ts'
import { type LabColumns, openColumns } from './columns.ts'
import {
  DTE_MAX,
  type LabMarket,
  type LabSession,
  type LeftOutReason,
  PASSED_OVER_REASONS,
  type PassedOver,
} from './session.ts'
import { storedSession } from './storedSession.ts'

export type MarketOptions = {
  /** Latest expiry that a rule needs, in sessions; every dte up to it is read. */
  readonly dteMax?: number
  /** Last session to read. */
  readonly through?: SessionDate
  /** First session to read. */
  readonly from?: SessionDate
  /** Newest first: two processes building missing columns, one of them backwards, meet half-way. */
  readonly isBackwards?: boolean
  /** Called with the number of sessions read and the total. */
  readonly onProgress?: (done: number, total: number) => void
}

/** The symbol that rules trade: sessions of other symbols have different strikes and prices. */
const SYMBOL = 'SPX'

type Kind = LabMarket['kind']
type Day = {
  readonly date: SessionDate
  /** Null when the manifest cannot be read: it may be of either kind. */
  readonly kind: Kind | null
  readonly manifest: PublishedManifest | null
  readonly reason: LeftOutReason | null
}
type ReadDays = Pick<LabMarket, 'kind' | 'sessions' | 'leftOut' | 'hash'>

/**
 * Returns the market of all published sessions of one kind: real ones, or simulated ones when no
 * real one is usable. Columns of a session are computed once from its published files and stored
 * under `lab` of the data folder; a file that is damaged, or from other code or another
 * publication, is rebuilt.
 */
export async function readMarket(
  dataFolder: string,
  options: MarketOptions = {},
): Promise<LabMarket> {
  const published = publishedSessions(dataFolder)
    .filter(date => date >= (options.from ?? '') && date <= (options.through ?? date))
    .map(date => readDay(dataFolder, date))
  const days = published.filter(day => day !== 'other_symbol')
  const otherCount = published.length - days.length
  const hasKind = (kind: Kind) => days.some(day => day.kind === kind)
  const columns = openColumns(dataFolder)
  try {
    const real = hasKind('real') ? await readDays('real', days, { columns, options }) : null
    if (real && (real.sessions.length > 0 || !hasKind('simulated'))) {
      const simulated = days.filter(({ kind }) => kind === 'simulated').length
      return extra(real, { simulated, other_symbol: otherCount })
    }
    const simulated = await readDays('simulated', days, { columns, options })
    const counts = { ...(real ? unusable(real, days) : {}), other_symbol: otherCount }
    return extra(simulated, counts)
  } finally {
    columns.close()
  }
}

/** Reads the sessions of one kind. */
async function readDays(
  kind: Kind,
  days: readonly Day[],
  { columns, options }: { columns: LabColumns; options: MarketOptions },
): Promise<ReadDays> {
  const ofKind = days.filter(day => day.kind === kind || day.kind === null)
  const reasons = new Map(ofKind.map(({ date, reason }) => [date, reason]))
  const sessions: LabSession[] = []
  const revisions: string[] = []
  const ordered = options.isBackwards ? ofKind.toReversed() : ofKind
  for (const [done, { date, manifest, reason }] of ordered.entries()) {
    options.onProgress?.(done, ofKind.length)
    if (reason !== null) continue
    const read = await readSession(columns, manifest!, options.dteMax ?? DTE_MAX)
    if (typeof read === 'string') reasons.set(date, read)
    else {
      sessions.push(read)
      revisions.push(`${date} ${labRevision(manifest!)}`)
    }
  }
  options.onProgress?.(ofKind.length, ofKind.length)
  if (options.isBackwards) for (const list of [sessions, revisions]) list.reverse()
  const hash = sha256([kind, ...revisions].join('\n'))
  return { kind, sessions, leftOut: listLeftOut(reasons), hash }
}

/** Counts unusable real days by reason. */
function unusable({ leftOut }: ReadDays, days: readonly Day[]) {
  const isReal = new Set(days.filter(({ kind }) => kind === 'real').map(({ date }) => date))
  const count = (wanted: LeftOutReason) =>
    leftOut.filter(({ day, reason }) => reason === wanted && isReal.has(day)).length
  return {
    real_bad_tape: count('bad_tape'),
    real_no_minutes: count('no_minutes'),
    real_damaged: count('damaged'),
  }
}

function extra(read: ReadDays, counts: Partial<Record<PassedOver['reason'], number>>): LabMarket {
  const passedOver = PASSED_OVER_REASONS.flatMap(reason => {
    const sessions = counts[reason] ?? 0
    return sessions > 0 ? [{ reason, sessions }] : []
  })
  return passedOver.length > 0 ? { ...read, passedOver } : read
}

/** Reads a published day and why it is unusable, as far as its manifest shows. */
function readDay(dataFolder: string, date: SessionDate): Day | 'other_symbol' {
  try {
    const manifest = readManifest(dataFolder, date)
    const reason = whyUnused(manifest)
    if (reason === 'other_symbol') return reason
    const kind = manifest && (manifest.simulated ? 'simulated' : 'real')
    return { date, kind, manifest, reason }
  } catch (error) {
    if (!(error instanceof DamagedManifest)) throw error
    return { date, kind: null, manifest: null, reason: 'damaged' }
  }
}

/** Reason why LAB does not use a session, as far as its manifest shows; null: it does. */
export function whyUnused(
  manifest: PublishedManifest | null,
): LeftOutReason | 'other_symbol' | null {
  if (!manifest) return 'not_published'
  if (manifest.symbol !== SYMBOL) return 'other_symbol'
  if (manifest.tape_grade?.grade === 'bad') return 'bad_tape'
  return labRevision(manifest) === null ? 'no_minutes' : null
}

/**
 * Lists every trading day between the first and the last published one without a usable session,
 * with the reason.
 */
function listLeftOut(
  reasons: ReadonlyMap<SessionDate, LeftOutReason | null>,
): LabMarket['leftOut'] {
  const dates = [...reasons.keys()]
  const last = dates.at(-1)
  const leftOut: { day: string; reason: LeftOutReason }[] = []
  if (last === undefined) return leftOut
  for (let day = dates[0]!; day <= last; day = neighbourSession(day, 1).date) {
    const reason = reasons.has(day) ? reasons.get(day)! : 'not_published'
    if (reason !== null) leftOut.push({ day, reason })
  }
  return leftOut
}

async function readSession(
  columns: LabColumns,
  manifest: PublishedManifest,
  dteMax: number,
): Promise<LabSession | LeftOutReason> {
  const session = findTradingSession(manifest.session_date)
  if (!session) return 'no_minutes'
  try {
    const files = await columns.openFiles(manifest, dteMax)
    const { hasSpot } = (files[0]!.about as AboutFile).session!
    return hasSpot ? storedSession(session, files) : 'no_minutes'
  } catch (error) {
    if (error instanceof DamagedFile) return 'damaged'
    throw error
  }
}
