import { join } from 'node:path'
import { sha256, writeAtomically } from '../../disk/files.ts'
import { type Database, openDatabase } from '../../engine/database.ts'
import { neighbourSession, type SessionDate, sessionOf } from '../../market/calendar.ts'
import { DamagedFile } from '../../published/damagedFile.ts'
import { labFile, labRevision } from '../../published/labFiles.ts'
import {
  DamagedManifest,
  type PublishedManifest,
  publishedSessions,
  readManifest,
} from '../../published/manifest.ts'
import { type BlockFile, encodeBlocks, openBlocks } from './blocks.ts'
import { type AboutFile, buildSession } from './buildSession.ts'
import {
  DTE_MAX,
  type LabMarket,
  type LabSession,
  type LeftOutReason,
  PASSED_OVER_REASONS,
  type PassedOver,
} from './session.ts'
import { FIRST_BLOCKS, storedSession } from './storedSession.ts'

export type MarketOptions = {
  /** The latest contracts that a rule asks for, in sessions; those of all dte up to it are read. */
  readonly dteMax?: number
  /** Sessions after it are not looked at. */
  readonly through?: SessionDate
  /** Nor those before it. */
  readonly from?: SessionDate
  /** Is told how many sessions of how many are there. */
  readonly onProgress?: (done: number, total: number) => void
}

/** What rules trade: sessions of other symbols have strikes and prices of something else. */
const SYMBOL = 'SPX'

type Kind = LabMarket['kind']
type Day = {
  readonly date: SessionDate
  /** Null where the manifest cannot be read: it may be of either kind. */
  readonly kind: Kind | null
  readonly manifest: PublishedManifest | null
  readonly reason: LeftOutReason | null
}
type ReadDays = Pick<LabMarket, 'kind' | 'sessions' | 'leftOut' | 'hash'>

/**
 * The market of all published sessions of one kind, real before simulated: simulated ones where
 * there is no real one that can be used. Columns of a session are worked out of its published files
 * once, and kept under `lab` of the data folder; a file that is damaged, of other code or of
 * another publishing is made anew.
 */
export async function readMarket(
  dataFolder: string,
  options: MarketOptions = {},
): Promise<LabMarket> {
  const published = publishedSessions(dataFolder)
    .filter(date => date >= (options.from ?? '') && date <= (options.through ?? date))
    .map(date => dayOf(dataFolder, date))
  const days = published.filter(day => day !== 'other_symbol')
  const otherCount = published.length - days.length
  const isOf = (kind: Kind) => days.some(day => day.kind === kind)
  const reader = openReader(dataFolder, options.dteMax ?? DTE_MAX)
  try {
    const real = isOf('real') ? await readDays('real', days, { reader, options }) : null
    if (real && (real.sessions.length > 0 || !isOf('simulated'))) {
      const simulated = days.filter(({ kind }) => kind === 'simulated').length
      return besides(real, { simulated, other_symbol: otherCount })
    }
    const simulated = await readDays('simulated', days, { reader, options })
    const counts = { ...(real ? unusable(real, days) : {}), other_symbol: otherCount }
    return besides(simulated, counts)
  } finally {
    reader.close()
  }
}

/** Reads the sessions of one kind. */
async function readDays(
  kind: Kind,
  days: readonly Day[],
  { reader, options }: { reader: ReturnType<typeof openReader>; options: MarketOptions },
): Promise<ReadDays> {
  const ofKind = days.filter(day => day.kind === kind || day.kind === null)
  const reasons = new Map(ofKind.map(({ date, reason }) => [date, reason]))
  const sessions: LabSession[] = []
  const revisions: string[] = []
  for (const [done, { date, manifest, reason }] of ofKind.entries()) {
    options.onProgress?.(done, ofKind.length)
    if (reason !== null) continue
    const read = await reader.read(manifest!)
    if (typeof read === 'string') reasons.set(date, read)
    else {
      sessions.push(read)
      revisions.push(`${date} ${labRevision(manifest!)}`)
    }
  }
  options.onProgress?.(ofKind.length, ofKind.length)
  const hash = sha256([kind, ...revisions].join('\n'))
  return { kind, sessions, leftOut: leftOutOf(reasons), hash }
}

/** How many real days cannot be used, by why. */
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

function besides(read: ReadDays, counts: Partial<Record<PassedOver['reason'], number>>): LabMarket {
  const passedOver = PASSED_OVER_REASONS.flatMap(reason => {
    const sessions = counts[reason] ?? 0
    return sessions > 0 ? [{ reason, sessions }] : []
  })
  return passedOver.length > 0 ? { ...read, passedOver } : read
}

/** A published day and why it cannot be used, as far as its manifest tells. */
function dayOf(dataFolder: string, date: SessionDate): Day | 'other_symbol' {
  try {
    const manifest = readManifest(dataFolder, date)
    if (!manifest) return { date, kind: null, manifest, reason: 'not_published' }
    if (manifest.symbol !== SYMBOL) return 'other_symbol'
    const kind = manifest.simulated ? 'simulated' : 'real'
    if (manifest.tape_grade?.grade === 'bad') return { date, kind, manifest, reason: 'bad_tape' }
    const reason = labRevision(manifest) === null ? 'no_minutes' : null
    return { date, kind, manifest, reason }
  } catch (error) {
    if (!(error instanceof DamagedManifest)) throw error
    return { date, kind: null, manifest: null, reason: 'damaged' }
  }
}

/** Every trading day between the first and the last published one that is no session, and why. */
function leftOutOf(reasons: ReadonlyMap<SessionDate, LeftOutReason | null>): LabMarket['leftOut'] {
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

/** Opens the database only when a session has to be worked out. */
function openReader(dataFolder: string, dteMax: number) {
  let opened: Database | null = null
  const databaseOf = async () => {
    opened ??= await openDatabase({ threads: 2, memoryLimit: '1GB' })
    return opened
  }
  const fileOf = async (manifest: PublishedManifest, dte: number): Promise<BlockFile> => {
    const { session_date: date } = manifest
    const path = join(dataFolder, labFile(date, labRevision(manifest)!, dte))
    const known = openBlocks(path, FIRST_BLOCKS)
    if (known) return known
    const db = await databaseOf()
    const session = sessionOf(date)!
    const { about, blocks } = await buildSession({ db, dataFolder, manifest, session }, dte)
    writeAtomically(path, encodeBlocks(about, blocks))
    return openBlocks(path, FIRST_BLOCKS)!
  }
  return {
    read: async (manifest: PublishedManifest): Promise<LabSession | LeftOutReason> => {
      const session = sessionOf(manifest.session_date)
      if (!session) return 'no_minutes'
      try {
        const files: BlockFile[] = []
        for (let dte = 0; dte <= dteMax; dte++) files.push(await fileOf(manifest, dte))
        const { hasSpot } = (files[0]!.about as AboutFile).session!
        return hasSpot ? storedSession(session, files) : 'no_minutes'
      } catch (error) {
        if (error instanceof DamagedFile) return 'damaged'
        throw error
      }
    },
    close: () => opened?.close(),
  }
}
