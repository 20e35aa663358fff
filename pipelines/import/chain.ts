import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../../src/core/disk/refusal.ts'
import type { Database } from '../../src/core/engine/database.ts'
import { loadRows, type RowShape } from '../../src/core/engine/rows.ts'
import {
  addDays,
  findTradingSession,
  instantMs,
  MINUTE_MS,
  neighbourSession,
  type Session,
  wallTimeEt,
} from '../../src/core/market/calendar.ts'
import type { ChainStatement } from './delayedQuotes.ts'
import { FORMATS } from './formats.ts'
import { shapeParams } from './judge.ts'
import { type OpenedSource, openSource, toFileLines } from './source.ts'

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
    await loadChain(db, source, await loadRows(db, source, source.layout ?? format.layout))
  } finally {
    rmSync(workFolder, { recursive: true })
  }
}

/**
 * Makes `import.cboe_chain` of `import.rows`, and `import.snapshot` of what the chain states. Returns
 * sentences that say which session and minute it counts for, and what it lacks.
 */
export async function loadChain(
  db: Database,
  { label, name, chain }: OpenedSource,
  shape: RowShape,
): Promise<string[]> {
  if (chain) {
    await db.build('import/cboe_delayed_chain', {}, 'import.cboe_chain')
    const { quotedAtMs, index } = chain
    if (index) await refuseFar(db, label, `data.current_price ${index.value}`, index.value)
    await loadSnapshot(db, quotedAtMs, index, toSnapshot(quotedAtMs).isOfMinute)
    return [describeUse(name, quotedAtMs, index !== null)]
  }
  await db.build('import/cboe_chain', shapeParams(shape))
  const [stated] = await db.query('import/cboe_snapshot')
  const { stated_text: text, last, last_text: lastText, taken_ms: takenAtMs } = stated!
  if (takenAtMs === null) {
    const problem = text === null ? 'has no date' : `has ${JSON.stringify(text)}`
    const wanted = 'above its header; a date such as "Date: June 8, 2023 at 7:56 PM EDT" is needed'
    throw new Refusal(`${label} ${problem} ${wanted}.`)
  }
  if (lastText !== null && last === null) {
    throw new Refusal(
      `${label} has "Last: ${shown(lastText)}" above its header; a number such as ` +
        '"Last: 4697.24" is needed.',
    )
  }
  const atMs = Number(takenAtMs)
  // before the first value of a day
  const value = last === 0 ? null : (last as number | null)
  if (value !== null) {
    await refuseFar(db, label, `"Last: ${shown(lastText)}" above its header`, value)
  }
  await loadSnapshot(db, atMs, value === null ? null : { value, atMs }, true)
  return [describeUse(name, atMs, value !== null)]
}

/** Says which session and minute the quotes of a chain count for, if any, and its open interest. */
function describeUse(name: string, takenAtMs: number, hasIndex: boolean): string {
  const { isOfMinute, quotesSession, minuteAtMs, openInterestSession } = toSnapshot(takenAtMs)
  const { date, minute } = wallTimeEt(takenAtMs)
  const quotes = isOfMinute
    ? `its quotes count for ${quotesSession.date} ${wallTimeEt(minuteAtMs).minute} ET`
    : 'outside any session: its quotes count for no minute'
  const interest = `its open interest for ${openInterestSession.date}`
  const lack = hasIndex ? '' : '; it has no index value with a time'
  return `${name} is of ${date} ${minute} ET, ${quotes}, ${interest}${lack}.`
}

async function loadSnapshot(
  db: Database,
  takenAtMs: number,
  index: ChainStatement['index'],
  storesPrices: boolean,
): Promise<void> {
  const snapshot = toSnapshot(takenAtMs)
  await db.build('import/snapshot', {
    taken_ms: takenAtMs,
    minute_ms: snapshot.minuteAtMs,
    quotes_session: snapshot.quotesSession.date,
    interest_session: snapshot.openInterestSession.date,
    stores_prices: storesPrices,
    spotted_ms: index?.atMs ?? null,
    last: index?.value ?? null,
  })
}

/** Fails where the index does not fit the strikes: nothing else checks it. */
async function refuseFar(
  db: Database,
  label: string,
  stated: string,
  index: number,
): Promise<void> {
  const [strikes] = await db.query('import/chain_strikes')
  const { lowest, highest, middle } = strikes!
  if (middle === null || (index >= Number(middle) / 4 && index <= Number(middle) * 4)) return
  throw new Refusal(
    `${label} says ${stated}, and no index of ${index} has strikes from ${lowest} to ${highest}.`,
  )
}

const shown = (text: unknown) => String(text).slice(0, 40)

type Snapshot = {
  /** Session that the quotes are stored for, and their state minute. */
  readonly quotesSession: Session
  readonly minuteAtMs: number
  /** True where the quotes are of the minute that ends then: no other may use them. */
  readonly isOfMinute: boolean
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
function toSnapshot(takenAtMs: number): Snapshot {
  const { date } = wallTimeEt(takenAtMs)
  const today = findTradingSession(date)
  const isInside = today && takenAtMs >= today.opensAtMs && takenAtMs < today.closesAtMs
  const isBefore = today && takenAtMs < today.opensAtMs
  const quotesSession = isInside || isBefore ? today : neighbourSession(date, 1)
  const nextMinuteMs = (Math.floor(takenAtMs / MINUTE_MS) + 1) * MINUTE_MS
  const isBeforeMorning = takenAtMs < instantMs(date, OPEN_INTEREST_MINUTE)
  const morning = isBeforeMorning ? addDays(date, -1) : date
  const minuteAtMs = isInside ? nextMinuteMs : quotesSession.opensAtMs
  return {
    quotesSession,
    minuteAtMs,
    isOfMinute: minuteAtMs === nextMinuteMs,
    openInterestSession: findTradingSession(morning) ?? neighbourSession(morning, 1),
  }
}
