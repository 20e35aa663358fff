import { expect, test } from 'vitest'
import { instantMs, neighbourSession } from '../../src/core/market/calendar.ts'
import { judgeStatus } from '../../src/status/judge.ts'
import type { DayStatus } from '../../src/status/schema.ts'
import { findCatalog, type Reported } from '../support/catalog.ts'

const DAY = '2026-10-15'
const BEFORE = '2026-10-14'

/** The status of sessions at an ET time such as '2026-10-15 10:37:12'. */
function statusAt(time: string, sessions: Record<string, Reported>, options: Options = {}) {
  const [day, clock] = time.split(' ') as [string, string]
  const atMs = instantMs(day, clock.slice(0, 5)) + Number(clock.slice(6) || 0) * 1000
  const { isLive = false, isReplay = false, ...rest } = options
  const catalog = findCatalog(sessions, rest)
  const deps = { catalog, nowMs: () => atMs, publishGraceMs: 180 * 60_000, isLive, isReplay }
  return judgeStatus(deps)
}
type Options = { isLive?: boolean; isReplay?: boolean; unreadable?: string[]; problems?: string[] }

const findRow = (days: readonly DayStatus[], day: string) => {
  const { state, severity, grade } = days.find(row => row.day === day)!
  return [state, severity, grade].filter(word => word !== null).join(' ')
}

test.each([
  ['10:37:00', 'green', 48],
  ['10:38:11', 'green', 119],
  ['10:38:12', 'amber', 120],
  ['10:41:11', 'amber', 299],
  ['10:41:12', 'red', 300],
  ['16:14:59', 'red', 20_327],
])('data up to 10:36:12 of an open session are, at %s, %s: %i s old', (time, severity, lag) => {
  const missing = ['10:01', '10:02', '10:37', '10:38']
  const sessions = { [BEFORE]: {}, [DAY]: { asof: '10:36:12', missing } }
  const status = statusAt(`${DAY} ${time}`, sessions)
  expect(status).toMatchObject({ status: severity, now_et: `${DAY} ${time}` })
  expect(status.newest).toMatchObject({
    day: DAY,
    state: 'open',
    severity,
    lag_s: lag,
    asof: '10:36:12',
    last_minute: '10:36',
    gaps: [{ from: '10:01', to: '10:02', minutes: 2 }],
    grade: null,
  })
  const reported = severity === 'red' ? status.problems : status.warnings
  expect(reported).toEqual(
    severity === 'green'
      ? []
      : [`the session of ${DAY} is open, and its data end at 10:36:12: ${lag} s ago`],
  )
})

test.each([
  [DAY, '16:15:00', {}],
  ['2026-11-27', '13:15:00', { asof: '12:59:30' }], // a half day
  ['2026-11-27', '13:15:00', { asof: '11:02:10' }], // an unscheduled closure in mid-session
  [DAY, '19:14:59', { asof: '11:02:10' }],
])('after the close of %s, at %s, data that end early are no alarm', (day, time, reported) => {
  const before = neighbourSession(day, -1).date
  const sessions = { [before]: {}, [day]: reported }
  const status = statusAt(`${day} ${time}`, sessions)
  expect(status).toMatchObject({ status: 'green', problems: [], warnings: [] })
  expect(status.newest).toMatchObject({ state: 'published', lag_s: null })
  const opened = statusAt(`${day} ${day === DAY ? '16:14' : '13:14'}:59`, sessions)
  expect(opened.status).toBe('asof' in reported ? 'red' : 'green')
})

test('an open session without any data is an alarm where minutes are expected, only there', () => {
  const sessions = { [BEFORE]: {} }
  expect(statusAt(`${DAY} 12:00:00`, sessions)).toMatchObject({ status: 'green' })
  const live = (time: string) => statusAt(`${DAY} ${time}`, sessions, { isLive: true })
  expect(live('09:29:59').status).toBe('green')
  expect(live('09:31:59').status).toBe('green')
  expect(live('09:32:00').status).toBe('amber')
  expect(live('09:35:00')).toMatchObject({
    status: 'red',
    problems: [`the session of ${DAY} is open, and there are no data: 300 s ago`],
  })
  expect(findRow(live('09:35:00').days, DAY)).toBe('open red')
  expect(live('16:15:00').status).toBe('green')
  // a holiday, a weekend
  expect(statusAt('2026-11-26 12:00:00', { '2026-11-25': {} }, { isLive: true }).status).toBe(
    'green',
  )
  expect(statusAt('2026-10-17 12:00:00', { '2026-10-16': {} }, { isLive: true }).status).toBe(
    'green',
  )
})

test.each([
  // while it runs, after its close, and when its clock has run on to other days
  [`${DAY} 16:15:00`, BEFORE],
  [`${DAY} 19:15:00`, DAY],
  ['2026-10-16 12:00:00', DAY],
  ['2026-10-16 19:15:00', DAY],
  ['2026-11-26 12:00:00', DAY],
])('a replay expects, at %s, no session after the last one stored', (time, expected) => {
  const replay = statusAt(time, { [DAY]: {} }, { isReplay: true, isLive: true })
  expect(replay).toMatchObject({ status: 'green', problems: [], expected_session: expected })
})

