import { join } from 'node:path'
import type { Session } from '../src/market/calendar.ts'
import { loadCarriedPositions, loadPreviousClose } from '../src/store/carried.ts'
import {
  type Database,
  type DatabaseAside,
  openDatabase,
  type Params,
  runBeside,
} from '../src/store/duck.ts'
import { addExpiries, addInvolved, emptyTable, openLiveTape } from '../src/store/live.ts'
import type { PublishedManifest } from '../src/store/manifest.ts'
import { ownProcess } from '../src/store/process.ts'
import { loadConditions, loadSession, makeExpiries, type SeenExpiry } from '../src/store/session.ts'
import { type Desks, openDesks } from './desks.ts'
import { buildEditions, REACH } from './editions.ts'
import { buildFold, FOLD_PARAMETERS } from './fold.ts'
import { lookBack } from './lookBack.ts'
import { buildStates, priceStates } from './states.ts'

const MINUTE_MS = 60_000

/**
 * What one step takes of what is missing: what it holds grows with both. Prints are folded, minutes
 * are priced.
 */
const STEP_PRINTS = 250_000
const STEP_MINUTES = 120

/**
 * What the engine holds before it spills. With 1.2 GB a minute of a large session spills, too, and
 * takes a third longer.
 */
const MEMORY_LIMIT = '2GB'

const PLACING_MODELS = ['book/leg_gammas', 'ledger/leg_texts', 'ledger/order_gammas'] as const

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
 * known so far: `live.spans`, `levels.levels`, `surface.forwards`, `ledger.placed`,
 * `ledger.legs`; and of the last step `live.placed_now`, `live.legs_now`, `live.ended`,
 * `live.levels_now`, `live.profiles_now`, `live.minutes_now`, `live.large_now` and
 * `live.message_times`.
 */
