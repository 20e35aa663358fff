import { Refusal } from '../../src/core/disk/refusal.ts'
import type { Database } from '../../src/core/engine/database.ts'
import { readSql } from '../../src/core/engine/sql.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import { MINUTE_MS, type Session, type SessionDate } from '../../src/core/market/calendar.ts'
import type { AreaDuties, LedgerFacts } from '../../src/data/areaDuties.ts'
import { findGaps } from '../../src/data/published/freshness.ts'
import { readGradeSums } from '../../src/data/published/gradeSums.ts'
import type { Draft } from '../../src/data/published/publish.ts'
import { isSimulated, type TapeInput } from '../../src/data/tape/manifest.ts'
import type { TapeVerdict } from './tapeVerdict.ts'

/** A session that is built, with the other facts of its draft. */
export type Built = {
  readonly session: Session
  readonly symbol: string
  readonly dataFolder: string
  /** True when the forms are rendered before anything else continues, so that it is measured alone. */
  readonly isAlone: boolean
  /** Files that the build read. */
  readonly inputs: readonly TapeInput[]
  readonly verdict: TapeVerdict
  readonly areas: AreaDuties
  readonly nowMs: Draft['nowMs']
}

/** Published parts of a build; its forms are still being rendered. */
export async function buildDraft(db: Database, built: Built): Promise<Draft> {
  const { session, symbol, dataFolder, inputs, verdict, areas } = built
  const { date } = session
  const tape = { grade: verdict.grade, reasons: [...verdict.reasons] }
  const [stats] = await db.rows('from ledger.stats')
  const missing = (await db.query('views/missing_minutes')).map(row => String(row.minute_et))
  const expected = (session.closesAtMs - session.opensAtMs) / MINUTE_MS
  const counts = await db.query('views/tape_counts')
  const newestRows = await db.query('views/tape_newest')
  const asof = await readAsof(db, date)
  const simulated = isSimulated(dataFolder, date)
  const dispositions = Object.fromEntries(
    counts.map(row => [String(row.fate), Number(row.print_count)]),
  )
  const facts: LedgerFacts = {
    day: date,
    symbol,
    asof,
    is_simulated: simulated,
    tape,
    set_apart_count: dispositions.set_apart ?? 0,
    gaps: findGaps(missing),
    min_premium_usd: Number(stats!.min_premium_usd),
    stats: stats!,
    orders: await readLedgerRows(db),
  }
  const forms = areas.renderLedger(facts)
  // the publisher awaits them, but not after an earlier failure
  forms.catch(() => {})
  if (built.isAlone) await forms
  const { summary, render } = await areas.readSession(db, date)
  return {
    session_date: date,
    symbol,
    simulated,
    asof,
    code_version: codeVersion(),
    min_premium_usd: Number(stats!.min_premium_usd),
    minutes: { expected, present: expected - missing.length, missing },
    inputs: [...inputs],
    tape: dispositions,
    tape_newest: Object.fromEntries(newestRows.map(row => [row.dataset, row.newest_at])),
    tape_grade: tape,
    ...(summary && { summary }),
    grades: await readGradeSums(db),
    forms,
    nowMs: built.nowMs,
    archive: revision => render(facts, revision),
  }
}

/**
 * Reads when the newest print that counts became known, HH:MM:SS ET; the newest quote of a session
 * without prints. Fails with a Refusal where there are prints of which none counts.
 */
async function readAsof(db: Database, date: SessionDate): Promise<string> {
  const [newest] = await db.query('views/newest_print')
  const [quote] = newest!.print_count ? [] : await db.query('views/newest_quote')
  const asof = newest!.asof_et ?? quote?.asof_et
  if (typeof asof === 'string') return asof
  throw new Refusal(
    `no print of ${date} ${whyUnused(Number(newest!.known_too_late_count))}, so there is no ` +
      'ledger of it.',
  )
}

/**
 * Explains why a session has no print that counts, of which `knownTooLate` lie within its hours.
 */
function whyUnused(knownTooLate: number): string {
  if (knownTooLate === 0) return 'lies within the hours of its session'
  return `was known on its day (known_at of ${knownTooLate} within its hours is later)`
}

/**
 * The rows of the ledger without a detour over JSON: they have no type that JSON lacks. Legs come
 * as rows of their own: as lists of structures they take longer than all else.
 */
async function readLedgerRows(db: Database) {
  const read = async (path: string) =>
    (await db.connection.runAndReadAll(readSql(path))).getRowObjectsJS()
  const orders = await read('views/ledger_rows')
  const legs = Map.groupBy(await read('views/ledger_legs'), leg => leg.ledger_rank)
  return orders.map(order => ({ ...order, legs: legs.get(order.ledger_rank) ?? [] }))
}