test('a replay judges the sessions that it has', () => {
  const replay = (sessions: Record<string, Reported>, options: Options = {}) =>
    statusAt('2026-10-16 19:15:00', sessions, { isReplay: true, ...options })
  expect(replay({}).problems).toEqual(['no session is published'])
  expect(replay({ '2026-10-13': {}, [DAY]: {} }).warnings).toEqual([
    `not published: ${BEFORE}`,
    expect.stringMatching(`^dealers' positions are carried over 0 sessions alone: ${BEFORE} `),
  ])
  expect(replay({ [DAY]: {} }, { unreadable: [BEFORE], problems: ['x is damaged'] })).toMatchObject(
    { status: 'red', problems: ['x is damaged'] },
  )
  const late = statusAt(`${DAY} 10:41:12`, { [DAY]: { asof: '10:36:12' } }, { isReplay: true })
  expect(late.status).toBe('red')
})

test('prints of the night before say nothing of the session that has opened', () => {
  const status = statusAt(`${DAY} 09:31:00`, { [DAY]: { asof: '05:37:49' } })
  expect(status.newest).toMatchObject({ lag_s: 60, severity: 'green', last_minute: null })
})

test.each([
  ['2026-10-14 19:14:59', 'green'],
  ['2026-10-14 19:15:00', 'red'],
  ['2026-11-27 16:14:59', 'red'], // Wednesday's is missing, too
])('with data up to 2026-10-13 it is, at %s, %s', (time, severity) => {
  expect(statusAt(time, { '2026-10-13': {} }).status).toBe(severity)
})

test('a half day is due three hours after 13:15', () => {
  const sessions = { '2026-11-25': {} }
  expect(statusAt('2026-11-27 16:14:59', sessions).status).toBe('green')
  const status = statusAt('2026-11-27 16:15:00', sessions)
  expect(status.problems).toEqual(['the newest session is 2026-11-25; 2026-11-27 should be there'])
  expect(findRow(status.days, '2026-11-27')).toBe('missing red')
  expect(findRow(status.days, '2026-11-26')).toBe('holiday green')
})

test.each([
  ['2026-03-09', '2026-03-06'], // the Monday after the clocks went forward
  ['2026-11-02', '2026-10-30'], // and after they went back
])('on %s the session opens and is due at its ET times', (day, before) => {
  const at = (time: string, reported?: Reported) =>
    statusAt(
      `${day} ${time}`,
      { [before]: {}, ...(reported ? { [day]: reported } : {}) },
      { isLive: true },
    )
  expect(at('09:34:59').newest).toMatchObject({ day: before })
  expect([at('09:34:59').status, at('09:35:00').status]).toEqual(['amber', 'red'])
  expect(at('12:00:30', { asof: '11:59:58' }).newest).toMatchObject({ lag_s: 32 })
  expect([at('19:14:59').status, at('19:15:00').status]).toEqual(['green', 'red'])
})

test('each weekday of the last 90 days is reported, newest first', () => {
  const sessions = {
    '2026-08-31': { grade: 'doubtful' },
    '2026-10-12': { grade: 'bad' },
    [BEFORE]: {},
  } as const
  const { days, warnings, status, newest } = statusAt(`${DAY} 18:00:00`, sessions, {
    unreadable: ['2026-10-13'],
  })
  expect(newest).toMatchObject({ day: BEFORE, grade: 'good' })
  expect([days.length, days[0]!.day, days.at(-1)!.day]).toEqual([64, DAY, '2026-07-20'])
  expect(days.map(({ day }) => day)).toEqual(
    days
      .map(({ day }) => day)
      .toSorted()
      .reverse(),
  )
  const reported = ['2026-10-15', BEFORE, '2026-10-13', '2026-10-12', '2026-10-09', '2026-09-07']
  expect([...reported, '2026-08-31', '2026-08-28'].map(day => findRow(days, day))).toEqual([
    'not_due green',
    'published green good',
    'damaged red',
    'published red bad',
    'missing red',
    'holiday green',
    'published amber doubtful',
    'not_kept green',
  ])
  expect(status).toBe('amber')
  expect(warnings).toEqual([
    'not published: 2026-10-09, 2026-10-08, 2026-10-07, 2026-10-06, 2026-10-05 and 23 more',
  ])
})

test('a bad tape is an alarm while it is the newest one; nothing published is one', () => {
  expect(statusAt(`${BEFORE} 20:00:00`, { [BEFORE]: { grade: 'bad' } }).problems).toEqual([
    `the tape of ${BEFORE} is bad: too thin`,
  ])
  const nothing = statusAt(`${BEFORE} 20:00:00`, {}, { problems: ['a file is damaged'] })
  expect(nothing.problems).toEqual(['a file is damaged', 'no session is published'])
  expect(findRow(nothing.days, BEFORE)).toBe('missing red')
  expect(findRow(nothing.days, '2026-10-13')).toBe('not_kept green')
})

