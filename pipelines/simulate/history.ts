import { listMinutes, type Session } from '../../src/core/market/calendar.ts'
import { MIN_PREMIUM_USD } from '../../src/core/market/minPremium.ts'
import { createRandom, type Random } from './random.ts'

/**
 * Kinds of labels: informative when the index moves far on the days with warnings; none otherwise.
 */
export const LABEL_KINDS = ['informative', 'none'] as const
export type LabelKind = (typeof LABEL_KINDS)[number]

export type HistoryOptions = {
  readonly seed: number
  readonly labels: LabelKind
  /** Index at the close of the session before. */
  readonly previousClose: number
}

/** A minute as SQL makes a market of it; see `sql/simulate/history_minutes.sql`. */
export type HistoryMinute = {
  readonly minute_et: string
  readonly at_ms: number
  readonly spot: number
  /** Implied variance x years of the expiry of the day, at the money; zero from the close on. */
  readonly variance: number
  /** Its rise towards lower strikes, a standard deviation. */
  readonly slope: number
  readonly net_gamma: number
  readonly flip: number
  readonly call_wall: number
  readonly put_wall: number
}

export type HistoryOrder = {
  readonly number: number
  readonly minute_et: string
  readonly at_ms: number
  readonly premium_usd: number
  /** NaN where the side is unknown. */
  readonly gamma: number
  readonly strike: number
}

export type HistorySession = {
  readonly minutes: readonly HistoryMinute[]
  readonly orders: readonly HistoryOrder[]
  readonly close: number
}

/** Standard deviation of a whole session's move. */
const DAY_DEVIATION = 0.008
const ORDERS_A_SESSION = 60
const grid = (point: number) => 5 * Math.round(point / 5)

/**
 * Simulates one session of minutes, not of prints: enough to judge positions by, a thousand
 * sessions in minutes. A session is calm or stressed, which gamma, flip, walls, skew and orders
 * show. Where the labels are informative the index then moves less or more than implied; where they
 * are not, its steps are the same every day, so that no label has any information.
 */
export function simulateHistory(session: Session, options: HistoryOptions): HistorySession {
  const random = createRandom(options.seed, `history ${session.date}`)
  const isStressed = random.chance(0.5)
  const moves = options.labels === 'none' ? 1 : isStressed ? 1.7 : 0.6
  const open = options.previousClose * (1 + (isStressed ? 0.006 : 0.002) * random.normal())
  const shown = showing(random, { isStressed, open })
  const hours = session.pmExpiresAtMs - session.opensAtMs
  const step = (DAY_DEVIATION * moves) / Math.sqrt(hours / 60_000)
  const implied = DAY_DEVIATION * (isStressed ? 1.15 : 1) * Math.exp(0.1 * random.normal())
  const minutes: HistoryMinute[] = []
  let spot = open
  let close = open
  for (const { minute, atMs } of listMinutes(session)) {
    const left = Math.max(0, (session.pmExpiresAtMs - atMs) / hours)
    const rise = isStressed ? 1 + 0.35 * (1 - left) : 1 - 0.1 * (1 - left)
    const point = Math.round(spot * 100) / 100
    minutes.push({
      minute_et: minute,
      at_ms: atMs,
      spot: point,
      ...shown,
      variance: (implied * rise) ** 2 * left,
    })
    if (atMs <= session.pmExpiresAtMs) close = point
    spot *= 1 + step * random.normal()
  }
  return { minutes, orders: drawOrders(random, { minutes, isStressed }), close }
}

type Day = { readonly isStressed: boolean; readonly open: number }

/** Levels of the day, fixed at their values of the open. */
function showing(random: Random, { isStressed, open }: Day) {
  const wall = isStressed ? 65 : 20
  return {
    slope: isStressed ? 0.28 : 0.1,
    net_gamma: (isStressed ? -1 : 1) * random.integer(80, 400) + random.uniform(),
    flip: open + (isStressed ? random.integer(4, 14) : -random.integer(30, 70)) + random.uniform(),
    call_wall: grid(open + wall),
    put_wall: grid(open - wall),
  }
}

type Orders = { readonly minutes: readonly HistoryMinute[]; readonly isStressed: boolean }

function drawOrders(random: Random, { minutes, isStressed }: Orders): HistoryOrder[] {
  const orders = Array.from({ length: ORDERS_A_SESSION }, () => {
    const minute = random.pick(minutes)
    const gamma = (isStressed ? -9 : 6) + 8 * random.normal()
    return {
      minute_et: minute.minute_et,
      at_ms: minute.at_ms + random.integer(0, 59_000),
      premium_usd: MIN_PREMIUM_USD + Math.round(random.exponential(1_500_000)),
      gamma: random.chance(0.25) ? Number.NaN : gamma,
      strike: grid(minute.spot + 30 * random.normal()),
    }
  })
  return orders
    .sort((a, b) => a.at_ms - b.at_ms)
    .map((order, index) => ({ number: index + 1, ...order }))
}
