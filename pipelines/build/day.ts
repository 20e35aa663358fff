import { systemClock } from '../../src/core/clock.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { checkSession, tradingDayArgument } from '../../src/core/days.ts'
import { lockPath, withLock } from '../../src/core/disk/lock.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { runConcurrently, runOnOneThreadEach } from '../../src/core/engine/concurrent.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { areaDuties } from '../../src/data/areaDuties.ts'
import { formatRows } from '../../src/data/published/analyst.ts'
import { buildInputs, type Carried, readCarried } from '../../src/data/published/carried.ts'
import {
  manifestVersion,
  type PublishedManifest,
  refuseNewer,
} from '../../src/data/published/manifest.ts'
import { type Draft, publishSession, storeSession } from '../../src/data/published/publish.ts'
import type { TapeSymbols } from '../../src/data/tape/tables.ts'
import { commandProgress } from '../command/command.ts'
import type { Meter, Progress } from '../command/progress.ts'
import type { BUILD } from '../command/rows.ts'
import { pullForBuild, pushManifests } from '../command/sharedStore.ts'
import { collectAfter } from '../upkeep/collect.ts'
import { type AuditFinding, describeFinding, findFaults } from './audit.ts'
import {
  BOOK_MODELS,
  EDITION_MODELS,
  FOLD,
  LEDGER_MODELS,
  LEVELS_MODELS,
  SURFACE_MODELS,
} from './dag.ts'
import { droppingUnread } from './drops.ts'
import { buildEditions } from './editions.ts'
import { buildFold, FOLD_PARAMETERS } from './fold.ts'
import { runLabColumnsStep } from './labColumns.ts'
import { loadDay } from './loadDay.ts'
import { openProfile, type Profile } from './profile.ts'
import { type Built, buildDraft } from './publishDraft.ts'
import { setApart } from './setApart.ts'
import { type AfterModel, buildModel, buildModels } from './steps.ts'
import { buildBook, buildLevels, buildSurface } from './surface.ts'
import { readTapeVerdict, refuseTape, type TapeVerdict } from './tapeVerdict.ts'

export type BuildOptions = {
  readonly dataFolder: string
  readonly date: string
  readonly minPremiumUsd?: number
  readonly threads?: number
  /** Does not publish a tape that cannot carry a ledger; else it is published, marked as bad. */
  readonly isBadTapeRefused?: boolean
  /** Reports every measure of the tape, with leftover prints and those quarantined by an audit. */
  readonly isVerbose?: boolean
  /** Measures each model: they then run one after another. */
  readonly profile?: Profile
  /** Files taken from the session before; left out, those that it has published. */
  readonly carried?: Carried | null
  /**
   * True for one of many sessions: the caller checks for newer versions once, and renews the views,
   * which list all sessions.
   */
  readonly isOneOfMany?: boolean
  /** Folder in which its work folder is made; left out, the data folder. */
  readonly workIn?: string
  /** Clock of the publication; left out, the system's. */
  readonly nowMs?: () => number
  readonly progress: Progress
}

/** Builds one finished session from its tape, audits it and publishes it. */
export const buildDay = (options: BuildOptions): Promise<PublishedManifest> =>
  withBuildLock(options, () => buildLockedDay(options))

/** Runs `work` while no other process builds the session. */
export function withBuildLock<T>(
  { dataFolder, date }: Pick<BuildOptions, 'dataFolder' | 'date'>,
  work: () => Promise<T>,
): Promise<T> {
  const path = lockPath(dataFolder, `build-${date}`)
  return withLock(path, `Another build of ${date} is running; wait until it has ended.`, work)
}

/**
 * Builds and publishes a session whose build lock this process holds. Fails with a Refusal when
 * the session was published by somebody else since it began.
 */
