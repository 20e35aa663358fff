import { expect, test } from 'vitest'
import { parseReplay, replayClock } from '../../src/core/clock.ts'
import { wallTimeEt } from '../../src/core/market/calendar.ts'

const findStart = (text: string) => {
  const { startMs, speed } = parseReplay(text)
  const { date, minute, second } = wallTimeEt(startMs)
  return `${date} ${minute}:${second} x${speed}`
}

test.each([
  ['2026-10-15', '2026-10-15 09:30:00 x1'],
  ['2026-10-15T16:15', '2026-10-15 16:15:00 x1'],
  ['2026-10-15T10:37x60', '2026-10-15 10:37:00 x60'],
  ['2026-10-15x0', '2026-10-15 09:30:00 x0'],
  ['2026-10-15x3600', '2026-10-15 09:30:00 x3600'],
  ['2026-10-15x0.5', '2026-10-15 09:30:00 x0.5'],
  ['2026-11-27T13:15', '2026-11-27 13:15:00 x1'], // a half day, in winter time
  ['2026-03-09', '2026-03-09 09:30:00 x1'], // the Monday after the clocks went forward
])('%s is %s', (text, start) => expect(findStart(text)).toBe(start))

test.each([
  ['', '--clock is ; give a session, such as 2026-10-15T09:30x60.'],
  ['now', '--clock is now; give a session'],
  ['2026-02-30', '--clock is 2026-02-30; give a session'],
  ['2026-10-15 09:30', '--clock is 2026-10-15 09:30; give a session'],
  ['2026-10-17', '--clock is 2026-10-17, but 2026-10-17 is not a trading day; give one'],
  ['2026-10-15T', 'the minute of --clock is ; give an ET minute from 09:30 to 16:15'],
  ['2026-10-15T09:29', 'the minute of --clock is 09:29; give an ET minute'],
  ['2026-10-15T16:16', 'the minute of --clock is 16:16; give'],
  ['2026-11-27T13:16', 'the minute of --clock is 13:16; give an ET minute from 09:30 to 13:15'],
  ['2026-10-15T9:30', 'the minute of --clock is 9:30; give'],
  ['2026-10-15T10:37:00', 'the minute of --clock is 10:37:00; give'],
  ['2026-10-15x', 'the speed of --clock is ; give 0 to 3600, such as 2026-10-15T09:30x60.'],
  ['2026-10-15xfast', 'the speed of --clock is fast; give 0 to 3600'],
  ['2026-10-15x-1', 'the speed of --clock is -1; give'],
  ['2026-10-15x3601', 'the speed of --clock is 3601; give'],
  ['2026-10-15x1e3', 'the speed of --clock is 1e3; give'],
  ['2026-10-15x60x2', 'the speed of --clock is 60x2; give'],
])('%j is refused: %s', (text, message) => expect(() => parseReplay(text)).toThrow(message))

test.each([
  [0, '09:30:00'],
  [1, '09:30:02'],
  [60, '09:31:30'],
  [3600, '11:00:00'],
  [0.5, '09:30:01'],
])('at %d times real time, 1.5 s and a bit later it is %s or so', (speed, expected) => {
  let elapsedMs = 7_000_000.125
  const { startMs } = parseReplay('2026-10-15')
  const clock = replayClock({ date: '2026-10-15', startMs, speed }, () => elapsedMs)
  expect(clock.nowMs()).toBe(startMs)
  elapsedMs += 1500
  expect(clock.nowMs()).toBe(startMs + 1500 * speed)
  const { minute, second } = wallTimeEt(clock.nowMs() + 500)
  expect(`${minute}:${second}`).toBe(expected)
  expect(clock.isReplay).toBe(true)
})

test('it never goes back, and its instants are whole milliseconds', () => {
  let elapsedMs = 0
  const clock = replayClock({ ...parseReplay('2026-10-15'), speed: 7.77 }, () => elapsedMs)
  let last = clock.nowMs()
  for (let step = 0; step < 1000; step++) {
    elapsedMs += 0.31
    const now = clock.nowMs()
    expect(now).toBeGreaterThanOrEqual(last)
    expect(Number.isInteger(now)).toBe(true)
    last = now
  }
  expect(last - parseReplay('2026-10-15').startMs).toBe(2408)
})
