import { systemClock } from '../../src/clock.ts'
import { readArguments, UsageError } from '../../src/command.ts'
import { Refusal } from '../../src/disk/refusal.ts'
import { fillTable } from '../../src/engine/bulk.ts'
import { type Database, openDatabase } from '../../src/engine/database.ts'
import { codeVersion } from '../../src/engine/version.ts'
import { isDate, neighbourSession, type Session, sessionOf } from '../../src/market/calendar.ts'
import { EXTENSION_OF_FORM, LEDGER_FORMS, renderLedgerFiles } from '../../src/orders/render.ts'
import { publishedSessions, refuseNewer } from '../../src/published/manifest.ts'
import { JUDGED_DATASETS } from '../../src/published/positionDatasets.ts'
import { type Draft, placeSession, renewViews } from '../../src/published/publish.ts'
import { loadSession } from '../../src/tape/session.ts'
import { runCommand } from '../command/command.ts'
import { type Progress, progressOn } from '../command/progress.ts'
import { type HistorySession, LABEL_KINDS, type LabelKind, simulateHistory } from './history.ts'

export type HistoryRun = {
  readonly dataFolder: string
  readonly sessionCount: number
  /** The newest session; the others are the trading days before it. */
  readonly until: string
  readonly seed: number
  readonly labels: LabelKind
  readonly progress: Progress
}

/** Index at the close before the first session. */
const FIRST_CLOSE = 6000
const SESSIONS_MAX = 2_500
const MIN_PREMIUM_USD = 100_000

/**
 * Publishes simulated sessions of minutes, without prints: market minutes and large orders are
 * there, no other dataset is. They are for replays, and cannot be rebuilt from a tape.
 */
export async function runHistory(run: HistoryRun): Promise<void> {
  const { dataFolder, progress } = run
  refuseNewer(dataFolder)
  const [published] = publishedSessions(dataFolder)
  if (published !== undefined) {
    throw new Refusal(
      `${dataFolder} has published sessions, such as ${published}; a simulated history needs a ` +
        'folder of its own, such as --data data/history.',
    )
  }
  const db = await openDatabase({ threads: 2, memoryLimit: '1GB' })
  try {
    await progress.step(`simulate ${run.sessionCount} sessions until ${run.until}`, () =>
      publishHistory(db, run),
    )
    await progress.step('write the views', () => renewViews(dataFolder))
  } finally {
    db.close()
  }
}

async function publishHistory(db: Database, run: HistoryRun): Promise<void> {
  await db.run('create schema simulate')
  let previousClose = FIRST_CLOSE
  for (const session of sessionsUntil(run.until, run.sessionCount)) {
    const { seed, labels } = run
    const simulated = simulateHistory(session, { seed, labels, previousClose })
    await buildHistory(db, session, { simulated, previousClose })
    await placeSession(db, run.dataFolder, { ...draftOf(session), datasets: JUDGED_DATASETS })
    previousClose = simulated.close
  }
}

function sessionsUntil(until: string, count: number): Session[] {
  const sessions = [sessionOf(until)!]
  while (sessions.length < count) sessions.push(neighbourSession(sessions.at(-1)!.date, -1))
  return sessions.reverse()
}

type Built = { readonly simulated: HistorySession; readonly previousClose: number }