export type LiveSession = {
  readonly db: Database
  readonly symbol: string
  /** How many minutes of the session the tape has so far, and which have no print. */
  readonly counts: () => Promise<PublishedManifest['minutes']>
  /** How far one step gets towards an instant: the instant itself, or a whole minute before it. */
  readonly stepEndMs: (untilMs: number) => Promise<number>
  /** Brings everything up to an instant, a whole minute after the last one, in one step. */
  readonly advance: (untilMs: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens a session before its first state. */
export async function openLiveSession(options: LiveOptions): Promise<LiveSession> {
  const { dataFolder, session, threads = 2, symbol, minPremiumUsd } = options
  const { stepPrints = STEP_PRINTS, memoryLimit = MEMORY_LIMIT } = options
  const temporaryFolder = join(dataFolder, 'work', `spill-${session.date}-${ownProcess()}`)
  const db = await openDatabase({
    ...{ threads, memoryLimit, temporaryFolder },
    keepsPlans: true,
  })
  await db.run('create schema live')
  await loadConditions(db)
  await loadCarriedPositions(db, dataFolder, session.date)
  await loadPreviousClose(db, dataFolder, session.date)
  const tape = await openLiveTape(db, dataFolder, session.date)
  await makeExpiries(db, [])
  const seen = new Map<string, SeenExpiry>()
  // what no state of the session could know is news of the first one
  let sinceMs = 0
  let desks: Desks | null = null

  const advance = async (untilMs: number) => {
    const moment = { since_ms: sinceMs, until_ms: untilMs }
    await loadSession(db, { session, symbol, knownUntilMs: untilMs, minPremiumUsd })
    await db.build('live/step', moment)
    const { hasHoldings } = await tape.read(sinceMs, untilMs)
    await db.build('live/arrivals', moment)
    await readCarried(db, moment)
    const hasExpiries = await addExpiries(db, seen)
    if (!desks) {
      desks = await openDesks(db)
      await emptyState(desks)
    }
    const { pricing, placing } = desks
    // neither reads the other
    await runBeside(db, [
      connection => foldNews({ ...desks!, db: connection }),
      connection => priceStates(connection, pricing, moment),
    ])
    await runBeside(db, [
      connection => buildStates(connection, pricing, hasHoldings || hasExpiries),
      connection => priceOrders(connection, placing),
    ])
    await placeOrders(desks)
    sinceMs = untilMs
  }

  const stepEndMs = async (untilMs: number) => {
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

  return {
    db,
    symbol,
    stepEndMs,
    advance,
    counts: async () => {
      const rows = await db.query('live/silent_minutes', { until_ms: sinceMs })
      const missing = rows.map(row => String(row.minute_et))
      const expected = (Math.min(sinceMs, session.closesAtMs) - session.opensAtMs) / MINUTE_MS
      return { expected, present: expected - missing.length, missing }
    },
    close: async () => db.close(),
  }
}

/** Finds the prints that the new states are priced by, if the tape has nothing better. */
async function readCarried(db: Database, moment: Params): Promise<void> {
  await db.make('live.surface_prints', 'from live.arrivals limit 0')
  const [carried] = await db.query('live/carried')
  if (carried?.is_used) await db.build('live/surface_prints', moment)
  else await emptyTable(db, 'live.surface_prints')
}

const TRUST_MODELS = ['fold/cancel_matches', 'fold/print_fates', 'fold/quote_trust'] as const

/** The tables that a first state looks back on: there, and empty. */
async function emptyState(desks: Desks): Promise<void> {
  const { db, judging, folding, doubting } = desks
  await db.run('create table live.none as from tape.prints limit 0')
  await db.refill('live.involved', 'from live.none')
  await db.refill('live.trust_prints', 'from live.none')
  await judging.viewFrom('live.trust_prints', 'tape.prints')
  for (const model of TRUST_MODELS) await judging.build(model, FOLD_PARAMETERS)
  await judging.copyTo('fold.quote_trust', 'fold.quote_trust')
  await db.refill('live.window_prints', 'from live.none')
  await db.refill('live.window_trust', 'from fold.quote_trust')
  await folding.viewFrom('live.window_prints', 'tape.prints')
  await folding.viewFrom('live.window_trust', 'fold.quote_trust')
  await refold(folding)
  await folding.viewTo('fold.editions', 'live.step_editions')
  await folding.viewTo('fold.edition_legs', 'live.step_edition_legs')
  await db.refill('live.refolded', 'from live.step_editions')
  await db.build('live/new_spans')
  await db.append('live.spans', 'from live.new_spans')
  for (const name of ['pending', 'pending_now']) {
    await db.refill(`live.${name}`, 'from live.step_editions')
    await db.refill(
      `live.${name.replace('pending', 'pending_legs')}`,
      'from live.step_edition_legs',
    )
  }
  await doubting.viewFrom('live.pending_now', 'fold.editions')
  await doubting.viewFrom('live.pending_legs_now', 'fold.edition_legs')
  await doubting.viewFrom('tape.minutes')
  await doubtOrders(desks)
  await doubting.viewTo('book.flows', 'live.step_flows')
  await doubting.viewTo('book.doubt_products', 'live.step_products')
  await db.refill('live.flows', 'select * exclude (minute_at) from live.step_flows')
  await db.refill('live.products', 'select * exclude (minute_at) from live.step_products')
}

/** Folds the prints of the desk. */
async function refold(folding: DatabaseAside): Promise<void> {
  await buildFold(folding, {}, { isTrustKnown: true })
  await buildEditions(folding)
}

/** Folds what the new prints can have changed, once it is known which quotes may be believed. */
async function foldNews(desks: Desks): Promise<void> {
  await matchCancels(desks)
  await judgeQuotes(desks)
  await foldWindow(desks)
}

/** Says of every cancel so far which print it takes off. */
async function matchCancels({ db, cancelling }: Desks): Promise<void> {
  await db.build('live/cancels_now')
  await db.build('live/keys_now')
  await db.append('live.keys', 'from live.keys_now')
  await db.build('live/found_now')
  await addInvolved(db)
  await cancelling.viewFrom('live.involved', 'tape.prints')
  await cancelling.build('fold/cancel_matches')
  await cancelling.viewTo('fold.cancel_matches', 'fold.cancel_matches')
}

/** Says of every new print whether its quotes may be believed. */
async function judgeQuotes({ db, judging }: Desks): Promise<void> {
  await db.build('live/message_times')
  await db.build('live/span', FOLD_PARAMETERS)
  const [span] = await db.rows('select epoch_us(trust_from) as from_us from live.span')
  await db.build('live/trust_prints', { from_us: Number(span?.from_us ?? 0) })
  for (const model of TRUST_MODELS) await judging.build(model, FOLD_PARAMETERS)
  await judging.viewTo('fold.quote_trust', 'live.step_trust')
  await db.build('live/new_trust')
  await db.append('fold.quote_trust', 'from live.new_trust')
}

/** Folds again what the new prints can have changed. */
async function foldWindow(desks: Desks): Promise<void> {
  const { db, folding } = desks
  await db.build('live/news')
  await db.build('live/zones', REACH)
  const [zones] = await db.rows('select min(from_us) as from_us from live.zones')
  await db.build('live/window_prints', { from_us: Number(zones?.from_us ?? 0) })
  await db.build('live/window_trust')
  await refold(folding)
  await db.build('live/refolded')
  await db.build('live/refolded_legs')
  await db.build('live/replaced')
  for (const name of ['pending_now', 'pending_legs_now']) await db.build(`live/${name}`)
  await doubtOrders(desks)
  await db.build('live/new_spans')
  await db.repeat('delete from live.spans where edition_id in (from live.replaced)')
  await db.append('live.spans', 'from live.new_spans')
  await db.build('live/known_now')
  await db.build('live/known_legs')
}

/**
 * Says what the versions that wait to be known add to the book, and what they may add other than
 * they read.
 */
async function doubtOrders({ doubting }: Desks): Promise<void> {
  await doubting.build('book/flows')
  await doubting.build('book/doubts')
  await doubting.view('book/doubt_products')
}

/** Finds the gammas of the orders that became known, in the states of their minutes. */
async function priceOrders(db: Database, placing: DatabaseAside): Promise<void> {
  await db.build('live/placing_minutes', {}, 'live.states')
  await lookBack(db, placing)
  await placing.viewFrom('live.known_now', 'fold.editions')
  await placing.viewFrom('live.known_legs', 'fold.edition_legs')
  for (const model of PLACING_MODELS) await placing.build(model)
}

/** Places the orders that became known against the levels of their minutes. */
async function placeOrders({ db, placing }: Desks): Promise<void> {
  await placing.viewFrom('levels.levels')
  await placing.view('ledger/placed')
  await placing.build('ledger/legs')
  // a version may begin and end within the step
  await placing.build('ledger/revision_legs', {}, 'ledger.brief_legs')
  await placing.copyTo('ledger.placed', 'live.placed_now')
  await placing.viewTo('ledger.legs', 'live.legs_now')
  await placing.viewTo('ledger.brief_legs', 'live.brief_legs')
  await db.append('ledger.placed', 'from live.placed_now')
  await db.append('ledger.legs', 'from live.legs_now')
  await db.append('ledger.legs', 'from live.brief_legs')
  await db.build('live/ended')
  await db.build('live/ended_legs')
  await db.build('live/standing_now')
  await placing.viewFrom('live.standing_now', 'ledger.orders')
  await placing.viewFrom('live.ended', 'ledger.revisions')
  await placing.viewFrom('live.ended_legs', 'ledger.revision_legs')
  await placing.build('ledger/large_orders')
  await placing.viewTo('ledger.large_orders', 'live.large_now')
  for (const name of ['pending', 'pending_legs']) await db.build(`live/${name}`)
}
