import { join } from 'node:path'
import { ownProcess } from '../../src/core/disk/process.ts'
import { milestone, runConcurrently } from '../../src/core/engine/concurrent.ts'
import { type Database, openDatabase, type Params } from '../../src/core/engine/database.ts'
import { MINUTE_MS, type Session } from '../../src/core/market/calendar.ts'
import { loadCarried, readCarried } from '../../src/data/published/carried.ts'
import {
  addExpiries,
  emptyTable,
  type LiveChanges,
  type LiveTape,
  openLiveTape,
  type StepSpan,
  stepSpan,
} from '../../src/data/published/growing.ts'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'
import { isSimulated } from '../../src/data/tape/manifest.ts'
import {
  loadConditions,
  loadSession,
  makeExpiries,
  type SeenExpiry,
} from '../../src/data/tape/session.ts'
import { FOLD_PARAMETERS } from '../build/fold.ts'
import { computeDeviations, emptyState, foldNewPrints } from './fold.ts'
import { handOver, SHARED_TABLES, type Workspaces } from './handoffs.ts'
import { matchOrdersToLevels, priceOrders, storeOrders, sumFlows } from './positionOrders.ts'
import {
  buildLevelTables,
  buildStates,
  buildSurfaceTables,
  priceStates,
  priceStrikes,
  storeStates,
} from './states.ts'

/**
 * Limits of one step that catches up: its memory grows with both. Prints are folded, minutes are
 * priced.
 */
const STEP_PRINTS = 250_000
const STEP_MINUTES = 120

/**
 * Memory of the engine before it spills: a minute of a large session does not, a step that catches
 * up with hours does, and takes a twentieth longer than with 2 GB.
 */
const MEMORY_LIMIT = '1200MB'

export type LiveOptions = {
  readonly dataFolder: string
  readonly session: Session
  /** Product of the tape, such as 'SPX'. */
  readonly symbol: string
  readonly minPremiumUsd: number
  readonly threads?: number
  /** The most prints of one step, but for the first minute of it. */
  readonly stepPrints?: number
  /** Memory of the engine before it spills, such as '500MB'. */
  readonly memoryLimit?: string
}

/**
 * A session built state by state, by the models of the nightly build: each state folds again only
 * the prints that new data may affect, and prices only itself. The database holds the data known so
 * far: `live.spans`, `levels.levels`, `surface.forwards`, `ledger.legs`, and, but for the
 * last step, `ledger.order_versions`; and of the last step, until `makeReady`, `live.new_orders`,
 * `live.new_legs`, `live.ended`, `live.ended_legs`, `live.state_levels`, `live.state_profiles`,
 * `live.state_strikes`, `live.state_exposures`, `live.state_expiry_levels`, `live.state_flow`, `live.state_basis`,
 * `live.state_market_minutes`, `live.new_large_orders`, `live.message_times` and
 * `live.new_printed_minutes`.
 */