async function buildHistory(db: Database, session: Session, { simulated, previousClose }: Built) {
  const { minutes, orders } = simulated
  await loadSession(db, {
    session,
    symbol: 'SPX',
    knownUntilMs: session.closesAtMs,
    minPremiumUsd: MIN_PREMIUM_USD,
  })
  const numbers = ['at_ms', 'spot', 'variance', 'slope', 'net_gamma', 'flip', 'call_wall'] as const
  await fillTable(db.connection, {
    table: 'simulate.shown_minutes',
    columns: {
      ...{ minute_et: 'varchar', at_ms: 'double', spot: 'double', variance: 'double' },
      ...{ slope: 'double', net_gamma: 'double', flip: 'double' },
      ...{ call_wall: 'double', put_wall: 'double' },
    } as const,
    rowCount: minutes.length,
    fill: (columns, place, row) => {
      const minute = minutes[row]!
      columns.minute_et[place] = minute.minute_et
      for (const name of [...numbers, 'put_wall'] as const) columns[name][place] = minute[name]
    },
  })
  await fillTable(db.connection, {
    table: 'simulate.shown_orders',
    columns: {
      ...{ minute_et: 'varchar', number: 'double', at_ms: 'double' },
      ...{ premium_usd: 'double', gamma: 'double', strike: 'double' },
    } as const,
    rowCount: orders.length,
    fill: (columns, place, row) => {
      const order = orders[row]!
      columns.minute_et[place] = order.minute_et
      for (const name of ['number', 'at_ms', 'premium_usd', 'gamma', 'strike'] as const) {
        columns[name][place] = order[name]
      }
    },
  })
  const params = { previous_close: previousClose }
  await db.build('simulate/history_minutes', params, 'ledger.market_minutes')
  await db.build('simulate/history_orders', {}, 'ledger.large_orders')
}

function draftOf(session: Session): Draft {
  const expected = (session.closesAtMs - session.opensAtMs) / 60_000
  const asof = session.isHalfDay ? '13:15:00' : '16:15:00'
  const tape = { grade: 'good' as const, reasons: [] }
  const shared = { min_premium_usd: MIN_PREMIUM_USD, asof }
  const forms = renderLedgerFiles({
    ...shared,
    day: session.date,
    symbol: 'SPX',
    is_simulated: true,
    tape,
    gaps: [],
    orders: [],
    stats: NO_STATS,
  }).then(files =>
    Object.fromEntries(
      LEDGER_FORMS.map(form => [form, { ...files[form], extension: EXTENSION_OF_FORM[form] }]),
    ),
  )
  return {
    ...shared,
    session_date: session.date,
    symbol: 'SPX',
    simulated: true,
    code_version: codeVersion(),
    minutes: { expected, present: expected, missing: [] },
    inputs: [],
    tape: {},
    tape_grade: tape,
    forms,
  }
}

const NO_STATS = {
  order_count: 0,
  net_premium_usd: 0,
  no_side_count: 0,
  no_gamma_count: 0,
  gamma_up_count: 0,
  gamma_down_count: 0,
  gamma_flat_count: 0,
}

const USAGE = `usage: tapefold history [--sessions N] [--until DAY] [--labels KIND] ... --data DIR

Simulates the market minutes and large orders of many sessions, without prints, and publishes them
into an empty data folder. It is meant for replays of positions.

  --sessions N   how many trading days (1000)
  --until DAY    the newest of them (2026-10-15)
  --labels KIND  informative: the index moves far on days with warnings; none: on any day alike
  --seed N       the same seed gives the same sessions (1)
`

if (import.meta.main) {
  runCommand(async () => {
    const { values } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      options: {
        data: { type: 'string', default: 'data' },
        sessions: { type: 'string', default: '1000' },
        until: { type: 'string', default: '2026-10-15' },
        labels: { type: 'string', default: 'informative' },
        seed: { type: 'string', default: '1' },
      },
    })
    const labels = LABEL_KINDS.find(kind => kind === values.labels)
    if (!labels) throw new UsageError(`--labels is ${values.labels}; give informative or none.`)
    if (!/^[1-9]\d{0,3}$/.test(values.sessions) || Number(values.sessions) > SESSIONS_MAX) {
      throw new UsageError(`--sessions is ${values.sessions}; give 1 to ${SESSIONS_MAX}.`)
    }
    if (!/^\d{1,9}$/.test(values.seed)) {
      throw new UsageError(`--seed is ${values.seed}; give a whole number, such as 1.`)
    }
    if (!isDate(values.until) || !sessionOf(values.until)) {
      throw new UsageError(`--until is ${values.until}; give a trading day, such as 2026-10-15.`)
    }
    await runHistory({
      dataFolder: values.data,
      sessionCount: Number(values.sessions),
      until: values.until,
      seed: Number(values.seed),
      labels,
      progress: progressOn(process.stdout, systemClock),
    })
  })
}
