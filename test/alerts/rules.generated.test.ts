// The rules, step by step, against a second reading of the design that has the whole day at once.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LEVEL_KINDS, LIST_TYPES, type ListEntry, type ListType } from '../../src/alerts/kinds.ts'
import type { BookState } from '../../src/alerts/rules/inputs.ts'
import { minuteAt, randomDay, stepDay } from '../support/alertDays.ts'
import { naiveEvents } from '../support/naiveAlerts.ts'
import { runs } from '../support/runs.ts'

const common = { book: 'measured', symbol: 'SPX', on: true } as const
const confirm = fc.integer({ min: 1, max: 5 })
const walls = fc.subarray(['call_wall', 'put_wall'] as const, { minLength: 1 })
const entryArbitraries: { readonly [Type in ListType]: fc.Arbitrary<ListEntry> } = {
  flip_cross: fc.record({
    type: fc.constant('flip_cross' as const),
    confirm,
    margin_points: fc.oneof(fc.constant('auto' as const), fc.integer({ min: 0, max: 8 })),
    certain: fc.boolean(),
    ...constants(),
  }),
  wall_break: fc.record({
    type: fc.constant('wall_break' as const),
    walls,
    confirm,
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
    walls,
    confirm,
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
const entries = fc.record(entryArbitraries)

type DayFindings = ReturnType<typeof stepDay>['findings']

const asWords = (findings: DayFindings, type: ListType) =>
  findings
    .filter(finding => finding.type === type)
    .map(({ minute, subject, value, from, direction }) =>
      [minute, subject, value, from ?? '', direction].join(' '),
    )
    .sort()

test(`${runs(2000)} random days: steps report the same as a pass over the whole day`, () => {
  const counts = new Map<string, number>()
  const property = fc.property(day, entries, fc.nat(60), (states, chosenEntries, from) => {
    for (const type of LIST_TYPES) {
      const first = from % 3 === 0 ? from : 0
      const firstMinute = first === 0 ? null : minuteAt(first)
      const { findings } = stepDay(states, [{ entry: chosenEntries[type], firstMinute }])
      const naive = naiveEvents(states, chosenEntries[type], first).map(event =>
        [minuteAt(event.index), event.subject, event.value, event.from ?? '', event.direction].join(
          ' ',
        ),
      )
      expect(asWords(findings, type), type).toEqual(naive.sort())
      counts.set(type, (counts.get(type) ?? 0) + naive.length)
    }
  })
  fc.assert(property, { numRuns: runs(2000), seed: 41 })
  // neither of the two is silent
  for (const type of LIST_TYPES) expect(counts.get(type)).toBeGreaterThan(runs(500))
})

test(`later minutes never change what was sent: ${runs(500)} days are cut and go on otherwise`, () => {
  const property = fc.property(
    day,
    day,
    entries,
    fc.nat(119),
    (states, other, chosenEntries, cut) => {
      const all = Object.values(chosenEntries).map(entry => ({ entry, firstMinute: null }))
      const scrambled = states.map((state, index) =>
        index <= cut ? state : (other[index] ?? null),
      )
      const upTo = (list: (BookState | null)[]) =>
        stepDay(list, all).findings.filter(({ minute }) => minute <= minuteAt(cut))
      expect(upTo(scrambled)).toEqual(upTo(states))
    },
  )
  fc.assert(property, { numRuns: runs(500), seed: 42 })
})
