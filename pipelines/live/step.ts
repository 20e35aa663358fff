import { join } from 'node:path'
import { ownProcess } from '../../src/disk/process.ts'
import { milestone, runConcurrently } from '../../src/engine/beside.ts'
import { type Database, openDatabase, type Params } from '../../src/engine/database.ts'
import type { Session } from '../../src/market/calendar.ts'
import { loadCarriedPositions, loadPreviousClose } from '../../src/published/carried.ts'
import type { PublishedManifest } from '../../src/published/manifest.ts'
import {
  addExpiries,
  emptyTable,
  type LiveChanges,
  type LiveTape,
  openLiveTape,
  type StepSpan,
  stepSpan,
} from '../../src/tape/growing.ts'
import { isSimulated } from '../../src/tape/manifest.ts'
import {
  loadConditions,
  loadSession,
  makeExpiries,
  type SeenExpiry,
} from '../../src/tape/session.ts'
import { FOLD_PARAMETERS } from '../build/fold.ts'
import { computeDeviations, emptyState, foldNewPrints } from './fold.ts'
import { handOver, type Workspaces } from './handoffs.ts'
import { matchOrdersToLevels, priceOrders, storeOrders } from './placeOrders.ts'
import { buildStates, buildStateTables, priceStates, priceStrikes, storeStates } from './states.ts'
import { openWorkspaces } from './workspaces.ts'

const MINUTE_MS = 60_000

/**
 * What one step takes of what is missing: what it holds grows with both. Prints are folded, minutes
 * are priced.
 */
const STEP_PRINTS = 250_000
const STEP_MINUTES = 120

/**
 * What the engine holds before it spills: a minute of a large session does not, a step that catches
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
  /** What the engine holds before it spills, such as '500MB'. */
  readonly memoryLimit?: string
}

/**
 * A session built state by state, by the models of the nightly build: each state folds again only
 * the prints that its news can have changed, and prices only itself. The database holds what is
 * known so far: `live.spans`, `levels.levels`, `surface.forwards`, `ledger.legs`, and, but for the
 * last step, `ledger.placed`; and of the last step, until `makeReady`, `live.placed_now`,
 * `live.legs_now`, `live.ended`, `live.ended_legs`, `live.levels_now`, `live.profiles_now`,
 * `live.strikes_now`, `live.basis_now`, `live.minutes_now`, `live.large_now`,
 * `live.message_times` and `live.printed_now`.
 */
export type LiveSession = {
  readonly db: Database
  readonly symbol: string
  /** How many minutes of the session the tape has so far, and which have no print. */
  readonly counts: () => Promise<PublishedManifest['minutes']>
  /** What the audits of the last step found wrong, a sentence each. */
  readonly alarms: () => readonly string[]
  /** How far one step gets towards an instant: the instant itself, or a whole minute before it. */
  readonly stepEndMs: (untilMs: number) => Promise<number>
  /** Does of the next step what needs no news of the tape, where its instant is known before. */
  readonly prepare: (untilMs: number) => Promise<void>
  /** Brings everything up to an instant, a whole minute after the last one, in one step. */
  readonly advance: (untilMs: number) => Promise<void>
  /** Does what the next step needs and nobody reads: while nobody waits for it. */
  readonly makeReady: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens a session before its first state. */
export async function openLiveSession(options: LiveOptions): Promise<LiveSession> {
  const { session, symbol, minPremiumUsd, stepPrints = STEP_PRINTS } = options
  const { db, tape } = await openTape(options)
  const stepper: Stepper = { db, tape, seen: new Map(), spaces: null }
  // what no state of the session could know is news of the first one
  let sinceMs = 0
  let isStored = true
  let alarms: readonly string[] = []
  /** The instant that the next step is prepared for. */
  let preparedMs: number | null = null

  /** Keeps what later steps look back on of the last one. */
  const storeLast = async () => {
    if (!stepper.spaces || isStored) return
    await storeStates(stepper.spaces)
    await storeOrders(stepper.spaces)
    isStored = true
  }

  const prepare = async (untilMs: number) => {
    if (preparedMs === untilMs) return
    await storeLast()
    await loadSession(db, {
      session,
      symbol,
      knownUntilMs: untilMs,
      minPremiumUsd,
      isSimulated: isSimulated(options.dataFolder, session.date),
    })
    await db.build('live/step', stepSpan(session, sinceMs, untilMs))
    preparedMs = untilMs
  }

  return {
    db,
    symbol,
    alarms: () => alarms,
    stepEndMs: untilMs => findStepEnd(tape, session, { sinceMs, untilMs, stepPrints }),
    prepare,
    advance: async untilMs => {
      await prepare(untilMs)
      preparedMs = null
      isStored = false
      alarms = await takeStep(stepper, stepSpan(session, sinceMs, untilMs))
      sinceMs = untilMs
    },
    makeReady: async () => {
      await storeLast()
      await db.makeReady()
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

/** What the steps of a session go on with. */
type Stepper = {
  readonly db: Database
  readonly tape: LiveTape
  readonly seen: Map<string, SeenExpiry>
  /** Null before the first step. */
  spaces: Workspaces | null
}

/** Opens the engine, with what the tape says of the session whatever its minutes bring. */
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
  await loadCarriedPositions(db, dataFolder, session.date, symbol)
  await loadPreviousClose(db, dataFolder, session.date, symbol)
  const tape = await openLiveTape(db, dataFolder, session.date, symbol)
  await db.run('create table live.code_runs (exchange varchar, run_length bigint, has_leg boolean)')
  await makeExpiries(db, [])
  return { db, tape }
}

/** Builds the states of a step that is prepared; answers what the audits found wrong. */
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
    () => matchOrdersToLevels(spaces),
    main => buildStateTables({ ...spaces, main }),
  ])
  return alarms
}

/** Neither reads the other. The fold takes longest: what its end alone needs waits for a core. */
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
        await main.build('live/printed_now')
        await handOver(own, 'printed')
        await readCarried(main, span)
        const hasExpiries = await addExpiries(main, seen)
        await priceStates(own, span)
        priced.markReached()
        await judged.reached
        await priceStrikes(own, changes.hasHoldings || hasExpiries)
      }),
  ])
  return alarms
}

/** How far a step gets: as many minutes, and as many prints, as one may hold. */
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

/** Says of the new prints whether their codes say anything, by what was known before each. */
async function judgeCodes(spaces: Workspaces): Promise<void> {
  await spaces.main.build('live/silent_now', FOLD_PARAMETERS)
  await handOver(spaces, 'silenced')
  await spaces.main.build('live/code_runs')
}

/** Finds the prints that the new states are priced by, if the tape has nothing better. */
async function readCarried(db: Database, span: Params): Promise<void> {
  await db.make('live.surface_prints', 'from live.arrivals limit 0')
  const [carried] = await db.query('live/carried')
  if (carried?.is_used) await db.build('live/surface_prints', span)
  else await emptyTable(db, 'live.surface_prints')
}
