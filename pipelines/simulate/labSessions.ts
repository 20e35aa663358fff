import type { Database } from '../../src/core/engine/database.ts'
import type { Session } from '../../src/core/market/calendar.ts'
import { MIN_PREMIUM_USD } from '../../src/core/market/minPremium.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { publishedSessions } from '../../src/data/published/manifest.ts'
import { storeSession } from '../../src/data/published/publish.ts'
import { loadSession } from '../../src/data/tape/session.ts'
import { makeHistoryDraft } from './historyDraft.ts'
import { type LabOptions, type LabShown, simulateLabDays } from './labMarket.ts'
import { firstCloseFor } from './labPath.ts'
import { fillExpiries, fillStates, fillVersions } from './labTables.ts'

/** Datasets of a session that LAB reads. */
const DATASETS = PUBLISHED_DATASETS.filter(({ name }) =>
  ['market_minutes', 'large_orders', 'option_minutes', 'smiles', 'settlements'].includes(name),
)
/**
 * Starting index of simulated sessions of prints: this market closes there, so they continue it.
 */
const LAST_CLOSE = 6000

/**
 * Publishes a simulated market of LAB: days left out of it stay unpublished, have a bad tape, or
 * have no minutes. Days that are already published stay as they are, so that a stopped run can
 * continue.
 */
export async function publishLab(
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
    const datasets = DATASETS.filter(
      ({ name }) => day.leftOut !== 'no_minutes' || name === 'large_orders',
    )
    await storeSession(db, dataFolder, { ...draft, datasets }, null)
  }
}

/** Makes the published tables of one day in `ledger`. */
async function buildLab(db: Database, session: Session, shown: LabShown): Promise<void> {
  await loadSession(db, {
    session,
    symbol: 'SPX',
    knownUntilMs: session.closesAtMs,
    minPremiumUsd: MIN_PREMIUM_USD,
  })
  await fillStates(db, session, shown)
  await fillVersions(db, session, shown)
  await fillExpiries(db, shown)
  await db.build('simulate/lab_minutes', {}, 'ledger.market_minutes')
  await db.build('simulate/lab_orders', {}, 'ledger.large_orders')
  await db.build('simulate/lab_option_minutes', {}, 'ledger.option_minutes')
  await db.build('simulate/lab_term_smiles', {}, 'ledger.smiles')
  await db.build('simulate/lab_settlements', {}, 'ledger.settlements')
}
