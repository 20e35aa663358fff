import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/clock.ts'
import { addDays, midnightMs, type Session, sessionOf } from '../src/market/calendar.ts'
import { symbolOf } from '../src/market/contract.ts'
import { EXTENSION_OF_FORM, LEDGER_FORMS, renderLedgerFiles } from '../src/orders/render.ts'
import { carriedInput, loadCarriedPositions } from '../src/store/carried.ts'
import { type Database, openDatabase } from '../src/store/duck.ts'
import { withLock } from '../src/store/lock.ts'
import type { PublishedManifest } from '../src/store/manifest.ts'
import { type Draft, publishSession } from '../src/store/publish.ts'
import { Refusal } from '../src/store/refusal.ts'
import { loadConditions, loadExpiries, loadSession } from '../src/store/session.ts'
import { isSimulated, loadTape, tapeInputs } from '../src/store/tape.ts'
import { codeVersion } from '../src/store/version.ts'
import { runCommand } from './command.ts'
import { buildFold } from './fold.ts'
import { AUDITS, LAST_READS, LEDGER_MODELS } from './models.ts'
import { type Progress, progressOn } from './progress.ts'
import { buildBook, buildLevels, buildSurface } from './surface.ts'

/** Gross premium from which an order enters a ledger, unless the build is told otherwise. */
const MIN_PREMIUM_USD = 100_000

export type BuildOptions = {
  readonly dataFolder: string
  readonly date: string
  readonly minPremiumUsd?: number
  readonly threads?: number
  readonly progress: Progress
}

/** Builds one finished session from its tape, audits it and publishes it. */
export async function buildDay(options: BuildOptions): Promise<PublishedManifest> {
  const { dataFolder, date } = options
  const lock = join(dataFolder, 'work', `build-${date}.lock`)
  return withLock(lock, `Another build of ${date} is running; wait until it has ended.`, () =>
    withBuiltDay(options, async (db, draft) =>
      options.progress.step('publish', () => publishSession(db, dataFolder, draft)),
    ),
  )
}

/** Builds a session in a private database and hands it over; publishes nothing itself. */
export async function withBuiltDay<T>(
  options: BuildOptions,
  use: (db: Database, draft: Draft) => Promise<T>,
): Promise<T> {
  const { dataFolder, date, progress } = options
  const session = sessionOf(date)
  if (!session) {
    throw new Refusal(`${date} is not a session; give a trading day such as 2026-10-15.`)
  }
  const db = await openDatabase({
    threads: options.threads ?? 2,
    memoryLimit: '3GB',
    temporaryFolder: join(dataFolder, 'work', 'spill'),
  })
  try {
    const symbol = await progress.step('load the tape', () => loadDay(db, session, options))
    const drop = (model: string) => dropAfter(db, model)
    await progress.step('fold prints into orders', () => buildFold(db))
    await drop('fold')
    await progress.step('price the surface', () => buildSurface(db, undefined, drop))
    await progress.step('measure the dealer book', () => buildBook(db, drop))
    await progress.step('find the levels', () => buildLevels(db))
    await progress.step('place the orders', () => buildModels(db, LEDGER_MODELS))
    await progress.step('audit', () => audit(db, date))
    return await use(db, await draftOf(db, session, symbol, dataFolder))
  } finally {
    db.close()
  }
}

async function loadDay(db: Database, session: Session, options: BuildOptions): Promise<string> {
  const { dataFolder } = options
  await loadConditions(db)
  await loadTape(db, dataFolder, session.date)
  await loadCarriedPositions(db, dataFolder, session.date)
  const roots = (await db.query('views/tape_roots')).map(row => String(row.root))
  if (roots.length === 0) {
    throw new Refusal(
      `there is no tape of ${session.date}: import one first, for example ` +
        '"tapefold import cboe-trades FILE".',
    )
  }
  const symbols = roots.map(symbolOf)
  const symbol = symbols.includes('SPX') ? 'SPX' : symbols[0]!
  await loadSession(db, {
    session,
    symbol,
    // a finished session: everything that became known on its day
    knownUntilMs: midnightMs(addDays(session.date, 1)),
    minPremiumUsd: options.minPremiumUsd ?? MIN_PREMIUM_USD,
  })
  await loadExpiries(db)
  return symbol
}

/** Memory is what bounds a build: what nobody reads any more makes room. */
async function dropAfter(db: Database, model: string): Promise<void> {
  for (const table of LAST_READS[model] ?? []) await db.run(`drop table ${table}`)
}

async function buildModels(db: Database, models: readonly string[]): Promise<void> {
  for (const model of models) await db.build(model)
}

async function audit(db: Database, date: string): Promise<void> {
  for (const name of AUDITS) {
    const rows = await db.query(`audit/${name}`)
    if (rows.length > 0) {
      throw new Refusal(
        `the build of ${date} fails the audit ${name} in ${rows.length} rows, so the version ` +
          `served before stays; the first is ${JSON.stringify(rows[0])}.`,
      )
    }
  }
}

async function draftOf(
  db: Database,
  session: Session,
  symbol: string,
  dataFolder: string,
): Promise<Draft> {
  const { date } = session
  const [stats] = await db.rows('from ledger.stats')
  const missing = (await db.query('views/missing_minutes')).map(row => String(row.minute_et))
  const expected = (session.closesAtMs - session.opensAtMs) / 60_000
  const counts = await db.query('views/tape_counts')
  const asof = String((await db.query('views/newest_print'))[0]?.asof_et)
  const simulated = isSimulated(dataFolder, date)
  const carried = carriedInput(dataFolder, date)
  const files = renderLedgerFiles({
    day: date,
    symbol,
    asof,
    is_simulated: simulated,
    min_premium_usd: Number(stats!.min_premium_usd),
    stats: stats as never,
    orders: (await db.query('views/ledger_rows')) as never,
  })
  const forms = LEDGER_FORMS.map(form => {
    const { data, etag } = files[form]
    return [form, { data, etag, extension: EXTENSION_OF_FORM[form] }]
  })
  return {
    session_date: date,
    symbol,
    simulated,
    asof,
    code_version: codeVersion(),
    minutes: { expected, present: expected - missing.length, missing },
    inputs: [...tapeInputs(dataFolder, date), ...(carried ? [carried] : [])].map(
      ({ dataset, file, rows, sha256 }) => ({ dataset, file, rows, sha256 }),
    ),
    tape: Object.fromEntries(counts.map(row => [String(row.fate), Number(row.print_count)])),
    forms: Object.fromEntries(forms),
  }
}

if (import.meta.main) {
  runCommand(async () => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { data: { type: 'string', default: 'data' }, 'min-premium': { type: 'string' } },
    })
    if (positionals.length === 0) throw new Refusal('build takes days, such as build 2026-10-15.')
    const floor = values['min-premium']
    if (floor !== undefined && !/^\d+$/.test(floor)) {
      throw new Refusal(`--min-premium is ${floor}; give whole dollars, such as 100000.`)
    }
    const progress = progressOn(process.stdout, systemClock)
    for (const date of positionals) {
      progress.say(`build ${date}`)
      const manifest = await buildDay({
        dataFolder: values.data,
        date,
        ...(floor === undefined ? {} : { minPremiumUsd: Number(floor) }),
        progress,
      })
      const { orders } = manifest.datasets
      progress.say(`${date} is published: ${orders!.rows} orders, revision ${manifest.revision}`)
    }
  })
}
