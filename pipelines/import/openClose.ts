/** Cboe's Open-Close files: which of them are refused, and the dealers' positions they sum to. */

import { mkdtempSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from '../../src/core/command.ts'
import { damagedFiles, sha256 } from '../../src/core/disk/files.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import type { Database, Row } from '../../src/core/engine/database.ts'
import { filePaths, formatList } from '../../src/core/engine/paths.ts'
import { neighbourSession, type SessionDate, wallTimeEt } from '../../src/core/market/calendar.ts'
import { counted } from '../../src/core/text/counts.ts'
import { readLateDays, withTapeLock } from '../../src/data/published/lateData.ts'
import { storeBatch, writeBatchFile } from '../../src/data/tape/batches.ts'
import {
  flowSessions,
  OPEN_CLOSE,
  readTapeManifest,
  type TapeBatch,
  tapeColumns,
  tapeFiles,
  tapeKey,
  writeTapeManifest,
} from '../../src/data/tape/manifest.ts'
import { loadFiles } from '../../src/data/tape/tables.ts'
import { OPEN_CLOSE_FORMAT } from './formats.ts'

/** Classes of traders that may count as dealers, in the order in which they are named. */
const DEALER_CLASSES = ['mm', 'firm', 'bd'] as const

/** Classes that count as dealers unless the user names others: market makers alone. */
export const DEALERS_DEFAULT: readonly string[] = ['mm']

/** Parses the classes that count as dealers; fails with a UsageError. */
export function dealersArgument(text: string): readonly string[] {
  const named = text.split(',')
  const dealers = DEALER_CLASSES.filter(name => named.includes(name))
  if (named.length === dealers.length) return dealers
  throw new UsageError(
    `--dealers is ${text}; name classes of ${DEALER_CLASSES.join(', ')} with commas between, ` +
      'such as mm,bd.',
  )
}

/** Exchange whose trades a file holds, by its name; the one of SPX where it does not say. */
export const fileExchange = (name: string): string =>
  /(?:^|[^a-z0-9])(C1|C2|BZX|EDGX)/i.exec(name)?.[1]?.toUpperCase() ?? 'C1'

/** Maximum share of rows or contracts with a fault; above it the whole file is refused. */
const FAULTY_SHARE_MAX = 0.01

const FAULT_WORDS: Readonly<Record<string, string>> = {
  trades: 'counts trades as contracts',
  classes: 'has classes that do not sum to zero',
}

/** Fails with a Refusal where a file of Open-Close rows, judged, holds something else. */
export async function refuseOpenClose(db: Database, label: string): Promise<void> {
  const [falls] = await db.query('import/falling_sums')
  const { contract_count: contracts, falling_count: falling } = falls as Record<string, number>
  if (falling! > contracts! * FAULTY_SHARE_MAX) {
    const [before, at] = [falls!.before_ms, falls!.snapshot_ms].map(ms => wallTimeEt(Number(ms)))
    throw new Refusal(
      `${label} is not cumulative: ${falls!.contract} has ${falls!.traded_before} contracts ` +
        `traded at ${before!.minute} and ${falls!.traded} at ${at!.minute} of ${at!.date}; rows ` +
        `of ten minutes must hold the sums of the day so far, such as ${falls!.traded_before} ` +
        `and ${Number(falls!.traded_before) + Number(falls!.traded)}.`,
    )
  }
  for (const row of await db.query('import/volume_faults')) {
    const [count, judged] = [Number(row.row_count), Number(row.judged_count)]
    const words = FAULT_WORDS[String(row.fault)]
    if (words === undefined || count <= judged * FAULTY_SHARE_MAX) continue
    throw new Refusal(
      `${label} ${words} in ${count} of ${judged} rows, and the limit is 1 %: ` +
        `line ${row.line_number}: ${row.reason}.`,
    )
  }
  const [last] = await db.query('import/last_sums')
  if (last!.session_date === null || last!.has_whole_day) return
  const { minute } = wallTimeEt(Number(last!.snapshot_ms))
  throw new Refusal(
    `${label} ends at ${minute} ET of ${last!.session_date}, before the close; import the last ` +
      'file of the day, such as that of 16:20, or the one of the whole day.',
  )
}

/** Makes a table of the flows in files, in the order of their import, as they stand. */
export async function loadCurrentFlows(
  db: Database,
  files: readonly string[],
  table: string,
): Promise<void> {
  if (files.length === 0) return loadFiles(db, table, tapeColumns(OPEN_CLOSE), [])
  const names = formatList(files.map(file => resolve(file)))
  await db.build('import/current_flows', { files: filePaths(files), names }, table)
}

export type SumRequest = {
  readonly dataFolder: string
  readonly workFolder: string
  /** Sessions whose files were imported. */
  readonly sessions: readonly SessionDate[]
}

/**
 * Sums the dealers' positions at the open of each session after one with new flows, and of those
 * after it as long as they change, and stores them as `dealer_positions`. Returns notes for the
 * report, a sentence each.
 */
export async function sumPositions(db: Database, request: SumRequest): Promise<string[]> {
  const space = await db.openSeparate('sums', { isOfOneRound: true, schemas: ['import'] })
  try {
    const due = new Set(request.sessions)
    const notes: string[] = []
    for (const session of flowSessions(request.dataFolder)) {
      if (!due.has(session)) continue
      const { note, isNew } = await sumSession(space, request, session)
      notes.push(...note)
      if (isNew) due.add(neighbourSession(session, 1).date)
    }
    return notes
  } finally {
    await space.close()
  }
}

/** Sums the positions at the open of the session after one; `isNew` where they have changed. */
async function sumSession(
  db: Database,
  request: SumRequest,
  session: SessionDate,
): Promise<{ readonly note: string[]; readonly isNew: boolean }> {
  const { dataFolder } = request
  const next = neighbourSession(session, 1).date
  const others = readTapeManifest(dataFolder, next).batches.filter(
    ({ dataset, format }) => dataset === 'dealer_positions' && format !== OPEN_CLOSE_FORMAT,
  )
  if (others.length > 0) {
    const formats = [...new Set(others.map(({ format }) => format))].join(', ')
    return {
      note: [`positions at the open of ${next} stay as imported (${formats}).`],
      isNew: false,
    }
  }
  await loadDay(db, dataFolder, session)
  await db.build('import/summed_positions', { session: next })
  const dropped = await db.query('import/dropped_positions')
  const [unexplained] = await db.query('import/unexplained_example')
  const rejected = dropped.reduce((sum, row) => sum + Number(row.contract_count), 0)
  const outcome = await storePositions(db, request, { session, next, rejected })
  if (outcome === 'published') {
    return {
      note: [`positions at the open of ${next} stay as they were: its minutes are published.`],
      isNew: false,
    }
  }
  return {
    note: await describeSum(db, { session, next, dropped, unexplained }),
    isNew: outcome === 'new',
  }
}

type Sum = {
  readonly session: SessionDate
  readonly next: SessionDate
  readonly dropped: readonly Row[]
  readonly unexplained: Row | undefined
}

async function describeSum(
  db: Database,
  { session, next, dropped, unexplained }: Sum,
): Promise<string[]> {
  const [counts] = await db.query('import/position_counts')
  const whose = `positions of ${counts!.dealers} at the open of ${next}`
  const notes = [
    `${whose}: ${contracts(counts!)}, ${counts!.guessed_count} of them partly guessed` +
      `${counts!.is_first ? `, summed from ${session} on` : ''}`,
  ]
  return notes.concat(
    dropped.map(row => `no ${whose} of ${contracts(row)}: ${DROP_WORDS[String(row.dropped)]}`),
    unexplained
      ? [
          `${contracts(unexplained)} summed from ${session} on: open interest of ` +
            `${unexplained.contract} went from ${unexplained.interest_before} to ` +
            `${unexplained.open_interest}, and its opens less closes allow ` +
            `${unexplained.least} to ${unexplained.most}`,
        ]
      : [],
  )
}

const contracts = ({ contract_count: count }: Row) => counted(Number(count), 'contract')

const DROP_WORDS: Readonly<Record<string, string>> = {
  fault: 'their rows are rejected',
  'no open interest':
    'whether they were held before is not known; import open-interest of the day, and the file again',
}

/** Makes the tables that the positions after a session are summed from. */
async function loadDay(db: Database, dataFolder: string, session: SessionDate): Promise<void> {
  const before = neighbourSession(session, -1).date
  await refuseDamagedFlows(dataFolder, [before, session])
  const flows = (day: SessionDate) => tapeFiles(dataFolder, OPEN_CLOSE, tapeKey(OPEN_CLOSE, day))
  await loadCurrentFlows(db, flows(before), 'import.current_flows')
  await db.build('import/contract_flows', {}, 'import.earlier_flows')
  await loadCurrentFlows(db, flows(session), 'import.current_flows')
  await db.build('import/contract_flows')
  for (const [table, dataset] of [
    ['import.positions', 'dealer_positions'],
    ['import.open_interest', 'open_interest'],
  ] as const) {
    await loadFiles(db, table, tapeColumns(dataset), tapeFiles(dataFolder, dataset, session))
  }
  await db.build('import/morning_interest')
  await db.build('import/unexplained_interest')
}

/** The engine reads a flipped bit as another volume: only the hash detects it. */
async function refuseDamagedFlows(dataFolder: string, sessions: readonly SessionDate[]) {
  for (const session of sessions) {
    const { batches } = readTapeManifest(dataFolder, tapeKey(OPEN_CLOSE, session))
    const [damaged] = await damagedFiles(join(dataFolder, 'tape'), batches)
    if (damaged !== undefined) {
      const key = tapeKey(OPEN_CLOSE, session)
      throw new Refusal(
        `tape/${damaged}; remove tape/manifests/${key}.json and import the files of ${session} again.`,
      )
    }
  }
}

/**
 * Replaces the summed positions of a session on the tape, unless they are the same, or minutes of
 * the session have been published with others.
 */
async function storePositions(
  db: Database,
  { dataFolder, workFolder }: SumRequest,
  sum: { readonly session: SessionDate; readonly next: SessionDate; readonly rejected: number },
): Promise<'new' | 'same' | 'published'> {
  const { session, next } = sum
  const [flow] = readTapeManifest(dataFolder, tapeKey(OPEN_CLOSE, session)).batches.slice(-1)
  await db.build('import/written_positions', {}, 'import.accepted')
  return withTapeLock(dataFolder, next, async () => {
    const manifest = readTapeManifest(dataFolder, next)
    const isSummed = ({ dataset }: TapeBatch) => dataset === 'dealer_positions'
    const stored = manifest.batches.find(isSummed)
    const lateDays = readLateDays(dataFolder, next)
    if (stored && lateDays.length > 0) return 'published'
    const path = join(mkdtempSync(join(workFolder, 'positions-')), 'batch.parquet')
    const rows = await writeBatchFile(db, 'dealer_positions', next, path, lateDays)
    if (rows === 0 && !stored) return 'same'
    const name = sha256(`${OPEN_CLOSE_FORMAT} ${next}`).slice(0, 12)
    const batch = { dataset: 'dealer_positions', key: next, name, path }
    const placed = await storeBatch(dataFolder, batch)
    if (placed.sha256 === stored?.sha256) return 'same'
    const entry: TapeBatch = {
      dataset: 'dealer_positions',
      file: placed.file,
      rows,
      sha256: placed.sha256,
      source: flow!.source,
      format: OPEN_CLOSE_FORMAT,
      simulated: flow!.simulated,
      counts: {
        read: rows + sum.rejected,
        imported: rows,
        already_there: 0,
        rejected: sum.rejected,
        skipped: 0,
        quarantined: {},
      },
    }
    const batches = [...manifest.batches.filter(other => !isSummed(other)), entry]
    writeTapeManifest(dataFolder, { ...manifest, batches })
    return 'new'
  })
}