export async function buildLockedDay(options: BuildOptions): Promise<PublishedManifest> {
  const { dataFolder, date } = options
  if (!options.isOneOfMany) refuseNewer(dataFolder)
  const replaces = manifestVersion(dataFolder, date)
  const judge = (verdict: TapeVerdict) => {
    const findingsText = options.isVerbose ? verdict.table : verdict.brief
    options.progress.say(`\nthe tape of ${date} is ${verdict.grade}:\n${findingsText}`)
    for (const reason of verdict.reasons) options.progress.say(`  ${reason}`)
    if (options.isBadTapeRefused) refuseTape(date, verdict)
  }
  return withBuiltDay(
    options,
    (db, draft) => {
      const publish = options.isOneOfMany ? storeSession : publishSession
      return options.progress.step('publish', () => publish(db, dataFolder, draft, replaces))
    },
    judge,
  )
}

/**
 * Builds a session in a private database and hands it over; publishes nothing itself. `judge` sees
 * the tape report before anything is made of it, and may throw.
 */
export async function withBuiltDay<T>(
  options: BuildOptions,
  use: (db: Database, draft: Draft) => Promise<T>,
  judge: (verdict: TapeVerdict) => void = () => {},
): Promise<T> {
  const { dataFolder, date, progress, profile } = options
  const session = checkSession(date)
  return withWorkFolder(options.workIn ?? dataFolder, `build-${date}`, async temporaryFolder => {
    const threads = options.threads ?? 2
    const opened = await openDatabase({
      threads,
      memoryLimit: '2GB',
      temporaryFolder,
      hasRegion: true,
    })
    const db = profile ? profile.watch(opened) : opened
    try {
      // read once: what comes while it is built is no input of it
      const carried =
        options.carried === undefined ? readCarried(dataFolder, date) : options.carried
      const inputs = buildInputs(dataFolder, date, carried)
      const symbols = await progress.step('load the tape', () =>
        loadDay(db, session, { ...options, carried }),
      )
      reportOtherSymbols(symbols, progress)
      const { symbol } = symbols
      const isAlone = profile !== undefined
      // its packages are large: read while the engine works, not before it begins
      const loading = areaDuties()
      loading.catch(() => {})
      const describe = async () => {
        const verdict = await readTapeVerdict(db)
        const areas = await loading
        const { nowMs = systemClock.nowMs } = options
        return {
          session,
          symbol,
          dataFolder,
          isAlone,
          inputs,
          verdict,
          nowMs,
          areas,
        }
      }
      const models = {
        what: `build ${date}`,
        unit: 'models',
        total: REPORTED_MODELS.length,
        isUneven: true,
      }
      const { drafting, verdict } = await progress.meter(models, meter =>
        buildVerified(db, threads, progress, describe, meter),
      )
      judge(verdict)
      if (options.isVerbose) await reportOddPrints(db, progress)
      return await use(db, await drafting)
    } finally {
      db.close()
    }
  })
}

/** Names the leftover prints, and those that an audit quarantined. */
async function reportOddPrints(db: Database, { say }: Progress): Promise<void> {
  const rows = await db.query('views/odd_prints')
  if (rows.length === 0) return say('no print is left over or set apart')
  say(formatRows({ names: Object.keys(rows[0]!), rows }, 'table'))
}

/** Result of a verified build: its verdict, and the draft that is still being made. */
type VerifiedBuild = { readonly verdict: TapeVerdict; readonly drafting: Promise<Draft> }

/**
 * Builds every stage and audits it. Prints that an audit names are quarantined, and the session is
 * built again without them: one odd print costs that print, never the day.
 */
async function buildVerified(
  db: Database,
  threads: number,
  progress: Progress,
  describe: () => Promise<Built>,
  meter: Meter,
): Promise<VerifiedBuild> {
  for (let round = 1; ; round++) {
    const after = countModels(droppingUnread(), meter)
    await progress.step('fold the prints, price the surface', () =>
      foldAndPrice(db, threads, after),
    )
    await progress.step('estimate the dealer book', () => buildBook(db, after))
    await progress.step('find the levels', () => buildLevels(db, after))
    await progress.step('rank the orders', () => buildLedger(db, after))
    const built = await describe()
    const { findings, drafting } = await progress.step('audit', () => auditAndDraft(db, built))
    if (findings.length === 0) return { verdict: built.verdict, drafting }
    // it reads the tables that are about to be rebuilt
    await drafting.catch(() => {})
    const count = await setApart(db, built.session.date, findings, round)
    for (const finding of findings) progress.say(`  ${describeFinding(finding)}`)
    progress.say(`  ${count} prints are set apart; the session is built again without them`)
  }
}

