import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  addDays,
  dayReader,
  endDay,
  expiresAtMs,
  findEveningSession,
  findHolidaySession,
  findTradingSession,
  instantMs,
  listMinutes,
  midnightMs,
  neighbourSession,
  settlementDay,
  wallTimeEt,
} from '../../../src/core/market/calendar.ts'
import { readVectors } from '../../support/shared.ts'

test('every instant of the time-to-expiry vectors is exact to the second', () => {
  for (const { day, t, exp, settle, seconds } of readVectors('time_to_expiry').cases) {
    expect((expiresAtMs(exp, settle, day) - instantMs(day, t)) / 1000, `${day} ${t} ${exp}`).toBe(
      seconds,
    )
  }
})

test.each([
  ['1985-09-27', 'hurricane Gloria'],
  ['1994-04-27', 'day of mourning'],
  ['2001-09-11', 'the attacks on New York'],
  ['2001-09-14', 'the Friday of that week'],
  ['2004-06-11', 'day of mourning'],
  ['2007-01-02', 'day of mourning'],
  ['2012-10-29', 'hurricane Sandy'],
  ['2012-10-30', 'hurricane Sandy'],
  ['2018-12-05', 'day of mourning'],
  ['2021-12-24', 'Christmas on a Saturday is kept on Friday'],
  ['2022-06-20', 'Juneteenth on a Sunday'],
  ['2023-01-02', 'New Year on a Sunday'],
  ['2024-03-29', 'Good Friday'],
  ['2025-01-09', 'day of mourning'],
  ['2026-07-03', 'Independence Day on a Saturday'],
  ['2026-09-07', 'Labor Day'],
  ['2026-11-26', 'Thanksgiving'],
  ['2026-10-17', 'a Saturday'],
  ['2026-02-30', 'no such day'],
])('%s has no session: %s', date => expect(findTradingSession(date)).toBeNull())

test.each([
  '2021-12-31',
  '2021-06-18',
  '2026-11-25',
  '2026-10-15',
  // before Martin Luther King Day, and before July 3 was a half day on a Wednesday
  '1997-01-20',
  '2002-07-03',
  '2001-09-17',
  '2012-10-31',
])('%s is a full session', date => {
  const session = findTradingSession(date)!
  expect(session.isHalfDay).toBe(false)
  expect(listMinutes(session)).toHaveLength(405)
})

test.each([
  '2025-07-03',
  '2025-11-28',
  '2025-12-24',
  '2026-11-27',
  '1997-12-26',
  '1999-12-31',
  '2002-07-05',
  '2003-12-26',
  '2013-07-03',
])('%s is a half day', date => {
  const minutes = listMinutes(findTradingSession(date)!)
  expect([minutes.length, minutes.at(-1)!.minute]).toEqual([225, '13:14'])
})

const [, ...published] = readFileSync('data/reference/market_days.csv', 'utf8').trim().split('\n')
const findKind = new Map(published.map(row => [row.split(',')[0]!, row.split(',')[1]!]))

test('1983 to 2030: every day is what the lists of the exchange say', () => {
  const wrong: string[] = []
  for (let date = '1983-07-01'; date <= '2030-12-31'; date = addDays(date, 1)) {
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
    const isWeekend = weekday === 0 || weekday === 6
    expect(isWeekend && findKind.has(date), `${date} is a weekend and listed`).toBe(false)
    const expected = isWeekend ? 'closed' : (findKind.get(date) ?? 'full')
    const session = findTradingSession(date)
    const kind = !session ? 'closed' : session.isHalfDay ? 'early_close' : 'full'
    if (kind !== expected) wrong.push(`${date} is ${expected}, not ${kind}`)
  }
  expect(wrong).toEqual([])
  // as many as exchange_calendars XNYS has in these years
  const kinds = [...findKind].filter(([date]) => date >= '2015').map(([, kind]) => kind)
  const counts = kinds.filter(kind => kind === 'closed').length
  expect([counts, kinds.length - counts]).toEqual([153, 34])
})

/** Second Sunday of March, first Sunday of November: 2 a.m. New York time (15 U.S.C. 260a). */
function clockChanges(year: number): [spring: string, autumn: string] {
  const firstSunday = (month: string) => {
    let date = `${year}-${month}-01`
    while (new Date(`${date}T00:00:00Z`).getUTCDay() !== 0) date = addDays(date, 1)
    return date
  }
  return [addDays(firstSunday('03'), 7), firstSunday('11')]
}

test('2015 to 2030: every session opens and closes at its hour of New York, in UTC', () => {
  let sessionCount = 0
  for (let date = '2015-01-01'; date <= '2030-12-31'; date = addDays(date, 1)) {
    const session = findTradingSession(date)
    if (!session) continue
    sessionCount++
    const [spring, autumn] = clockChanges(Number(date.slice(0, 4)))
    const offset = date >= spring && date < autumn ? '-04:00' : '-05:00'
    const [closes, expires] = session.isHalfDay ? ['13:15', '13:00'] : ['16:15', '16:00']
    const at = (minute: string) => Date.parse(`${date}T${minute}:00${offset}`)
    expect([session.opensAtMs, session.closesAtMs, session.pmExpiresAtMs], date).toEqual([
      at('09:30'),
      at(closes),
      at(expires),
    ])
  }
  expect(sessionCount).toBe(4021)
})

