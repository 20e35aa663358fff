import { findTradingSession, neighbourSession } from '../../src/core/market/calendar.ts'
import type { Catalog, Found } from '../../src/data/published/catalog.ts'
import { PublishedManifest } from '../../src/data/published/manifest.ts'

/** Fields of a session's manifest that a test uses. */
export type Reported = {
  readonly asof?: string
  readonly missing?: readonly string[]
  readonly grade?: 'good' | 'doubtful' | 'bad'
  readonly knownBeforeMs?: number
  readonly tape_newest?: Readonly<Record<string, string>>
  readonly symbol?: string
  /** Datasets it was built from besides those of every session. */
  readonly inputs?: readonly string[]
}

/** A catalog of manifests that are nowhere on a disk. */
export function findCatalog(
  sessions: Readonly<Record<string, Reported>>,
  { unreadable = [] as string[], problems = [] as string[] } = {},
): Catalog {
  const dates = Object.keys(sessions).sort()
  const find = (date: string): Found | null => {
    const reported = sessions[date]
    if (!reported) return null
    const { knownBeforeMs } = reported
    const known = knownBeforeMs === undefined ? {} : { knownBeforeMs }
    // built after the session before, as a backfill does
    const carried = sessions[neighbourSession(date, -1).date] ? ['closing_positions'] : []
    const manifest = findManifest(date, { inputs: carried, ...reported })
    return { manifest, isNewest: date === dates.at(-1), ...known }
  }
  const listed = {
    sessions: () => dates,
    finished: () =>
      dates
        .map(date => find(date)!)
        .flatMap(({ manifest, knownBeforeMs }) => (knownBeforeMs === undefined ? [manifest] : [])),
    find,
    newest: () => (dates.length === 0 ? null : find(dates.at(-1)!)),
  }
  return {
    ...listed,
    replayed: listed,
    readLedger: () => Promise.reject(new Error('a status reads no ledger')),
    unreadable: () => unreadable,
    reportDamage: () => {},
    problems: () => problems,
  }
}

function findManifest(date: string, reported: Reported): PublishedManifest {
  const { isHalfDay } = findTradingSession(date)!
  const { symbol = 'SPX', inputs = [] } = reported
  const { asof = isHalfDay ? '13:14:58' : '16:14:58', missing = [], grade = 'good' } = reported
  const expected = isHalfDay ? 225 : 405
  return PublishedManifest.parse({
    format: 1,
    session_date: date,
    symbol,
    simulated: false,
    revision: 'r1',
    asof,
    code_version: 'test',
    minutes: { expected, present: expected - missing.length, missing },
    datasets: {},
    ledger: {},
    inputs: [
      { dataset: 'prints', file: 'a', rows: 700, sha256: '0' },
      { dataset: 'prints', file: 'b', rows: 20, sha256: '0' },
      { dataset: 'quotes', file: 'c', rows: 9, sha256: '0' },
      { dataset: 'open_interest', file: 'd', rows: 5, sha256: '0' },
      ...inputs.map(dataset => ({ dataset, file: dataset, rows: 1, sha256: '0' })),
    ],
    tape: {},
    tape_grade: { grade, reasons: grade === 'good' ? [] : ['too thin'] },
    ...(reported.tape_newest ? { tape_newest: reported.tape_newest } : {}),
  })
}
