import { expect, test } from 'vitest'
import {
  type DueState,
  dueBuilds,
  dueNight,
  RETRY_MS,
  SETTLE_MS,
} from '../../../pipelines/upkeep/dueSessions.ts'
import { addDays, findTradingSession } from '../../../src/core/market/calendar.ts'
import { randomNumbers } from '../../support/random.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const MINUTE_MS = 60_000

const due = (now: string, changes: Partial<DueState> = {}) =>
  dueBuilds({
    nowMs: at(now),
    tapes: [now.slice(0, 10)],
    isCurrent: () => false,
    failedAtMs: new Map(),
    ...changes,
  })

// every session is due a quarter of an hour after its close in New York, whatever that is in UTC
test.each([
  ['2026-10-15', '20:30', 'a full session in summer time closes at 16:15 ET'],
  ['2026-03-06', '21:30', 'the Friday before the clocks go forward'],
  ['2026-03-09', '20:30', 'the Monday after it'],
  ['2026-10-30', '20:30', 'the Friday before the clocks go back'],
  ['2026-11-02', '21:30', 'the Monday after it'],
  ['2026-11-27', '18:30', 'the half day after Thanksgiving closes at 13:15 ET'],
  ['2025-12-24', '18:30', 'the half day before Christmas'],
  ['2025-07-03', '17:30', 'the half day before Independence Day'],
])('%s is due from %s UTC on: %s', (date, minute) => {
  const early = new Date(at(`${date}T${minute}`) - 1).toISOString().slice(0, -1)
  expect(due(early)).toEqual([])
  expect(due(`${date}T${minute}:00`)).toEqual([date])
})

test.each(['2026-07-03', '2026-09-07', '2025-01-09', '2026-10-17'])(
  'a tape of %s, when there is no session, is never built',
  date => expect(due(`${addDays(date, 3)}T23:00:00`, { tapes: [date] })).toEqual([]),
)

test('what was missed while nobody was there is due, oldest first, and no tape is no work', () => {
  const tapes = ['2026-10-15', '2026-10-09', '2026-10-13']
  expect(due('2026-10-18T12:00:00', { tapes })).toEqual(['2026-10-09', '2026-10-13', '2026-10-15'])
  expect(due('2026-10-18T12:00:00', { tapes: [] })).toEqual([])
})

test('31 days back are caught up, not 32', () => {
  const tapes = ['2026-09-14', '2026-09-15']
  expect(due('2026-10-16T12:00:00', { tapes })).toEqual(['2026-09-15'])
})

test('what is up to date is not due', () => {
  const isCurrent = (date: string) => date === '2026-10-13'
  const tapes = ['2026-10-13', '2026-10-14']
  expect(due('2026-10-18T12:00:00', { tapes, isCurrent })).toEqual(['2026-10-14'])
})

test('a session that failed rests for an hour, also when the clock is put back', () => {
  const tapes = ['2026-10-14']
  const failed = at('2026-10-15T12:00:00')
  const failedAtMs = new Map([['2026-10-14', failed]])
  const dueAt = (nowMs: number) =>
    dueBuilds({ nowMs, tapes, isCurrent: () => false, failedAtMs }).length
  expect([dueAt(failed), dueAt(failed + RETRY_MS - 1), dueAt(failed + RETRY_MS)]).toEqual([0, 0, 1])
  expect(dueAt(failed - RETRY_MS)).toBe(1)
})

/** Instants of a clock that ticks every ten minutes and is not to be trusted. */
function* badClock(from: string, ticks: number, seed: number): Generator<number> {
  const random = randomNumbers(seed)
  let nowMs = at(from)
  for (let tick = 0; tick < ticks; tick++) {
    const dice = random()
    if (dice < 0.03)
      yield nowMs - 60 * MINUTE_MS // put back an hour
    else if (dice < 0.06)
      nowMs += 60 * MINUTE_MS // put forward, or stopped for an hour
    else if (dice < 0.1) yield nowMs // frozen
    nowMs += 10 * MINUTE_MS + Math.round((random() - 0.5) * 6_000) // and jitters by 3 s
    yield nowMs
  }
}

// the two changes of the clocks, Thanksgiving and Christmas of 2026
test.each(['2026-03-05', '2026-10-29', '2026-11-23', '2026-12-21'])(
  'from %s, under a bad clock, each session is built once, each night verified once',
  from => {
    const days = Array.from({ length: 10 }, (_, index) => addDays(from, index))
    for (let seed = 1; seed <= 2; seed++) {
      const built: string[] = []
      const nights: string[] = []
      let latestMs = 0
      for (const nowMs of badClock(`${from}T12:00:00`, 9 * 144, seed)) {
        latestMs = Math.max(latestMs, nowMs)
        const isCurrent = (date: string) => built.includes(date)
        for (const date of dueBuilds({ nowMs, tapes: days, isCurrent, failedAtMs: new Map() })) {
          expect(nowMs).toBeGreaterThanOrEqual(findTradingSession(date)!.closesAtMs + SETTLE_MS)
          built.push(date)
        }
        const night = dueNight(nowMs, nights.at(-1) ?? null)
        if (night !== null) nights.push(night)
      }
      const sessions = days.flatMap(date => findTradingSession(date) ?? [])
      const finished = sessions.filter(({ closesAtMs }) => closesAtMs + SETTLE_MS <= latestMs)
      expect(built).toEqual(finished.map(({ date }) => date))
      expect(built.length).toBeGreaterThanOrEqual(5)
      // the first night had begun when it started
      expect(nights).toEqual(nights.map((_, index) => addDays(from, index)))
      expect(nights.length).toBeGreaterThanOrEqual(9)
    }
  },
)

test.each([
  ['2026-10-15T07:59:59', '2026-10-14'],
  ['2026-10-15T08:00:00', '2026-10-15'],
  ['2026-11-01T08:59:59', '2026-10-31'],
  ['2026-11-01T09:00:00', '2026-11-01'],
  ['2026-03-08T08:00:00', '2026-03-08'],
])('at %s UTC the work of the night of %s is due', (now, night) => {
  expect(dueNight(at(now), null)).toBe(night)
  expect(dueNight(at(now), night)).toBeNull()
  expect(dueNight(at(now), addDays(night, -1))).toBe(night)
  // the clock was put back over midnight
  expect(dueNight(at(now), addDays(night, 1))).toBeNull()
})