test('the day of a clock change is 23 or 25 hours long', () => {
  expect(midnightMs('2026-03-08')).toBe(Date.parse('2026-03-08T05:00:00Z'))
  expect(midnightMs('2026-03-09') - midnightMs('2026-03-08')).toBe(82_800_000)
  expect(midnightMs('2026-11-02') - midnightMs('2026-11-01')).toBe(90_000_000)
})

test.each([
  ['2001-09-17', '2001-09-10'],
  ['2004-06-14', '2004-06-10'],
  ['2007-01-03', '2006-12-29'],
  ['2012-10-31', '2012-10-26'],
  ['2018-12-06', '2018-12-04'],
  ['2025-01-10', '2025-01-08'],
])('the session before %s is %s, past the days that no rule predicts', (day, before) => {
  expect(neighbourSession(day, -1).date).toBe(before)
  expect(neighbourSession(before, 1).date).toBe(day)
})

test('neighbours skip weekends and holidays', () => {
  expect(neighbourSession('2026-11-30', -1).date).toBe('2026-11-27')
  expect(neighbourSession('2026-11-25', 1).date).toBe('2026-11-27')
})

test.each([
  ['2024-01-14', '2024-01-16', 'the Sunday before Martin Luther King Day'],
  ['2024-01-15', '2024-01-16', 'that holiday itself'],
  ['2025-01-08', '2025-01-10', 'the day before one on which only the regular hours were closed'],
  ['2025-07-03', '2025-07-07', 'a Thursday before a holiday on Friday'],
  ['2025-11-26', '2025-11-28', 'the day before Thanksgiving'],
  ['2026-10-13', '2026-10-14', 'any other day'],
  ['2026-10-16', null, 'a Friday'],
  ['2024-03-28', null, 'the day before Good Friday'],
  ['2024-12-24', null, 'the day before Christmas'],
  ['2024-12-31', null, "the day before New Year's Day"],
  ['2025-01-01', '2025-01-02', "New Year's Day, in whose evening the next session begins"],
  ['2021-01-17', null, 'the Sunday before a holiday of 2021, when no night session ran into it'],
])('the evening of %s belongs to the session %s: %s', (day, session, _what) => {
  expect(findEveningSession(day)?.date ?? null).toBe(session)
})

test('the hours of a holiday belong to the next business day where a night session ran', () => {
  const sessions = [
    '2024-01-15',
    '2025-01-09',
    '2025-07-04',
    '2024-03-29',
    '2021-01-18',
    '2024-01-16',
  ]
  expect(sessions.map(day => findHolidaySession(day)?.date ?? null)).toEqual([
    '2024-01-16',
    '2025-01-10',
    '2025-07-07',
    null,
    null,
    null,
  ])
})

test('an expiry of a Saturday settles on Friday, on Thursday where that is a holiday', () => {
  expect(['2012-06-16', '2014-04-19', '2015-02-20', '2026-10-24'].map(settlementDay)).toEqual([
    // Good Friday was April 18
    '2012-06-15',
    '2014-04-17',
    '2015-02-20',
    // no expiry of ours, and none of theirs
    '2026-10-24',
  ])
  // a day of mourning, and a week of which only Monday had a session
  expect(['2004-06-12', '2001-09-15'].map(settlementDay)).toEqual(['2004-06-10', '2001-09-10'])
  expect(expiresAtMs('2001-09-15', 'AM', '2001-09-10')).toBe(instantMs('2001-09-10', '09:30'))
  expect(expiresAtMs('2014-04-19', 'AM', '2014-04-17')).toBe(instantMs('2014-04-17', '09:30'))
  expect(expiresAtMs('2012-11-24', 'PM', '2012-11-23')).toBe(instantMs('2012-11-23', '13:00'))
})

test.each([
  // Cboe circular C2018120300: a weekly of the closed Wednesday ends on Tuesday's close, one of the
  // volatility index at Thursday's opening; both were known from Monday on
  ['2018-12-05', 'PM', '2018-12-03', '2018-12-04', '16:00'],
  ['2018-12-05', 'AM', '2018-12-03', '2018-12-06', '09:30'],
  ['2018-12-05', 'PM', '2018-11-30', '2018-12-05', '16:00'],
  ['2018-12-04', 'PM', '2018-12-04', '2018-12-04', '16:00'],
  // Cboe's announcement of 2024-12-30, and CME advisory 25-012
  ['2025-01-09', 'PM', '2025-01-08', '2025-01-08', '16:00'],
  ['2025-01-09', 'PM', '2024-12-31', '2025-01-08', '16:00'],
  ['2025-01-09', 'PM', '2024-12-30', '2025-01-09', '16:00'],
  ['2024-03-29', 'PM', '2024-03-28', '2024-03-29', '16:00'],
] as const)('%s %s, as %s knows it, ends on %s at %s', (expiry, settlement, asOf, day, minute) => {
  expect(endDay(expiry, settlement, asOf)).toBe(day)
  expect(expiresAtMs(expiry, settlement, asOf)).toBe(instantMs(day, minute))
})

test('the reader of days returns the ET day of each instant, also around midnights', () => {
  const findDay = dayReader()
  const around = [
    '2026-03-08T05:00Z',
    '2026-10-16T04:00Z',
    '2026-11-01T04:00Z',
    '2026-11-02T05:00Z',
  ]
  for (const midnight of around.map(text => Date.parse(text))) {
    for (const ms of [-1, 0, 1, -60_000, 59_999, 60_000, -1]) {
      expect(findDay(midnight + ms)).toBe(wallTimeEt(midnight + ms).date)
    }
    expect(findDay(midnight - 1) < findDay(midnight)).toBe(true)
  }
})
