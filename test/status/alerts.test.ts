// A watcher that stalls, and events that wait, are reported by how long they delay people.

import { expect, test } from 'vitest'
import { instantMs } from '../../src/core/market/calendar.ts'
import type { OutboxState } from '../../src/outbox/store/types.ts'
import { openAlertsLook } from '../../src/status/alerts.ts'
import { judgeStatus } from '../../src/status/judge.ts'
import { findCatalog, type Reported } from '../support/catalog.ts'

const DAY = '2026-10-15'
const NONE: OutboxState = {
  waiting: 0,
  trying: 0,
  oldestDueMs: null,
  sentLastHour: 3,
  failedLastHour: 1,
  watched: [],
}

/** A running session that stands at a minute, and what the store says of the watch. */
function lookAt(
  known: string,
  changes: Partial<OutboxState>,
  session: Reported = {},
  isReplay = false,
) {
  const clock = { atMs: instantMs(DAY, known) + 5_000 }
  const sessions: Record<string, Reported> = {
    '2026-10-14': {},
    [DAY]: { knownBeforeMs: instantMs(DAY, known), asof: `${known}:00`, ...session },
  }
  const catalog = findCatalog(sessions)
  const store = { state: { ...NONE, ...changes } as OutboxState | null }
  const nowMs = () => clock.atMs
  const alerts = openAlertsLook({
    catalog,
    nowMs,
    isReplay,
    elapsedMs: nowMs,
    outboxState: async () => {
      if (!store.state) throw new Error('it is away')
      return store.state
    },
  })
  const judge = async () => {
    await alerts.look().catch(() => {})
    const deps = { catalog, nowMs, publishGraceMs: 60_000, isLive: false, alerts: alerts.read }
    const { alerts: reported, problems, warnings } = judgeStatus(deps)
    const isOurs = (text: string) => /alerts were|waits to be sent/.test(text)
    return { told: reported, problems: problems.filter(isOurs), warnings: warnings.filter(isOurs) }
  }
  return { clock, store, judge }
}

const watchedTo = (minute: string | null) => ({ watched: [{ run: 'live', day: DAY, minute }] })

test('who has watched the newest minute has no lag', async () => {
  const { judge } = lookAt('10:31', watchedTo('10:31'))
  const { told: reported, problems, warnings } = await judge()
  expect(reported).toMatchObject({ day: DAY, minute: '10:31', lag_s: 0, sent_last_hour: 3 })
  expect([...problems, ...warnings]).toEqual([])
})

test('a replay does not wait for the watch of the live sessions, which stands still', async () => {
  const { clock, judge } = lookAt('10:31', watchedTo('10:30'), {}, true)
  await judge()
  clock.atMs += 900_000
  const { told: reported, problems, warnings } = await judge()
  expect(reported).toMatchObject({ day: null, minute: null, lag_s: null, sent_last_hour: 3 })
  expect([...problems, ...warnings]).toEqual([])
})

test.each([
  [119, [], []],
  [120, [], ['after 2026-10-15 10:30']],
  [299, [], ['after 2026-10-15 10:30']],
  [300, ['after 2026-10-15 10:30'], []],
])('a minute that nobody watched for %i s', async (seconds, problems, warnings) => {
  const { clock, judge } = lookAt('10:31', watchedTo('10:30'))
  await judge()
  clock.atMs += seconds * 1000
  const judged = await judge()
  expect(judged.told!.lag_s).toBe(seconds)
  for (const [texts, parts] of [
    [judged.problems, problems],
    [judged.warnings, warnings],
  ] as const) {
    expect(texts).toHaveLength(parts.length)
    for (const part of parts) expect(texts[0]).toContain(part)
  }
})

test('a session that is published whole is not late by the hours that it took', async () => {
  const { judge, clock } = lookAt('16:18', watchedTo(null))
  clock.atMs = instantMs(DAY, '20:00')
  expect((await judge()).told!.lag_s).toBe(0)
  clock.atMs += 400_000
  expect((await judge()).problems).toHaveLength(1)
})

test('nobody has watched as yet, or a replay has: that is no lag', async () => {
  const replay = { watched: [{ run: 'replay_0123456789ab', day: DAY, minute: '09:40' }] }
  for (const state of [{}, replay]) {
    const { judge, clock } = lookAt('10:31', state)
    await judge()
    clock.atMs += 900_000
    expect((await judge()).told).toMatchObject({ day: null, minute: null, lag_s: null })
  }
})

test.each([
  [119, 0, 0],
  [120, 0, 1],
  [300, 1, 0],
])('an event that is due for %i s', async (seconds, problems, warnings) => {
  const { judge, clock, store } = lookAt('10:31', watchedTo('10:31'))
  store.state = { ...store.state!, waiting: 1, oldestDueMs: clock.atMs - seconds * 1000 }
  const judged = await judge()
  expect(judged.told).toMatchObject({ waiting: 1, oldest_due_s: seconds })
  expect([judged.problems.length, judged.warnings.length]).toEqual([problems, warnings])
})

test('the state of a store before it went away is not reported on', async () => {
  const { judge, store } = lookAt('10:31', watchedTo('10:31'))
  await judge()
  store.state = null
  expect((await judge()).told).toBeNull()
})
