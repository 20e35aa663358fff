// Lines at a price and at a level: what they are judged by, and when they are armed again.

import { expect, test } from 'vitest'
import type { AlertLine } from '../../src/alerts/kinds.ts'
import type { BookState } from '../../src/alerts/rules/inputs.ts'
import {
  affectedLineRanges,
  judgeLine,
  type LineView,
  viewLines,
} from '../../src/alerts/rules/lines.ts'
import { stepMinute, type WatchStates } from '../../src/alerts/rules/minute.ts'
import { instantMs, minutesAfter, wallTimeEt } from '../../src/core/market/calendar.ts'
import { findInput, HALF_DAY, minuteAt, quiet, unknownAt, WHOLE_DAY } from '../support/alertDays.ts'

type Over = { mode?: 'once' | 'repeat'; direction?: AlertLine['direction'] }

const priceLine = (price: number, over: Over = {}): AlertLine => ({
  id: 'l_1',
  kind: 'price',
  price,
  mode: 'once',
  direction: 'any',
  note: null,
  ...over,
})
const levelLine = (
  level: 'flip' | 'call_wall' | 'put_wall',
  offset: number,
  over: Over = {},
): AlertLine => ({
  id: 'l_2',
  kind: 'level',
  level,
  book: 'measured',
  offset,
  note: null,
  mode: 'once',
  direction: 'any',
  ...over,
})

type Day = { readonly day: string; readonly states: readonly (BookState | null)[] }

/** When a line fires, over sessions one after the other. */
function fired(line: AlertLine, days: readonly Day[], firstMinute: string | null = null) {
  let watchStates: WatchStates | null = null
  let armed = true
  const firings: string[] = []
  for (const { day, states } of days) {
    for (const state of states) {
      if (state === null) continue
      const input = findInput(state, day)
      const view: LineView | null = viewLines(watchStates, input)
      const result: ReturnType<typeof judgeLine> | null =
        view && judgeLine(view, line, { armed, firstMinute })
      if (result?.event) {
        firings.push(`${state.minute} ${result.event.price} ${result.event.direction}`)
      }
      armed = result?.armed ?? armed
      watchStates = stepMinute(watchStates, input, []).states
    }
  }
  return firings
}

const at = (spot: number | null, index: number, over: Partial<BookState> = {}) =>
  spot === null ? unknownAt(minuteAt(index)) : quiet(minuteAt(index), { spot, ...over })

const day = (...spots: (number | null)[]): Day => ({
  day: WHOLE_DAY,
  states: spots.map((spot, index) => at(spot, index)),
})

test.each<[string, AlertLine, (number | null)[], string[]]>([
  ['crossed upwards', priceLine(6000), [5999, 6001], ['09:32 6000 above']],
  ['crossed downwards', priceLine(6000), [6001, 5999], ['09:32 6000 below']],
  ['touched from below', priceLine(6000), [5999, 6000, 5999], ['09:32 6000 above']],
  ['touched from above', priceLine(6000), [6001, 6000], ['09:32 6000 above']],
  ['not reached', priceLine(6000), [5999, 5999.99, 5990], []],
  ['left', priceLine(6000), [6000, 6001, 6002], []],
  ['once', priceLine(6000), [5990, 6010, 5990, 6010], ['09:32 6000 above']],
  [
    'repeated, as it was 2 points off',
    priceLine(6000, { mode: 'repeat' }),
    [5990, 6001, 5999, 5998, 6000.5],
    ['09:32 6000 above', '09:35 6000 above'],
  ],
  [
    'repeated, as the state that fired it was 2 points off',
    priceLine(6000, { mode: 'repeat' }),
    [5990, 6002, 5990],
    ['09:32 6000 above', '09:33 6000 below'],
  ],
  [
    'repeated, and never 2 points off',
    priceLine(6000, { mode: 'repeat' }),
    [5990, 6001.9, 5998.1, 6001.9, 5998.1],
    ['09:32 6000 above'],
  ],
  [
    'upwards only',
    priceLine(6000, { direction: 'above' }),
    [6010, 5990, 6010],
    ['09:33 6000 above'],
  ],
  [
    'downwards only',
    priceLine(6000, { direction: 'below' }),
    [5990, 6010, 5990],
    ['09:33 6000 below'],
  ],
  [
    'over 5 unknown minutes',
    priceLine(6000),
    [5990, null, null, null, null, null, 6010],
    ['09:37 6000 above'],
  ],
  ['over 6 unknown minutes', priceLine(6000), [5990, null, null, null, null, null, null, 6010], []],
])('a line at a price is %s', (_, line, spots, events) => {
  expect(fired(line, [day(...spots)])).toEqual(events)
})

test('a gap over the night fires a line at a price, also after unknown first minutes', () => {
  const evening: Day = { day: '2026-11-24', states: [quiet('16:00', { spot: 5990 })] }
  const morning = (...spots: (number | null)[]) => [evening, day(...spots)]
  expect(fired(priceLine(6000), morning(6010))).toEqual(['09:31 6000 above'])
  expect(fired(priceLine(6000), morning(...Array(9).fill(null), 6010))).toEqual([
    '09:40 6000 above',
  ])
  // it was saved in the evening, or before the first state: the price it knew is the evening's
  expect(fired(priceLine(6000), morning(6010), '09:31')).toEqual(['09:31 6000 above'])
})

