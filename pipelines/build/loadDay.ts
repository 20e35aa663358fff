import { Refusal } from '../../src/core/disk/refusal.ts'
import type { Database } from '../../src/core/engine/database.ts'
import {
  addDays,
  midnightMs,
  type Session,
  type SessionDate,
} from '../../src/core/market/calendar.ts'
import { MIN_PREMIUM_USD } from '../../src/core/market/minPremium.ts'
import {
  type Carried,
  loadCarried,
  readCarried,
  refuseDamagedCarried,
} from '../../src/data/published/carried.ts'
import { damagedTape } from '../../src/data/published/damage.ts'
import { isSimulated, tapeFiles } from '../../src/data/tape/manifest.ts'
import {
  loadConditions,
  loadExpiries,
  loadSession,
  loadTapeLimits,
} from '../../src/data/tape/session.ts'
import { loadBatches, loadTape, readSymbols, type TapeSymbols } from '../../src/data/tape/tables.ts'

/** Makes every table of the tape that a build reads; returns their symbol, such as 'SPX'. */
export async function loadDay(
  db: Database,
  session: Session,
  options: {
    readonly dataFolder: string
    readonly minPremiumUsd?: number
    /** Files taken from the session before; left out, those that it has published. */
    readonly carried?: Carried | null
  },
): Promise<TapeSymbols> {
  const { dataFolder, carried = readCarried(dataFolder, session.date) } = options
  await refuseDamagedInputs(dataFolder, session.date)
  await refuseDamagedCarried(carried, session.date)
  const symbols = await readBuiltSymbols(db, dataFolder, session.date)
  const { symbol } = symbols
  await loadConditions(db)
  await loadTapeLimits(db)
  await loadTape(db, dataFolder, session.date, symbol)
  await loadBatches(db, dataFolder, session.date)
  await loadCarried(db, carried, symbol)
  await loadSession(db, {
    session,
    symbol,
    // a finished session: everything that became known on its day
    knownUntilMs: midnightMs(addDays(session.date, 1)),
    minPremiumUsd: options.minPremiumUsd ?? MIN_PREMIUM_USD,
    isSimulated: isSimulated(dataFolder, session.date),
  })
  await loadExpiries(db)
  return symbols
}

/**
 * Reads the symbols of a session's prints. One without prints has those of its chain: its quotes
 * and open interest give levels, and it has no orders. Fails with a Refusal where there is neither.
 */
async function readBuiltSymbols(
  db: Database,
  dataFolder: string,
  date: SessionDate,
): Promise<TapeSymbols> {
  const symbols = await readSymbols(db, dataFolder, date, ['prints'])
  if (symbols) return symbols
  const hasInterest = tapeFiles(dataFolder, 'open_interest', date).length > 0
  const chain = hasInterest ? await readSymbols(db, dataFolder, date, ['quotes']) : null
  if (chain) return { symbol: chain.symbol, others: [] }
  throw new Refusal(
    `there are no prints of ${date}: import them first, for example ` +
      '"tapefold import cboe-trades FILE". Levels alone need quotes and open interest: ' +
      '"tapefold import cboe-chain FILE".',
  )
}

/** The engine reads a flipped bit as another price: only the hash detects it. */
async function refuseDamagedInputs(dataFolder: string, date: string): Promise<void> {
  const [first] = await damagedTape(dataFolder, date)
  if (first !== undefined) throw new Refusal(`${first}.`)
}