export type LiveSession = {
  readonly db: Database
  readonly symbol: string
  /** Number of minutes of the session on the tape so far, and those without a print. */
  readonly counts: () => Promise<PublishedManifest['minutes']>
  /** Findings of the audits of the last step, a sentence each. */
  readonly alarms: () => readonly string[]
  /** End of one step towards an instant: the instant itself, or a whole minute before it. */
  readonly stepEndMs: (untilMs: number) => Promise<number>
  /** Brings everything up to an instant, a whole minute after the last one, in one step. */
  readonly advance: (untilMs: number) => Promise<void>
  /** Prepares tables that only the next step reads, which is nearly always a minute: while idle. */
  readonly makeReady: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens a session before its first state. */
export async function openLiveSession(options: LiveOptions): Promise<LiveSession> {
  const { session, symbol, minPremiumUsd, stepPrints = STEP_PRINTS } = options
  const { db, tape } = await openTape(options)
  const stepper: Stepper = { db, tape, seen: new Map(), spaces: null }
  // data older than the session is new to its first state
  let sinceMs = 0
  let isStored = true
  let alarms: readonly string[] = []
  /** The step that the tables without data of the tape are prepared for. */
  let prepared: { readonly untilMs: number; readonly isSimulated: boolean } | null = null

  /** Stores the rows of the last step that later ones look back on. */
  const storeLast = async () => {
    if (!stepper.spaces || isStored) return
    await storeStates(stepper.spaces)
    await storeOrders(stepper.spaces)
    await db.build('live/code_runs')
    isStored = true
  }

  const prepare = async (untilMs: number) => {
    const ofSimulation = isSimulated(options.dataFolder, session.date)
    if (prepared?.untilMs === untilMs && prepared.isSimulated === ofSimulation) return
    await storeLast()
    await loadSession(db, {
      session,
      symbol,
      knownUntilMs: untilMs,
      minPremiumUsd,
      isSimulated: ofSimulation,
    })
    await db.build('live/step', stepSpan(session, sinceMs, untilMs))
    prepared = { untilMs, isSimulated: ofSimulation }
  }

  return {
    db,
    symbol,
    alarms: () => alarms,
    stepEndMs: untilMs => findStepEnd(tape, session, { sinceMs, untilMs, stepPrints }),
    advance: async untilMs => {
      await prepare(untilMs)
      prepared = null
      isStored = false
      alarms = await takeStep(stepper, stepSpan(session, sinceMs, untilMs))
      sinceMs = untilMs
    },
    makeReady: async () => {
      await storeLast()
      await db.makeReady()
      await prepare(sinceMs + MINUTE_MS)
    },
    counts: async () => {
      const rows = await db.query('live/silent_minutes', { until_ms: sinceMs })
      const missing = rows.map(row => String(row.minute_et))
      const expected = (Math.min(sinceMs, session.closesAtMs) - session.opensAtMs) / MINUTE_MS
      return { expected, present: expected - missing.length, missing }
    },
    close: async () => db.close(),
  }
}

/** State that the steps of a session share. */
type Stepper = {
  readonly db: Database
  readonly tape: LiveTape
  readonly seen: Map<string, SeenExpiry>
  /** Null before the first step. */
  spaces: Workspaces | null
}

/** Opens the engine, with the tables of the session that its minutes never change. */
async function openTape(options: LiveOptions): Promise<Pick<Stepper, 'db' | 'tape'>> {
  const { dataFolder, session, symbol, threads = 2, memoryLimit = MEMORY_LIMIT } = options
  const temporaryFolder = join(dataFolder, 'work', `spill-${session.date}-${ownProcess()}`)
  const db = await openDatabase({
    threads,
    memoryLimit,
    temporaryFolder,
    cachesPlans: true,
    hasRegion: true,
  })
  await db.run('create schema live')
  await loadConditions(db)
  await loadCarried(db, readCarried(dataFolder, session.date), symbol)
  const tape = await openLiveTape(db, dataFolder, session.date, symbol)
  await db.run('create table live.code_runs (exchange varchar, run_length bigint, has_leg boolean)')
  await makeExpiries(db, [])
  return { db, tape }
}

/** Builds the states of a step that is prepared; returns the findings of the audits. */
async function takeStep(stepper: Stepper, span: StepSpan): Promise<readonly string[]> {
  const { db, tape } = stepper
  const changes = await tape.look(span.since_ms, span.until_ms)
  await changes.readPrints()
  const isFirst = stepper.spaces === null
  stepper.spaces ??= await openWorkspaces(db)
  const { spaces } = stepper
  await judgeCodes(spaces)
  if (isFirst) await emptyState(spaces)
  const alarms = await foldAndPrice(stepper, spaces, changes, span)
  await runConcurrently(db, [
    async main => {
      await computeDeviations(spaces)
      await buildStates({ ...spaces, main })
    },
    main => priceOrders({ ...spaces, main }, isFirst),
  ])
  await runConcurrently(db, [
    async () => {
      await sumFlows(spaces)
      await matchOrdersToLevels(spaces)
    },
    main => buildLevelTables({ ...spaces, main }),
  ])
  return alarms
}

/** Neither reads the other. The fold takes longest, so work that only its end needs waits. */
async function foldAndPrice(
  { db, seen }: Stepper,
  spaces: Workspaces,
  changes: LiveChanges,
  span: StepSpan,
): Promise<readonly string[]> {
  const isOneMinute = span.until_ms - span.since_ms === MINUTE_MS
  const [priced, judged] = [milestone(), milestone()]
  let alarms: readonly string[] = []
  await runConcurrently(db, [
    main =>
      judged.within(async () => {
        alarms = await foldNewPrints({ ...spaces, main }, { isOneMinute, priced, judged })
      }),
    main =>
      priced.within(async () => {
        const own = { ...spaces, main }
        await changes.readMinutes()
        await main.build('live/new_printed_minutes')
        await handOver(own, 'printed')
        await findSurfacePrints(main, span)
        const hasExpiries = await addExpiries(main, seen)
        await priceStates(own, span)
        priced.markReached()
        await judged.reached
        await priceStrikes(own, changes.hasHoldings || hasExpiries)
        // the end of the fold leaves a core idle
        await buildSurfaceTables(own)
      }),
  ])
  return alarms
}

/** Finds the end of a step: as many minutes, and as many prints, as one may hold. */
async function findStepEnd(
  tape: LiveTape,
  session: Session,
  { sinceMs, untilMs, stepPrints }: StepLimits,
): Promise<number> {
  const firstMs = Math.max(sinceMs, session.opensAtMs - MINUTE_MS) + MINUTE_MS
  if (untilMs <= firstMs) return untilMs
  const lastMs = Math.min(untilMs, firstMs + (STEP_MINUTES - 1) * MINUTE_MS)
  let left = stepPrints
  for (const { atMs, prints } of await tape.countPrints(sinceMs, lastMs)) {
    left -= prints
    // the prints of a minute are known to the state at its end
    if (left < 0 && atMs >= firstMs) return atMs
  }
  return lastMs
}

type StepLimits = {
  readonly sinceMs: number
  readonly untilMs: number
  readonly stepPrints: number
}

/** Finds the new prints whose codes carry no information, from the prints known before each. */
async function judgeCodes(spaces: Workspaces): Promise<void> {
  await spaces.main.build('live/new_silent_prints', FOLD_PARAMETERS)
  await handOver(spaces, 'silenced')
}

/** Finds the prints that the new states are priced by, if the tape has nothing better. */
async function findSurfacePrints(db: Database, span: Params): Promise<void> {
  await db.make('live.surface_prints', 'from live.arrivals limit 0')
  const [carried] = await db.query('live/carried')
  if (carried?.is_used) await db.build('live/surface_prints', span)
  else await emptyTable(db, 'live.surface_prints')
}

/** Opens the databases of a running session: one per task, as a table's columns never change. */
async function openWorkspaces(main: Database): Promise<Workspaces> {
  const open = async (name: string, isOfOneRound = true) => {
    const space = await main.openSeparate(name, { isOfOneRound })
    for (const table of SHARED_TABLES) await space.viewFrom(table)
    return space
  }
  return {
    main,
    // unchanged until another cancel comes
    cancelling: await open('cancelling', false),
    judging: await open('judging'),
    folding: await open('folding'),
    estimating: await open('estimating'),
    // positions at the open are computed once
    pricing: await open('pricing', false),
    matching: await open('matching'),
  }
}