/** Models whose end is reported, once each: those before the orders are built in many passes. */
const REPORTED_MODELS: readonly string[] = [
  ...FOLD.trust,
  ...FOLD.orders,
  ...EDITION_MODELS,
  ...SURFACE_MODELS,
  ...BOOK_MODELS,
  ...LEVELS_MODELS,
  ...LEDGER_MODELS,
]

/** Shows how many of the reported models are built. */
function countModels(after: AfterModel, meter: Meter): AfterModel {
  const built = new Set<string>()
  meter.update({ done: 0 })
  return async (model, connection) => {
    await after(model, connection)
    if (REPORTED_MODELS.includes(model)) meter.update({ done: built.add(model).size })
  }
}

/**
 * Neither reads the other. The fold is many small queries, which take a fifth more of the processor
 * on two threads than on one: the surface has the other core.
 */
const foldAndPrice = (db: Database, threads: number, after: AfterModel): Promise<void> =>
  runOnOneThreadEach(db, threads, [
    connection => buildSurface(connection, undefined, after),
    connection => foldDay(connection, after),
  ])

/** Folds the prints, and finds the versions of their orders over time. */
export async function foldDay(connection: Database, after: AfterModel): Promise<void> {
  await buildFold(connection, {}, { after })
  await buildEditions(connection, {}, { after })
}

/** One line on the prints of other symbols than the session's, which are in no order. */
function reportOtherSymbols({ symbol, others }: TapeSymbols, progress: Progress): void {
  if (others.length === 0) return
  const most = others.slice(0, 5).map(other => `${other.symbol} ${other.rows}`)
  const rest = others.length > 5 ? ` and ${others.length - 5} more` : ''
  const count = others.reduce((sum, { rows }) => sum + rows, 0)
  progress.say(`  ${count} prints are not of ${symbol} and stay out: ${most.join(', ')}${rest}`)
}

/**
 * Audits while the draft is made: its rows come to this thread and leave a core idle. A fault of
 * the draft is reported where it is awaited, after the findings of audits and of the tape's judge.
 * Where each is measured, the audits wait for the draft.
 */
async function auditAndDraft(
  db: Database,
  built: Built,
): Promise<{ findings: readonly AuditFinding[]; drafting: Promise<Draft> }> {
  const { promise: drafting, resolve, reject } = Promise.withResolvers<Draft>()
  drafting.catch(() => {})
  let findings: readonly AuditFinding[] = []
  await runConcurrently(db, [
    connection => buildDraft(connection, built).then(resolve, reject),
    async connection => {
      if (built.isAlone) await drafting.catch(() => {})
      findings = await findFaults(connection)
    },
  ])
  return { findings, drafting }
}

const buildLedger = (db: Database, after: AfterModel): Promise<void> =>
  buildModels(db, LEDGER_MODELS, async (connection, model) => {
    await buildModel(connection, model, FOLD_PARAMETERS)
    await after(model, connection)
  })

/** Runs `tapefold build`. */
export async function buildCommand(input: Input<typeof BUILD>): Promise<void> {
  const { words: dates, data: dataFolder } = input
  for (const date of dates) tradingDayArgument(date)
  const progress = commandProgress()
  for (const date of dates) {
    progress.say(`build ${date}`)
    await pullForBuild(dataFolder, date, progress)
    const profile = input.profile ? openProfile(systemClock) : null
    const manifest = await buildDay({
      dataFolder,
      date,
      minPremiumUsd: input['min-premium'],
      isBadTapeRefused: input['refuse-bad-tape'],
      isVerbose: input.verbose,
      ...(profile && { profile }),
      progress: profile ? profile.nameSteps(progress) : progress,
    })
    if (profile) progress.say(profile.table())
    await pushManifests(dataFolder, [{ kind: 'published', key: date }], progress)
    await runLabColumnsStep(dataFolder, date, progress)
    const { orders } = manifest.datasets
    progress.say(`${date} is published: ${orders!.rows} orders, revision ${manifest.revision}`)
  }
  await collectAfter(dataFolder, systemClock, progress.say)
}
