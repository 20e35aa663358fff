// The rules, step by step, against a second reading of the design that has the whole day at once.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LEVEL_KINDS, LIST_TYPES, type ListEntry, type ListType } from '../../src/alerts/kinds.ts'
import type { BookState } from '../../src/alerts/rules/inputs.ts'
import { judgeLine, type LineView, linesToAsk, viewLines } from '../../src/alerts/rules/lines.ts'
import { stepMinute, type WatchStates } from '../../src/alerts/rules/minute.ts'
import { inputOf, minuteAt, randomDay, stepDay } from '../support/alertDays.ts'
import { naiveEvents, naiveLine } from '../support/naiveAlerts.ts'

const common = { book: 'measured', symbol: 'SPX', on: true } as const
const confirm = fc.integer({ min: 1, max: 5 })
const walls = fc.subarray(['call_wall', 'put_wall'] as const, { minLength: 1 })
const entryOf: { readonly [Type in ListType]: fc.Arbitrary<ListEntry> } = {
  flip_cross: fc.record({
    type: fc.constant('flip_cross' as const),
    confirm,
    margin_points: fc.oneof(fc.constant('auto' as const), fc.integer({ min: 0, max: 8 })),
    certain: fc.boolean(),
    ...constants(),
  }),
  wall_break: fc.record({
    type: fc.constant('wall_break' as const),
    ...{ walls, confirm },
    margin_points: fc.integer({ min: 0, max: 6 }),
    ...constants(),
  }),
  regime_change: fc.record({
    type: fc.constant('regime_change' as const),
    confirm,
    ...constants(),
  }),
  wall_move: fc.record({
    type: fc.constant('wall_move' as const),
    ...{ walls, confirm },
    min_points: fc.integer({ min: 5, max: 12 }),
    ...constants(),
  }),
  flip_move: fc.record({
    type: fc.constant('flip_move' as const),
    threshold_points: fc.integer({ min: 1, max: 15 }),
    confirm,
    ...constants(),
  }),
  level_near: fc.record({
    type: fc.constant('level_near' as const),
    levels: fc.subarray([...LEVEL_KINDS], { minLength: 1 }),
    threshold_points: fc.integer({ min: 1, max: 8 }),
    ...constants(),
  }),
}

function constants() {
  return {
    book: fc.constant(common.book),
    symbol: fc.constant(common.symbol),
    on: fc.constant(common.on),
  }
}

const day = fc
  .record({ seed: fc.integer(), length: fc.integer({ min: 1, max: 120 }) })
  .map(({ seed, length }) => randomDay(seed, length))
const entries = fc.record(entryOf)

type Told = ReturnType<typeof stepDay>['findings']

const asWords = (findings: Told, type: ListType) =>
  findings
    .filter(finding => finding.type === type)
    .map(({ minute, subject, value, from, direction }) =>
      [minute, subject, value, from ?? '', direction].join(' '),
    )
    .sort()

test('2,000 random days: steps tell what a look at the whole day tells', () => {
  const counts = new Map<string, number>()
  const property = fc.property(day, entries, fc.nat(60), (states, asked, from) => {
    for (const type of LIST_TYPES) {
      const first = from % 3 === 0 ? from : 0
      const firstMinute = first === 0 ? null : minuteAt(first)
      const { findings } = stepDay(states, [{ entry: asked[type], firstMinute }])
      const naive = naiveEvents(states, asked[type], first).map(event =>
        [
          ...[minuteAt(event.index), event.subject, event.value, event.from ?? ''],
          event.direction,
        ].join(' '),
      )
      expect(asWords(findings, type), type).toEqual(naive.sort())
      counts.set(type, (counts.get(type) ?? 0) + naive.length)
    }
  })
  fc.assert(property, { numRuns: 2000, seed: 41 })
  // neither of the two is silent
  for (const type of LIST_TYPES) expect(counts.get(type)).toBeGreaterThan(500)
})

test('what comes later never changes what was told: 500 days are cut and go on otherwise', () => {
  const property = fc.property(day, day, entries, fc.nat(119), (states, other, asked, cut) => {
    const all = Object.values(asked).map(entry => ({ entry, firstMinute: null }))
    const scrambled = states.map((state, index) => (index <= cut ? state : (other[index] ?? null)))
    const upTo = (list: (BookState | null)[]) =>
      stepDay(list, all).findings.filter(({ minute }) => minute <= minuteAt(cut))
    expect(upTo(scrambled)).toEqual(upTo(states))
  })
  fc.assert(property, { numRuns: 500, seed: 42 })
})

const line = fc.record({
  id: fc.constant('l_1'),
  note: fc.constant(null),
  kind: fc.constant('price' as const),
  price: fc.integer({ min: 4 * 5985, max: 4 * 6015 }).map(quarters => quarters / 4),
  mode: fc.constantFrom('once' as const, 'repeat' as const),
  direction: fc.constantFrom('any' as const, 'above' as const, 'below' as const),
})

test('2,000 pairs of sessions: lines fire where a look at all spots says', () => {
  let fired = 0
  const property = fc.property(day, day, line, (first, second, one) => {
    const days = [
      ['2026-11-24', first],
      ['2026-11-25', second],
    ] as const
    let states: WatchStates | null = null
    let armed = true
    const told: object[] = []
    for (const [session, [date, list]] of days.entries()) {
      for (const state of list) {
        if (state === null) continue
        const input = inputOf(state, date)
        const view: LineView | null = viewLines(states, input)
        const result: ReturnType<typeof judgeLine> | null =
          view && judgeLine(view, one, { armed, firstMinute: null })
        const isAsked = view !== null && isIn(linesToAsk(view), armed, one)
        // a store that looks the line up by its price misses nothing
        if (result && !isAsked) expect(result).toEqual({ armed, event: null })
        if (result) armed = result.armed
        if (result?.event) {
          const index = list.indexOf(state)
          told.push({ session, index, direction: result.event.direction })
        }
        states = stepMinute(states, input, []).states
      }
    }
    const spots = days.map(([, list]) => list.map(state => state?.spot ?? null))
    expect(told).toEqual(naiveLine(spots, one))
    fired += told.length
  })
  fc.assert(property, { numRuns: 2000, seed: 43 })
  expect(fired).toBeGreaterThan(2000)
})

function isIn(
  ranges: ReturnType<typeof linesToAsk>,
  isArmed: boolean,
  { price, mode }: { readonly price: number; readonly mode: 'once' | 'repeat' },
): boolean {
  return ranges.some(
    range =>
      range.kind === 'price' &&
      range.isArmed === isArmed &&
      (isArmed || mode === 'repeat') &&
      (range.from ?? -Infinity) <= price &&
      price <= (range.to ?? Infinity),
  )
}
