import {
  addDays,
  instantMs,
  neighbourSession,
  type Session,
} from '../../src/core/market/calendar.ts'
import { createRandom } from './random.ts'

/** Every time inside the simulator is in microseconds since `originMs`. */
export type SimulatedMarket = {
  readonly session: Session
  /** 20:00 ET of the evening before: the overnight session starts at 20:15. */
  readonly originMs: number
  readonly overnightUs: number
  /** 09:25 ET, the end of the overnight session. */
  readonly overnightEndUs: number
  readonly openUs: number
  readonly closeUs: number
  /** Expiry time of this day's PM-settled contracts. */
  readonly pmExpiryUs: number
  /** The end of the curb session. */
  readonly endUs: number
  /** Grid index of an instant. */
  readonly toGridIndex: (timeUs: number) => number
  readonly spot: Float64Array
  /** Instantaneous variance, per year of 252 sessions. */
  readonly variance: Float64Array
  /** Slope of the smile, see `quotes.ts`. */
  readonly rho: Float64Array
  /** Years of 252 sessions since the open: runs fast where the index moves much. */
  readonly businessYears: Float64Array
}

/** Grid of the paths. */
const STEP_US = 100_000
/** Sessions that a year of business time has. */
const SESSIONS_PER_YEAR = 252
/** Share of a day's variance that falls between the close and the open. */
const NIGHT_SHARE = 0.2
const NIGHT_US = 17.5 * 3_600_000_000
const SPOT = 6000

/** Variance the market returns to, per year. */
export const LONG_VARIANCE = 0.165 ** 2
/** Speed at which the variance returns to `LONG_VARIANCE`, per year. */
export const REVERSION = 4

/** The index, its variance and smile every 100 ms, from the evening before to the curb's end. */
export function createMarket(session: Session, seed: number): SimulatedMarket {
  const originMs = instantMs(addDays(session.date, -1), '20:00')
  const sinceOrigin = (atMs: number) => (atMs - originMs) * 1000
  const openUs = sinceOrigin(session.opensAtMs)
  const closeUs = sinceOrigin(session.closesAtMs)
  const pmExpiryUs = sinceOrigin(session.pmExpiresAtMs)
  const endUs = closeUs + 45 * 60_000_000
  const count = Math.ceil(endUs / STEP_US) + 600
  const businessYears = createBusinessClock({ count, openUs, pmExpiryUs })
  const paths = createPaths({ count, openUs, businessYears, seed, hasWeekend: isLong(session) })
  return {
    session,
    originMs,
    overnightUs: sinceOrigin(instantMs(addDays(session.date, -1), '20:15')),
    overnightEndUs: sinceOrigin(instantMs(session.date, '09:25')),
    openUs,
    closeUs,
    pmExpiryUs,
    endUs,
    toGridIndex: timeUs => Math.max(0, Math.min(count - 1, Math.floor(timeUs / STEP_US))),
    businessYears,
    ...paths,
  }
}

/** Business years from the open of this session to the expiry `sessionsAhead` sessions later. */
export const businessYearsTo = (sessionsAhead: number, settlement: 'AM' | 'PM'): number =>
  (sessionsAhead + (settlement === 'PM' ? 1 - NIGHT_SHARE : 0)) / SESSIONS_PER_YEAR

type Clock = { readonly count: number; readonly openUs: number; readonly pmExpiryUs: number }

/** Most variance after the open and before the close, little at night. */
function createBusinessClock({ count, openUs, pmExpiryUs }: Clock): Float64Array {
  const nightRate = NIGHT_SHARE / SESSIONS_PER_YEAR / NIGHT_US
  const dayYears = (1 - NIGHT_SHARE) / SESSIONS_PER_YEAR
  const shape = (u: number) => 1 + 1.4 * Math.exp(-u / 0.06) + 0.6 * Math.exp((u - 1) / 0.05)
  const first = Math.round(openUs / STEP_US)
  const last = Math.round(pmExpiryUs / STEP_US)
  let total = 0
  for (let i = first; i < last; i++) total += shape((i - first) / (last - first))
  const years = new Float64Array(count)
  let elapsed = 0
  for (let i = first; i < count; i++) {
    years[i] = elapsed
    elapsed +=
      i < last ? (dayYears * shape((i - first) / (last - first))) / total : nightRate * STEP_US
  }
  for (let i = first - 1; i >= 0; i--) years[i] = -nightRate * STEP_US * (first - i)
  return years
}

type PathOptions = {
  readonly count: number
  readonly openUs: number
  readonly businessYears: Float64Array
  readonly seed: number
  readonly hasWeekend: boolean
}

/** Stochastic variance that rises when the index falls, jumps in both, and a gap at the open. */
function createPaths({ count, openUs, businessYears, seed, hasWeekend }: PathOptions) {
  const random = createRandom(seed, 'path')
  const spot = new Float64Array(count)
  const variance = new Float64Array(count)
  const rho = new Float64Array(count)
  let logSpot = Math.log(SPOT) + 0.004 * random.normal()
  let logVariance = Math.log(0.14 ** 2) + 0.35 * random.normal()
  let tilt = 0
  const open = Math.round(openUs / STEP_US)
  const gap = (hasWeekend ? 0.0035 : 0.0025) * random.normal()
  const jumps = planJumps(random, open, count)
  const correlation = -0.75
  const volOfVariance = 2.2
  for (let i = 0; i < count; i++) {
    spot[i] = Math.round(Math.exp(logSpot) * 100) / 100
    variance[i] = Math.exp(logVariance)
    rho[i] = -0.6 + 0.04 * Math.tanh(tilt)
    const years = i + 1 < count ? businessYears[i + 1]! - businessYears[i]! : 0
    const root = Math.sqrt(years)
    const shock = random.normal()
    const other = Math.sqrt(1 - correlation ** 2) * random.normal()
    const jump = (i === open - 1 ? gap : 0) + (jumps.get(i) ?? 0)
    logSpot += Math.sqrt(variance[i]!) * root * shock - 0.5 * variance[i]! * years + jump
    logVariance +=
      REVERSION * (Math.log(LONG_VARIANCE) - logVariance) * years +
      volOfVariance * root * (correlation * shock + other) -
      12 * jump
    tilt += -tilt * 2e-4 + 0.02 * random.normal()
  }
  return { spot, variance, rho }
}

/** A few jumps a day, most of them small. */
function planJumps(random: ReturnType<typeof createRandom>, open: number, count: number) {
  const jumps = new Map<number, number>()
  const wanted = random.integer(1, 5)
  for (let k = 0; k < wanted; k++) {
    jumps.set(random.integer(open, count - 1), 0.0015 * random.normal())
  }
  return jumps
}

/** True when more than one night lies before the session. */
const isLong = (session: Session) =>
  neighbourSession(session.date, -1).date !== addDays(session.date, -1)
