// Finds the alerts of made sessions in memory, as a watcher does in its database.

import { findMinute } from '../../src/alerts/finding/findMinute.ts'
import { toMinuteFacts } from '../../src/alerts/finding/inputs.ts'
import { memoryBefore, memoryText, parseMemory } from '../../src/alerts/finding/memory.ts'
import type { SessionMinutes } from '../../src/alerts/finding/minutes.ts'
import type { JudgedPosition } from '../../src/alerts/finding/question.ts'
import type { Run } from '../../src/alerts/finding/run.ts'
import { always, type SinceMinute } from '../../src/alerts/finding/sinceMinute.ts'
import { type AccountAlerts, openWatched } from '../../src/alerts/finding/watched.ts'
import type { AlertLine, ListEntry, OrderRule } from '../../src/alerts/kinds.ts'
import type { WatchStates } from '../../src/alerts/rules/minute.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import { messageHours } from '../../src/data/published/messageMinutes.ts'
import { eventBody } from '../../src/outbox/store/body.ts'

const BASE = { symbol: 'SPX', book: 'measured', on: true } as const

/** An entry of each type as it is usual, all of them on. */
export const ENTRIES: readonly ListEntry[] = [
  { ...BASE, type: 'flip_cross', confirm: 2, margin_points: 'auto', certain: false },
  {
    ...BASE,
    type: 'wall_break',
    confirm: 2,
    margin_points: 1,
    walls: ['call_wall', 'put_wall'],
  },
  { ...BASE, type: 'regime_change', confirm: 2 },
  {
    ...BASE,
    type: 'wall_move',
    confirm: 5,
    min_points: 5,
    walls: ['call_wall', 'put_wall'],
  },
  { ...BASE, type: 'flip_move', threshold_points: 10, confirm: 3 },
  {
    ...BASE,
    type: 'level_near',
    threshold_points: 5,
    levels: ['flip', 'call_wall', 'put_wall'],
  },
]

export const findEntry = <Type extends ListEntry['type']>(type: Type) =>
  ENTRIES.find(entry => entry.type === type)!

/** An account with some settings, all there before the session. */
export function account(
  accountId: string,
  set: {
    readonly list?: readonly ListEntry[] | null
    readonly lines?: readonly AlertLine[]
    readonly rules?: readonly OrderRule[]
    readonly sinceMs?: number
  } = {},
): AccountAlerts {
  const { list = [], lines = [], rules = [], sinceMs = 0 } = set
  return {
    accountId,
    list: list?.map(entry => ({ entry, sinceMs })) ?? null,
    lines: lines.map(line => ({ line, sinceMs, armed: true, firedAtMs: null })),
    rules: rules.map(rule => ({ rule, sinceMs })),
  }
}

export type Finding = {
  readonly minutes: SessionMinutes
  readonly accounts: readonly AccountAlerts[]
  readonly usualList?: readonly ListEntry[]
  readonly run?: Run
  readonly price?: WatchStates['price']
  readonly sinceMinute?: SinceMinute
  readonly positionsAt?: (minute: string) => readonly JudgedPosition[]
  /** Minutes that are never taken, as while a file is damaged. */
  readonly skipped?: readonly string[]
  readonly until?: string
}

export type FoundHere = {
  readonly id: string
  readonly accountId: string
  readonly type: string
  readonly minute: string
  readonly channels: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: a body is what a client sees, JSON of any shape
  readonly body: any
}

const LIVE: Run = { id: 'live', isReplay: false, isDelivered: true }

/** Every event of a session, minute by minute; the stored state goes through its text each time. */
export function findSession(finding: Finding): FoundHere[] {
  const { minutes, accounts, usualList = [], run = LIVE, price = null } = finding
  const { sinceMinute = always, positionsAt = () => [], skipped = [], until = '24:00' } = finding
  const { session_date: day, simulated } = minutes.manifest
  const settings = openWatched({ sinceMinute, usualList })
  settings.putAccounts(accounts.map(({ accountId }) => accountId))
  for (const one of accounts) settings.putAlerts(one)
  let memory = memoryBefore(price)
  const all: FoundHere[] = []
  const { firstMs } = messageHours(day)
  for (let atMs = firstMs; atMs <= minutes.untilMs!; atMs += 60_000) {
    const facts = toMinuteFacts(minutes, minutes.minuteAt(atMs))
    const { minute } = facts.input
    if (minute > until) break
    if (skipped.includes(minute)) continue
    const found = findMinute(memory, {
      run,
      facts,
      settings,
      sinceMinute,
      positions: positionsAt(minute),
      isSimulated: simulated,
      foundAtMs: atMs + 3_000,
      atMs,
      minuteEndMs: atMs,
    })
    memory = parseMemory(memoryText(found.memory))
    for (const { lineId, isArmed, firedAtMs } of found.lineChanges) {
      settings.lines.put(settings.findLine(lineId)!, { armed: isArmed, firedAtMs })
    }
    for (const { id, accountId, type, extra, finding: index, channels } of found.events) {
      const { body } = found.findings[index]!
      const text = eventBody({ id, body, extra, hasPutSupport: false })
      all.push({ id, accountId, type, minute, channels, body: JSON.parse(text) })
    }
  }
  return all
}

/** `type minute` of each event, in their order. */
export const findShown = (found: readonly FoundHere[]): string[] =>
  found.map(({ type, minute }) => `${type} ${minute}`)

export const dayMs = (day: string, minute: string): number => instantMs(day, minute)
