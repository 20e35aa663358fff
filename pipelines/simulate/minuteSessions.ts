import { UsageError } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { shown } from '../../src/core/disk/text.ts'
import { fillTable } from '../../src/core/engine/bulk.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { findTradingSession, isDate, type Session } from '../../src/core/market/calendar.ts'
import { MIN_PREMIUM_USD } from '../../src/core/market/minPremium.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { JUDGED_DATASETS } from '../../src/data/dictionary/positionDatasets.ts'
import { publishedSessions, readManifest, refuseNewer } from '../../src/data/published/manifest.ts'
import { renewViews, storeSession } from '../../src/data/published/publish.ts'
import { loadSession } from '../../src/data/tape/session.ts'
import { readMarket } from '../../src/lab/market/readMarket.ts'
import { commandProgress } from '../command/command.ts'
import type { Progress } from '../command/progress.ts'
import { type HistorySession, type LabelKind, simulateHistory } from './history.ts'
import { makeHistoryDraft, sessionsUntil } from './historyDraft.ts'
import { type LabOptions, type LabShown, simulateLabDays } from './labMarket.ts'
import { firstCloseFor } from './labPath.ts'
import { fillExpiries, fillStates, fillVersions } from './labTables.ts'
import type { HISTORY } from './rows.ts'

export type HistoryRun = {
  readonly dataFolder: string
  readonly sessionCount: number
  /** The newest session; the others are the trading days before it. */
  readonly until: string
  readonly seed: number
  readonly labels: LabelKind
  /** Null: for replays of positions, not for LAB. */
  readonly lab?: LabHistory | null
  readonly progress: Progress
}

export type LabHistory = {
  /** Size of the planted effect, in standard deviations; 0 for none. */
  readonly plantedSd: number
  /** The furthest expiry that is quoted, in sessions. */
  readonly furthestDte: number
}

/** Index at the close before the first session. */
const FIRST_CLOSE = 6000
/** Datasets of a session that LAB reads. */
const LAB_DATASETS = PUBLISHED_DATASETS.filter(({ name }) =>
  ['market_minutes', 'large_orders', 'option_minutes', 'smiles', 'settlements'].includes(name),
)
/**
 * Starting index of simulated sessions of prints: this market closes there, so they continue it.
 */
const LAST_CLOSE = 6000
const PLANTED_MAX = 2

/**
 * Publishes simulated sessions of minutes, without prints: market minutes and large orders are
 * there, no other dataset is. They are for replays, and cannot be rebuilt from a tape.
 */
export async function runHistory(run: HistoryRun): Promise<void> {
  const { dataFolder, progress } = run
  refuseNewer(dataFolder)
  refuseOthers(dataFolder, run.lab != null)
  const db = await openDatabase({ threads: 2, memoryLimit: '1GB', hasRegion: true })
  try {
    await db.run('create schema simulate')
    const { lab, ...path } = run
    const sessions = { what: 'history', unit: 'sessions', total: run.sessionCount }
    await progress.meter(sessions, ({ update }) =>
      progress.step(`simulate ${run.sessionCount} sessions until ${run.until}`, () =>
        lab
          ? publishLab(db, dataFolder, { ...path, ...lab, onDay: done => update({ done }) })
          : publishHistory(db, run, done => update({ done })),
      ),
    )
    await progress.step('write the views', () => renewViews(dataFolder))
    if (!lab) return
    // otherwise the first test of an idea would wait for it
    await progress.step('make the columns that LAB replays', async () => {
      await readMarket(dataFolder).catch((error: Error) => {
        progress.say(`LAB makes the columns that are missing when it reads them: ${error.message}`)
      })
    })
  } finally {
    db.close()
  }
}

/** Refuses other sessions: a history stands alone, one for LAB goes with simulated ones only. */
function refuseOthers(dataFolder: string, isForLab: boolean): void {
  const other = publishedSessions(dataFolder).find(
    date => !isForLab || readManifest(dataFolder, date)?.simulated !== true,
  )
  if (other === undefined) return
  const kind = isForLab ? 'real' : 'published'
  throw new Refusal(
    `${dataFolder} has ${kind} sessions, such as ${other}; a simulated history needs a folder of ` +
      'its own, such as --data data/history.',
  )
}

async function publishHistory(
  db: Database,
  run: HistoryRun,
  onDay: (done: number) => void,
): Promise<void> {
  let previousClose = FIRST_CLOSE
  let done = 0
  for (const session of sessionsUntil(run.until, run.sessionCount)) {
    const { seed, labels } = run
    const simulated = simulateHistory(session, { seed, labels, previousClose })
    await buildHistory(db, session, { simulated, previousClose })
    const draft = { ...makeHistoryDraft(session), datasets: JUDGED_DATASETS }
    await storeSession(db, run.dataFolder, draft, null)
    previousClose = simulated.close
    onDay(++done)
  }
}