test('each dataset of an open session is as old as its newest row', () => {
  const tape_newest = { prints: '2026-10-15T14:36:12Z', quotes: '2026-10-15T14:31:20Z' }
  const sessions = { [DAY]: { asof: '10:36:12', tape_newest } }
  const status = statusAt(`${DAY} 10:36:20`, sessions)
  expect(status.datasets).toEqual([
    { dataset: 'open_interest', rows: 5, newest_at: null, lag_s: null },
    { dataset: 'prints', rows: 720, newest_at: tape_newest.prints, lag_s: 8 },
    { dataset: 'quotes', rows: 9, newest_at: tape_newest.quotes, lag_s: 300 },
  ])
  expect(status.problems).toEqual([`the quotes of ${DAY} are 300 s old while its session is open`])
  expect(statusAt(`${DAY} 10:36:19`, sessions).status).toBe('amber')
  expect(statusAt(`${DAY} 16:15:00`, sessions).datasets[2]).toMatchObject({ lag_s: null })
})

test('of a session that is replayed nothing later than its minute is reported', () => {
  const missing = ['10:34', '10:35', '10:36', '15:00']
  const tape_newest = { quotes: '2026-10-15T20:14:00Z' }
  const knownBeforeMs = instantMs(DAY, '10:37')
  const reported = { missing, tape_newest, knownBeforeMs, grade: 'bad' } as const
  const status = statusAt(`${DAY} 10:37:20`, { [DAY]: reported })
  expect(status.newest).toMatchObject({
    asof: '10:33:59',
    last_minute: '10:33',
    lag_s: 201,
    severity: 'amber',
    grade: null,
    gaps: [],
  })
  expect(status.datasets).toEqual([])
  const early = { ...reported, knownBeforeMs: instantMs(DAY, '09:30') }
  expect(statusAt(`${DAY} 09:30:30`, { [DAY]: early }).newest).toMatchObject({
    asof: null,
    last_minute: null,
    lag_s: 30,
  })
})

test('minutes that were never published are not known because their time has come', () => {
  const reported = { asof: '10:36:12', knownBeforeMs: instantMs(DAY, '10:45') }
  const status = statusAt(`${DAY} 10:45:12`, { [DAY]: reported })
  expect(status.newest).toMatchObject({ asof: '10:36:12', lag_s: 540, severity: 'red' })
})

test('a session that was served while it ran must be built whole when its grace is over', () => {
  const reported = { asof: '16:18:00', knownBeforeMs: instantMs(DAY, '16:18') }
  const at = (time: string) => statusAt(`${DAY} ${time}`, { [DAY]: reported })
  expect(at('16:15:00').status).toBe('green')
  expect(at('19:14:59')).toMatchObject({ status: 'green', newest: { state: 'open', lag_s: null } })
  expect(at('19:15:00')).toMatchObject({
    status: 'red',
    newest: { state: 'missing', severity: 'red', asof: '16:14:59' },
    problems: [
      `only single minutes of ${DAY} are published; the whole session should be published`,
    ],
  })
})

test('states that are published while nothing is printed are as old as their last print', () => {
  const missing = ['10:40', '10:41', '10:42', '10:43', '10:44']
  const reported = { asof: '10:45:00', knownBeforeMs: instantMs(DAY, '10:45'), missing }
  const status = statusAt(`${DAY} 10:45:09`, { [DAY]: reported })
  expect(status.newest).toMatchObject({ asof: '10:39:59', lag_s: 310, last_minute: '10:39' })
  expect(status.status).toBe('red')
})

test('an alarm keeps its name while its figures grow', () => {
  const late = (time: string) => statusAt(`${DAY} ${time}`, { [DAY]: { asof: '10:36:12' } }).alarm
  expect(late('10:50:00')).toBe(late('11:50:00'))
  expect(late('10:50:00')).not.toBe('')
  expect(late('10:38:30')).toBe('')
})

test('each day says how its data stand at the time of judgement', () => {
  const sessions = { '2026-10-13': {}, [DAY]: { grade: 'doubtful' as const } }
  const at = (time: string) => {
    const { days } = statusAt(time, sessions, { unreadable: ['2026-10-12'] })
    return Object.fromEntries(
      days.map(({ day, condition, condition_reason, due_at }) => [
        day,
        [condition ?? condition_reason, due_at],
      ]),
    )
  }
  expect(at('2026-10-16 19:14:59')).toMatchObject({
    '2026-10-16': ['pending', '2026-10-16T23:15:00Z'],
    [DAY]: ['degraded', '2026-10-15T23:15:00Z'],
    [BEFORE]: ['missing', '2026-10-14T23:15:00Z'],
    '2026-10-13': ['complete', '2026-10-13T23:15:00Z'],
    '2026-10-12': ['damaged', '2026-10-12T23:15:00Z'],
    '2026-09-07': ['no_session', null],
    '2026-09-04': ['before_data', null],
  })
  // a second later it is missing
  expect(at('2026-10-16 19:15:00')['2026-10-16']).toEqual(['missing', '2026-10-16T23:15:00Z'])
})
