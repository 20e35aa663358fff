import type { MinutesReader } from '../../../src/alerts/finding/readMinutes.ts'
import type { AccountAlerts } from '../../../src/alerts/finding/watched.ts'
import type { AlertLine, ListEntry, OrderRule } from '../../../src/alerts/kinds.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import type { PublishedManifest } from '../../../src/data/published/manifest.ts'
import { toMinuteEt } from '../../../src/data/published/messageMinutes.ts'

/** A session and settings of many accounts, made in memory: nothing is read from a disk. */

export const DAY = '2026-10-15'
export const firstMinuteMs = instantMs(DAY, '09:31')

/** The index crosses 6000 and returns, far enough that a line there is armed again. */
const SPOTS = [5997, 6003] as const
/** Entries, lines and rules of an account: ten in all. */
const [ENTRIES, LINES, RULES] = [4, 3, 3]

type SessionMinutes = Awaited<ReturnType<MinutesReader['read']>>
type MarketMinute = ReturnType<SessionMinutes['minuteAt']>

/** Minutes with eight orders each, and levels at which nothing happens. */
export function madeMinutes(): SessionMinutes {
  const minuteAt = (atMs: number): MarketMinute => {
    const index = (atMs - firstMinuteMs) / 60_000
    const minute = toMinuteEt(atMs)
    const state = {
      minute_et: minute,
      spot: SPOTS[index % 2]!,
      net_gamma_musd_per_point: 40,
      flip: 5960,
      flip_roots: [5960],
      flip_lo: 5950,
      flip_hi: 5970,
      call_wall: 6050,
      put_wall: 5940,
      reason: null,
    }
    const orders = Array.from({ length: 8 }, (_, order) => ({
      state_ms: atMs,
      visible_us: atMs * 1000,
      order_id: `${minute} ${order}`,
      revision_number: 1,
      minute_et: minute,
      structure: 'vertical',
      legs_text: '6000C',
      main_expiry: DAY,
      size: 100 + order,
      gross_premium_usd: 1e5 * (order + 1),
      net_premium_usd: 5e4,
      dealer_gamma_musd_per_point: 1,
      spot: 6000,
      flip: 5960,
      fold_confidence: 0.9,
    }))
    const { measured, vol, oi } = {
      measured: { ...state, book_basis: 'measured' as const },
      vol: { ...state, book_basis: 'vol' as const },
      oi: { ...state, book_basis: 'oi' as const },
    }
    return { day: DAY, minute, atMs, books: { measured, vol, oi }, orders }
  }
  const manifest = { session_date: DAY, simulated: false } as PublishedManifest
  return { manifest, untilMs: null, minuteAt, findState: () => null, listVersions: () => [] }
}

export type MadeAccounts = {
  readonly ids: readonly string[]
  readonly alerts: readonly AccountAlerts[]
}

/**
 * Makes accounts with ten realistic settings each: lists and rules of round numbers, lines at any
 * price. `matching` of them have a line that is crossed every minute.
 */
export function madeAccounts(ids: readonly string[], matching: number): MadeAccounts {
  const alerts = ids.map((accountId, index) => {
    const random = numbersFrom(index)
    const lines = Array.from({ length: LINES }, (_, line): AlertLine => {
      const isCrossed = line === 0 && index < matching
      // farther away than the index moves
      const away = 5 + Math.floor(random() * 100_000) / 100
      const price = isCrossed ? 6000 : 6000 + (random() < 0.5 ? away : -away)
      const id = `l_${index}_${line}`
      return { id, kind: 'price', price, mode: 'repeat', direction: 'any', note: null }
    })
    const rules = Array.from({ length: RULES }, (_, rule) => makeRule(`r_${index}_${rule}`, random))
    return {
      accountId,
      list: Array.from({ length: ENTRIES }, () => ({ entry: makeEntry(random), sinceMs: 0 })),
      lines: lines.map(line => ({ line, sinceMs: 0, armed: true, firedAtMs: null })),
      rules: rules.map(rule => ({ rule, sinceMs: 0 })),
    }
  })
  return { ids, alerts }
}

const BOOKS = ['measured', 'volume', 'open_interest'] as const

/** Makes one of 180 entries that trigger nothing in these minutes. */
function makeEntry(random: () => number): ListEntry {
  const one = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!
  const base = { symbol: 'SPX', on: true, book: one(BOOKS) } as const
  const confirm = one([1, 2, 3, 5, 10])
  const walls = ['call_wall', 'put_wall'] as const
  return one<ListEntry>([
    { ...base, type: 'flip_cross', confirm, margin_points: one(['auto', 1, 2]), certain: false },
    { ...base, type: 'wall_break', confirm, margin_points: one([1, 2, 5]), walls },
    { ...base, type: 'regime_change', confirm },
    { ...base, type: 'flip_move', confirm, threshold_points: one([5, 10, 20]) },
  ])
}

/** Makes one of some hundred rules, which match no order of these minutes. */
function makeRule(id: string, random: () => number): OrderRule {
  const one = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!
  return {
    id,
    name: 'bench',
    on: true,
    min_premium: one([1, 2, 3, 5, 10]),
    dte_max: one([0, 1, 5, 30]),
    kinds: [one(['vertical', 'iron_condor', 'single'])],
    min_size: one([100, 500, 1000, 5000]),
  }
}

/** The same numbers on every run. */
function numbersFrom(seed: number): () => number {
  let state = (seed + 1) * 2_654_435_761
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
