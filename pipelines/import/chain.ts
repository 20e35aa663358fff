import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../../src/core/disk/refusal.ts'
import type { Database, Row } from '../../src/core/engine/database.ts'
import { loadRows } from '../../src/core/engine/rows.ts'
import {
  addDays,
  findTradingSession,
  instantMs,
  MINUTE_MS,
  neighbourSession,
  type Session,
  wallTimeEt,
} from '../../src/core/market/calendar.ts'
import { FORMATS } from './formats.ts'
import { shapeParams } from './judge.ts'
import { openSource, toFileLines } from './source.ts'

/**
 * Makes `import.cboe_chain` of a Cboe chain file: one row a contract with the file's own bid, ask,
 * implied_vol, delta, gamma and open_interest, and `import.snapshot` with its instant and index.
 * For comparing with figures that were published from such a file; nothing is imported.
 */
export async function readChain(db: Database, path: string): Promise<void> {
  const format = FORMATS.find(entry => entry.name === 'cboe-chain')!
  const workFolder = mkdtempSync(join(tmpdir(), 'tapefold-chain-'))
  try {
    await db.run('create schema if not exists import')
    const source = await openSource(db, format, toFileLines(path), workFolder)
    const shape = await loadRows(db, source, format.layout)
    await db.build('import/cboe_chain', shapeParams(shape))
    await loadSnapshot(db, path)
  } finally {
    rmSync(workFolder, { recursive: true })
  }
}

/** Makes `import.snapshot` from the lines above a chain's header. */
export async function loadSnapshot(db: Database, label: string): Promise<void> {
  const [stated] = await db.query('import/cboe_snapshot')
  const { stated_text: text, last, taken_ms: takenAtMs } = stated!
  if (takenAtMs === null) {
    const problem = text === null ? 'has no date' : `has ${JSON.stringify(text)}`
    const wanted = 'above its header; a date such as "Date: June 8, 2023 at 7:56 PM EDT" is needed'
    throw new Refusal(`${label} ${problem} ${wanted}.`)
  }
  refuseIndex(label, stated!)
  const { date } = wallTimeEt(Number(takenAtMs))
  const snapshot = toSnapshot(Number(takenAtMs), date)
  await db.build('import/snapshot', {
    taken_ms: snapshot.takenAtMs,
    minute_ms: snapshot.minuteAtMs,
    quotes_session: snapshot.quotesSession.date,
    interest_session: snapshot.openInterestSession.date,
    last: last as number | null,
  })
}

/** Fails where the index is no number, or does not fit the strikes: nothing else checks it. */
function refuseIndex(label: string, stated: Row): void {
  const { last_text: text, last, lowest_strike: lowest, highest_strike: highest } = stated
  if (text !== null && last === null) {
    throw new Refusal(
      `${label} has "Last: ${shown(text)}" above its header; a number such as "Last: 4697.24" ` +
        'is needed.',
    )
  }
  if (stated.is_far !== true) return
  throw new Refusal(
    `${label} says "Last: ${shown(text)}" above its header, and no index of ${last} has ` +
      `strikes from ${lowest} to ${highest}.`,
  )
}

const shown = (text: unknown) => String(text).slice(0, 40)

export type Snapshot = {
  readonly takenAtMs: number
  /** Session that the quotes are stored for, and their state minute. */
  readonly quotesSession: Session
  readonly minuteAtMs: number
  /** Session in whose morning the open interest came out. */
  readonly openInterestSession: Session
}

/** The morning's open interest is out by then, ET. */
const OPEN_INTEREST_MINUTE = '06:30'

/**
 * Assigns a chain snapshot to a session. Within a session its quotes belong to the end of the
 * minute it names. Outside they are stored for the first minute of the next session, with their own
 * time. Open interest is that of the last morning; a weekend's belongs to the next session.
 */
function toSnapshot(takenAtMs: number, dayEt: string): Snapshot {
  const today = findTradingSession(dayEt)
  const isInside = today && takenAtMs >= today.opensAtMs && takenAtMs < today.closesAtMs
  const isBefore = today && takenAtMs < today.opensAtMs
  const quotesSession = isInside || isBefore ? today : neighbourSession(dayEt, 1)
  const nextMinuteMs = (Math.floor(takenAtMs / MINUTE_MS) + 1) * MINUTE_MS
  const isBeforeMorning = takenAtMs < instantMs(dayEt, OPEN_INTEREST_MINUTE)
  const morning = isBeforeMorning ? addDays(dayEt, -1) : dayEt
  return {
    takenAtMs,
    quotesSession,
    minuteAtMs: isInside ? nextMinuteMs : quotesSession.opensAtMs,
    openInterestSession: findTradingSession(morning) ?? neighbourSession(morning, 1),
  }
}
