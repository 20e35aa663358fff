// Lines, state by state, against a second reading of the design that has all minutes at once.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AlertLine, LevelKind } from '../../src/alerts/kinds.ts'
import type { BookState } from '../../src/alerts/rules/inputs.ts'
import {
  affectedLineRanges,
  judgeLine,
  type LineView,
  viewLines,
} from '../../src/alerts/rules/lines.ts'
import { stepMinute, type WatchStates } from '../../src/alerts/rules/minute.ts'
import { minutesAfter } from '../../src/core/market/calendar.ts'
import { findInput, quiet, randomDay } from '../support/alertDays.ts'
import { naiveLevelLine, naiveLine } from '../support/naiveLines.ts'
import { runs } from '../support/runs.ts'
import { hasSharedData, SHARED_DATA } from '../support/shared.ts'

type Day = { readonly day: string; readonly states: readonly (BookState | null)[] }
type FiredLine = { readonly session: number; readonly index: number; readonly direction: string }

/** When a line fires, as a store would judge it that looks lines up by their price or offset. */
function fired(line: AlertLine, days: readonly Day[]): FiredLine[] {
  let watchStates: WatchStates | null = null
  let armed = true
  const firedLines: FiredLine[] = []
  for (const [session, { day, states }] of days.entries()) {
    for (const [index, state] of states.entries()) {
      if (state === null) continue
      const input = findInput(state, day)
      const view: LineView | null = viewLines(watchStates, input)
      if (view !== null) {
        const result = judgeLine(view, line, { armed, firstMinute: null })
        // values not requested from the store stay as they are
        if (!isInRanges(view, line, armed)) expect(result).toEqual({ armed, event: null })
        if (result.event) firedLines.push({ session, index, direction: result.event.direction })
        armed = result.armed
      }
      watchStates = stepMinute(watchStates, input, []).states
    }
  }
  return firedLines
}

function isInRanges(view: LineView, line: AlertLine, armed: boolean): boolean {
  const value = line.kind === 'price' ? line.price : line.offset
  return affectedLineRanges(view).some(range => {
    if (range.isArmed !== armed || (!armed && line.mode === 'once')) return false
    if (range.kind === 'level') {
      if (line.kind !== 'level' || range.book !== line.book || range.level !== line.level) {
        return false
      }
    } else if (line.kind !== 'price') return false
    return (range.from ?? -Infinity) <= value && value <= (range.to ?? Infinity)
  })
}

const day = fc
  .record({ seed: fc.integer(), length: fc.integer({ min: 1, max: 120 }) })
  .map(({ seed, length }) => randomDay(seed, length))
const common = {
  id: fc.constant('l_1'),
  note: fc.constant(null),
  mode: fc.constantFrom('once' as const, 'repeat' as const),
  direction: fc.constantFrom('any' as const, 'above' as const, 'below' as const),
}
const priceLine = fc.record({
  ...common,
  kind: fc.constant('price' as const),
  price: fc.integer({ min: 4 * 5985, max: 4 * 6015 }).map(quarters => quarters / 4),
})
const levelLine = fc.record({
  ...common,
  kind: fc.constant('level' as const),
  book: fc.constant('measured' as const),
  level: fc.constantFrom<LevelKind>('flip', 'call_wall', 'put_wall'),
  offset: fc.integer({ min: -40, max: 40 }).map(quarters => quarters / 4),
})

test(`${runs(2000)} pairs of sessions: lines at a price fire where a look at all spots says`, () => {
  let count = 0
  const property = fc.property(day, day, priceLine, (first, second, line) => {
    const days = [
      { day: '2026-11-24', states: first },
      { day: '2026-11-25', states: second },
    ]
    const spots = days.map(({ states }) => states.map(state => state?.spot ?? null))
    const expected = naiveLine(spots, line)
    expect(fired(line, days)).toEqual(expected)
    count += expected.length
  })
  fc.assert(property, { numRuns: runs(2000), seed: 43 })
  expect(count).toBeGreaterThan(runs(2000))
})

const FIELDS = { flip: 'flip', call_wall: 'callWall', put_wall: 'putWall' } as const

test(`${runs(2000)} sessions: lines at a level fire where a look at the whole day says`, () => {
  let count = 0
  const property = fc.property(day, levelLine, (states, line) => {
    const spots = states.map(state => state?.spot ?? null)
    const levels = states.map(state => state?.[FIELDS[line.level]] ?? null)
    const mayMove = line.level === 'flip' ? 10 : 0
    const expected = naiveLevelLine(spots, levels, { ...line, mayMove })
    const days = [{ day: '2026-11-25', states }]
    expect(fired(line, days)).toEqual(expected.map(one => ({ session: 0, ...one })))
    count += expected.length
  })
  fc.assert(property, { numRuns: runs(2000), seed: 44 })
  expect(count).toBeGreaterThan(runs(1000))
})

/** Real minutes of the index: a state knows the close of the bar before it. */
function realDays(): Day[] {
  const folder = join(SHARED_DATA, 'spx-minutes')
  return readdirSync(folder)
    .sort()
    .map(file => {
      const [, ...rows] = readFileSync(join(folder, file), 'utf8').trim().split('\n')
      const closes = new Map(
        rows.map(row => [minutesAfter(row.slice(0, 5), 1), Number(row.split(',')[4])]),
      )
      const states = Array.from({ length: 390 }, (_, index) => {
        const minute = minutesAfter('09:31', index)
        const spot = closes.get(minute)
        return spot === undefined ? null : quiet(minute, { spot })
      })
      return { day: file.slice(0, 10), states }
    })
}

const APART = 250 / runs(10, 1)

test.skipIf(!hasSharedData)(
  `26 real sessions: lines at every ${APART} points, with real gaps`,
  () => {
    const days = realDays()
    expect(days).toHaveLength(26)
    const spots = days.map(({ states }) => states.map(state => state?.spot ?? null))
    const all = spots.flat().filter(spot => spot !== null)
    let [count, first] = [0, 0]
    for (
      let price = APART * Math.floor(Math.min(...all) / APART);
      price < Math.max(...all);
      price += APART
    ) {
      for (const mode of ['once', 'repeat'] as const) {
        const line = { id: 'l_1', kind: 'price', price, mode, direction: 'any', note: null }
        const expected = naiveLine(spots, line as AlertLine & { kind: 'price' })
        expect(fired(line as AlertLine, days)).toEqual(expected)
        count += expected.length
        first += expected.filter(({ index }) => index === 0).length
      }
    }
    expect(count).toBeGreaterThan(runs(100))
    // some of them over a night
    expect(first).toBeGreaterThan(runs(10, 1))
  },
)
