import { memoryBefore } from '../../../src/alerts/finding/memory.ts'
import type { MinutesReader } from '../../../src/alerts/finding/readMinutes.ts'
import { always } from '../../../src/alerts/finding/sinceMinute.ts'
import { type AccountAlerts, openWatched } from '../../../src/alerts/finding/watched.ts'
import type { AlertLine, ListEntry, OrderRule } from '../../../src/alerts/kinds.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import type { PublishedManifest } from '../../../src/data/published/manifest.ts'
import { toMinuteEt } from '../../../src/data/published/messageMinutes.ts'
import type { ServerStore } from '../../../src/server/accountStore.ts'
import { createRandom, type Random } from '../../simulate/random.ts'
import { type TakingDeps, takeMinute, type WatchedDay } from '../../watch/takeMinute.ts'

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
    const book = <Basis extends string>(book_basis: Basis) => ({ ...state, book_basis })
    const books = { measured: book('measured'), vol: book('vol'), oi: book('oi') }
    return { day: DAY, minute, atMs, books, orders }
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
    const random = createRandom(index, 'alerts')
    const lines = Array.from({ length: LINES }, (_, line): AlertLine => {
      const isCrossed = line === 0 && index < matching
      // farther away than the index moves
      const away = 5 + random.integer(0, 99_999) / 100
      const price = isCrossed ? 6000 : 6000 + (random.chance(0.5) ? away : -away)
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

/** Returns what takes made minutes one after the other, as the watcher does. */
export function openTaking(
  accounts: ServerStore,
  { ids, alerts }: MadeAccounts,
  { run, now = systemClock.nowMs }: { readonly run: string; readonly now?: () => number },
) {
  const settings = openWatched({ sinceMinute: always, usualList: [] })
  settings.putAccounts(ids)
  for (const one of alerts) settings.putAlerts(one)
  const deps: TakingDeps = {
    accounts,
    run: { id: run, isReplay: true, isDelivered: true },
    marketMs: now,
    systemMs: now,
    positionsAt: async () => [],
    settings: {
      read: async () => ({ settings, positions: [] }),
      readAhead: async () => {},
      readLineStates: async () => {},
    },
  }
  const minutes = madeMinutes()
  let watched: WatchedDay = {
    day: minutes.manifest.session_date,
    sinceMinute: always,
    minute: null,
    states: null,
    memory: memoryBefore(null),
  }
  return async (index: number) => {
    const atMs = firstMinuteMs + index * 60_000
    const tick = (await takeMinute(deps, watched, { minutes, atMs }))!
    watched = tick.watched
    return tick.outcome.events.length
  }
}

const BOOKS = ['measured', 'volume', 'open_interest'] as const

/** Makes one of 180 entries that trigger nothing in these minutes. */
function makeEntry(random: Random): ListEntry {
  const base = { symbol: 'SPX', on: true, book: random.pick(BOOKS) } as const
  const confirm = random.pick([1, 2, 3, 5, 10])
  const walls = ['call_wall', 'put_wall'] as const
  return random.pick<ListEntry>([
    {
      ...base,
      type: 'flip_cross',
      confirm,
      margin_points: random.pick(['auto', 1, 2]),
      certain: false,
    },
    { ...base, type: 'wall_break', confirm, margin_points: random.pick([1, 2, 5]), walls },
    { ...base, type: 'regime_change', confirm },
    { ...base, type: 'flip_move', confirm, threshold_points: random.pick([5, 10, 20]) },
  ])
}

/** Makes one of some hundred rules, which match no order of these minutes. */
function makeRule(id: string, random: Random): OrderRule {
  return {
    id,
    name: 'bench',
    on: true,
    min_premium: random.pick([1, 2, 3, 5, 10]),
    dte_max: random.pick([0, 1, 5, 30]),
    kinds: [random.pick(['vertical', 'iron_condor', 'single'])],
    min_size: random.pick([100, 500, 1000, 5000]),
  }
}