test('the price between 16:00 and the end of the session belongs to the night', () => {
  const late = ['16:00', '16:01', '16:14'].map(minute =>
    quiet(minute, { spot: minute === '16:00' ? 5990 : 6010 }),
  )
  const evening: Day = { day: '2026-11-24', states: late }
  expect(fired(priceLine(6000), [evening])).toEqual([])
  expect(fired(priceLine(6000), [evening, day(6010)])).toEqual(['09:31 6000 above'])
})

test('a line that was saved in the session takes its first state as it is', () => {
  const spots = [5990, 5990, 6010, 5990]
  expect(fired(priceLine(6000), [day(...spots)], '09:33')).toEqual(['09:34 6000 below'])
  expect(fired(priceLine(6000), [day(...spots)], '09:32')).toEqual(['09:33 6000 above'])
})

/** The last minute at which a line fires that is crossed at every state. */
function lastFired(date: string, line: AlertLine): string {
  const states = Array.from({ length: 400 }, (_, index) =>
    quiet(minuteAt(index - 1), { spot: index % 2 === 0 ? 5990 : 6010 }),
  )
  const firings = fired(line, [{ day: date, states }])
  return `${firings[0]!.slice(0, 5)} ${firings.at(-1)!.slice(0, 5)}`
}

test.each([
  [WHOLE_DAY, '09:32 16:00', '09:32 15:59'],
  [HALF_DAY, '09:32 13:00', '09:32 12:59'],
  ['2026-03-09', '09:32 16:00', '09:32 15:59'],
])('on %s lines at a price fire %s, at a level %s', (date, price, level) => {
  expect(lastFired(date, priceLine(6000, { mode: 'repeat' }))).toBe(price)
  expect(lastFired(date, levelLine('flip', 0, { mode: 'repeat' }))).toBe(level)
})

test('a line 10 points above the put wall is at 5,960', () => {
  expect(fired(levelLine('put_wall', 10), [day(5970, 5959)])).toEqual(['09:32 5960 below'])
})

test('a level that jumps to the price, or over it, fires no line', () => {
  const jump = (over: Partial<BookState>): Day => ({
    day: WHOLE_DAY,
    states: [at(6020, 0), at(6020, 1, over), at(6020, 2, over), at(6020, 3, over)],
  })
  expect(fired(levelLine('put_wall', 10), [jump({ putWall: 6015 })])).toEqual([])
  expect(fired(levelLine('flip', 0), [jump({ flip: 6031, roots: [6031] })])).toEqual([])
  // nor does a flip that walks over it
  expect(fired(levelLine('flip', 15), [jump({ flip: 6009, roots: [6009] })])).toEqual([])
})

test('a line at a level begins each session silently', () => {
  const evening: Day = { day: '2026-11-24', states: [quiet('15:59', { spot: 5990 })] }
  expect(fired(levelLine('flip', 0), [evening, day(6010, 6011)])).toEqual([])
})

test('a line at a level of which 6 minutes are unknown starts again', () => {
  const spots = (count: number) => [6010, ...Array(count).fill(null), 5990]
  expect(fired(levelLine('flip', 0), [day(...spots(5))])).toEqual(['09:37 6000 below'])
  expect(fired(levelLine('flip', 0), [day(...spots(6))])).toEqual([])
})

test('a line of another book waits for the levels of that book', () => {
  const line: AlertLine = {
    id: 'l_3',
    kind: 'level',
    book: 'volume',
    level: 'flip',
    offset: 0,
    mode: 'once',
    direction: 'any',
    note: null,
  }
  const { states } = stepMinute(null, findInput(at(6010, 0)), [])
  const input = findInput(at(5990, 1))
  const known = viewLines(states, input)!
  expect(judgeLine(known, line, { armed: true, firstMinute: null }).event).not.toBeNull()
  const books = { ...input.books, volume: unknownAt('09:32') }
  const view = viewLines(states, { ...input, books })!
  expect(judgeLine(view, line, { armed: true, firstMinute: null }).event).toBeNull()
})

test('the store is queried between two prices, and 2 points off the last one', () => {
  const { states } = stepMinute(null, findInput(at(6010, 0)), [])
  const ranges = affectedLineRanges(viewLines(states, findInput(at(5990, 1)))!)
  const near = (value: number | null) => (value === null ? null : Math.round(100 * value) / 100)
  const roundedRanges = ranges
    .filter(range => range.kind === 'price' || range.book === 'measured')
    .map(range => [
      range.kind === 'price' ? 'price' : range.level,
      range.isArmed,
      near(range.from),
      near(range.to),
    ])
  expect(roundedRanges).toEqual([
    ['price', true, 5990, 6010],
    ['price', false, null, 5988],
    ['price', false, 5992, null],
    ['flip', true, -10, 10],
    ['flip', false, null, -12],
    ['flip', false, -8, null],
    ['call_wall', true, -60, -40],
    ['call_wall', false, null, -62],
    ['call_wall', false, -58, null],
    ['put_wall', true, 40, 60],
    ['put_wall', false, null, 38],
    ['put_wall', false, 42, null],
  ])
})

test('session hours of lines follow New York in both halves of the year', () => {
  for (const date of ['2026-03-06', '2026-03-09', '2026-10-30', '2026-11-02']) {
    const close = wallTimeEt(instantMs(date, '16:00')).minute
    const states = [quiet(minutesAfter(close, -1), { spot: 5990 }), quiet(close, { spot: 6010 })]
    expect(fired(priceLine(6000), [{ day: date, states }])).toEqual(['16:00 6000 above'])
  }
})