const loadSimulated = (db: Database, session: Session): Promise<void> =>
  loadSession(db, {
    session,
    symbol: 'SPX',
    knownUntilMs: session.closesAtMs,
    minPremiumUsd: MIN_PREMIUM_USD,
  })

type Built = { readonly simulated: HistorySession; readonly previousClose: number }

async function buildHistory(db: Database, session: Session, { simulated, previousClose }: Built) {
  const { minutes, orders } = simulated
  await loadSimulated(db, session)
  await fillTable(db.connection, 'simulate.shown_minutes', minutes, {
    minute_et: ['varchar', minute => minute.minute_et],
    at_ms: ['double', minute => minute.at_ms],
    spot: ['double', minute => minute.spot],
    variance: ['double', minute => minute.variance],
    slope: ['double', minute => minute.slope],
    net_gamma: ['double', minute => minute.net_gamma],
    flip: ['double', minute => minute.flip],
    call_wall: ['double', minute => minute.call_wall],
    put_wall: ['double', minute => minute.put_wall],
  })
  await fillTable(db.connection, 'simulate.shown_orders', orders, {
    minute_et: ['varchar', order => order.minute_et],
    number: ['double', order => order.number],
    at_ms: ['double', order => order.at_ms],
    premium_usd: ['double', order => order.premium_usd],
    gamma: ['double', order => order.gamma],
    strike: ['double', order => order.strike],
  })
  const params = { previous_close: previousClose }
  await db.build('simulate/history_minutes', params, 'ledger.market_minutes')
  await db.build('simulate/history_orders', {}, 'ledger.large_orders')
}

/**
 * Publishes a simulated market of LAB: days left out of it stay unpublished, have a bad tape, or
 * have no minutes. Days that are already published stay as they are, so that a stopped run can
 * continue.
 */
async function publishLab(
  db: Database,
  dataFolder: string,
  options: LabOptions & { readonly onDay: (done: number) => void },
): Promise<void> {
  const published = new Set(publishedSessions(dataFolder))
  const closing = { ...options, firstClose: firstCloseFor(options, LAST_CLOSE) }
  let done = 0
  for (const { day, make } of simulateLabDays(closing)) {
    options.onDay(done++)
    if (day.leftOut === 'not_published' || published.has(day.session.date)) continue
    await buildLab(db, day.session, make())
    const draft = makeHistoryDraft(day.session, day.leftOut === 'bad_tape' ? 'bad' : 'good')
    const datasets = LAB_DATASETS.filter(
      ({ name }) => day.leftOut !== 'no_minutes' || name === 'large_orders',
    )
    await storeSession(db, dataFolder, { ...draft, datasets }, null)
  }
}

/** Makes the published tables of one day in `ledger`. */
async function buildLab(db: Database, session: Session, shown: LabShown): Promise<void> {
  await loadSimulated(db, session)
  await fillStates(db, session, shown)
  await fillVersions(db, session, shown)
  await fillExpiries(db, shown)
  await db.build('simulate/lab_minutes', {}, 'ledger.market_minutes')
  await db.build('simulate/lab_orders', {}, 'ledger.large_orders')
  await db.build('simulate/lab_option_minutes', {}, 'ledger.option_minutes')
  await db.build('simulate/lab_term_smiles', {}, 'ledger.smiles')
  await db.build('simulate/lab_settlements', {}, 'ledger.settlements')
}

/** Runs `tapefold history`. */
export async function historyCommand(input: Input<typeof HISTORY>): Promise<void> {
  const { labels = 'informative', until } = input
  if (input.lab !== undefined && input.labels !== undefined) {
    throw new UsageError('--labels goes without --lab, which has no days with warnings.')
  }
  if (!isDate(until) || !findTradingSession(until)) {
    throw new UsageError(`--until is ${until}; give a trading day, such as 2026-10-15.`)
  }
  await runHistory({
    dataFolder: input.data,
    sessionCount: input.sessions,
    until,
    seed: input.seed,
    labels,
    lab: parseLab(input),
    progress: commandProgress(),
  })
}

/** Parses `--lab` and `--dte`. */
function parseLab({ lab, dte }: Input<typeof HISTORY>): LabHistory | null {
  if (lab === undefined) {
    if (dte !== undefined)
      throw new UsageError('--dte goes with --lab, such as --lab null --dte 1.')
    return null
  }
  const planted = /^planted:(\d(?:\.\d{1,3})?)$/.exec(lab)
  const plantedSd = lab === 'null' ? 0 : Number(planted?.[1] ?? Number.NaN)
  if (Number.isNaN(plantedSd) || plantedSd > PLANTED_MAX) {
    throw new UsageError(
      `--lab is ${shown(lab)}; give null, or planted:X with X up to ${PLANTED_MAX}, such as ` +
        'planted:0.5.',
    )
  }
  return { plantedSd, furthestDte: dte ?? 1 }
}
