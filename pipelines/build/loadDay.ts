import { Refusal } from '../../src/core/disk/refusal.ts'
import type { Database } from '../../src/core/engine/database.ts'
import { addDays, midnightMs, type Session } from '../../src/core/market/calendar.ts'
import { MIN_PREMIUM_USD } from '../../src/core/market/minPremium.ts'
import {
  type Carried,
  loadCarried,
  readCarried,
  refuseDamagedCarried,
} from '../../src/data/published/carried.ts'
import { damagedTape } from '../../src/data/published/damage.ts'
import { isSimulated } from '../../src/data/tape/manifest.ts'
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
  const symbols = await readSymbols(db, dataFolder, session.date, ['prints'])
  if (!symbols) {
    throw new Refusal(
      `there are no prints of ${session.date}: import them first, for example ` +
        '"tapefold import cboe-trades FILE".',
    )
  }
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

/** The engine reads a flipped bit as another price: only the hash detects it. */
async function refuseDamagedInputs(dataFolder: string, date: string): Promise<void> {
  const [first] = await damagedTape(dataFolder, date)
  if (first !== undefined) throw new Refusal(`${first}.`)
}
