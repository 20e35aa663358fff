// Gaps, hours and groups: what all rules of levels have in common.

import { expect, test } from 'vitest'
import { LIST_TYPES, type ListType } from '../../src/alerts/kinds.ts'
import { groupEntries, ruleKey } from '../../src/alerts/rules/groups.ts'
import type { BookState } from '../../src/alerts/rules/inputs.ts'
import { stepMinute } from '../../src/alerts/rules/minute.ts'
import {
  findInput,
  HALF_DAY,
  minuteAt,
  quiet,
  stepDay,
  unknownAt,
  WHOLE_DAY,
} from '../support/alertDays.ts'
import { findEntry, listStates, reported, type Some, spots, times } from '../support/alertRules.ts'

// events of the next state but for the gap before it
const CHANGES: [ListType, Partial<BookState>, Partial<BookState>, object, string][] = [
  ['flip_cross', {}, { spot: 5990 }, { confirm: 1 }, 'flip 6000 below'],
  ['wall_break', {}, { spot: 6060 }, { confirm: 1 }, 'call_wall 6050 above'],
  ['regime_change', {}, { netGamma: -90 }, { confirm: 1 }, 'net_gamma -90 100 negative'],
  ['wall_move', {}, { putWall: 5900 }, { confirm: 1 }, 'put_wall 5900 5950 down'],
  ['flip_move', {}, { flip: 5985, roots: [5985] }, { confirm: 1 }, 'flip 5985 6000 down'],
  ['level_near', {}, { spot: 6048 }, {}, 'call_wall 6050 below'],
]

test.each(CHANGES)(
  '%s: a change after 5 minutes without a state counts, after 6 it is set silently',
  (type, before, after, params, event) => {
    const entry = findEntry(type, params)
    for (const gap of ['unknown', 'missing'] as const) {
      const across = (count: number) =>
        reported(entry, [before, ...times(count, gap), after, after])
      expect(across(0)).toEqual([`09:32 ${event}`])
      expect(across(5)).toEqual([`09:37 ${event}`])
      expect(across(6)).toEqual([])
    }
  },
)

test.each(CHANGES.filter(([type]) => type !== 'level_near'))(
  '%s: a minute without a state breaks the run',
  (type, before, after, _, event) => {
    const entry = findEntry(type, { confirm: 3 })
    for (const gap of ['unknown', 'missing'] as const) {
      const some = [before, after, after, gap, after, after, after]
      expect(reported(entry, some.slice(0, 6))).toEqual([])
      expect(reported(entry, some)).toEqual([`09:37 ${event}`])
    }
  },
)

test('a day within the margins gives no event of any type', () => {
  const day = Array.from({ length: 389 }, (_, index) => ({
    spot: 6000 + [1.9, -1.9, 0, 1, -1][index % 5]!,
    netGamma: [4, -4, 100, 3, -2][index % 5]!,
    flip: 6000 + (index % 4) / 40,
    roots: [6000 + (index % 4) / 40],
    putWall: index % 4 === 3 ? 5925 : 5950,
  }))
  const events = LIST_TYPES.filter(type => type !== 'level_near').flatMap(type =>
    reported(findEntry(type), day as Some[]),
  )
  expect(events).toEqual([])
})

/** Minutes at which an alternating flip is reported, of a session from 09:30 on. */
function listHours(day: string, count: number): string[] {
  const entry = findEntry('flip_cross', { confirm: 1 })
  const states = Array.from({ length: count }, (_, index) =>
    quiet(minuteAt(index - 1), { spot: index % 2 === 0 ? 5990 : 6010 }),
  )
  const { findings } = stepDay(states, [{ entry, firstMinute: null }], day)
  return findings.map(({ minute }) => minute)
}

test.each([
  [WHOLE_DAY, '15:59', 388],
  [HALF_DAY, '12:59', 208],
  ['2026-03-09', '15:59', 388],
  ['2026-11-02', '15:59', 388],
])('on %s levels are judged from 09:31 to %s', (day, last, count) => {
  const minutes = listHours(day, 405)
  expect([minutes[0], minutes.at(-1), minutes.length]).toEqual(['09:32', last, count])
})

test('a day without a session has no events', () =>
  expect(listHours('2026-11-26', 405)).toEqual([]))

test('each session starts again', () => {
  const entry = findEntry('flip_cross', { confirm: 1 })
  const entries = [{ entry, firstMinute: null }]
  const first = stepDay(listStates(spots(6020, 6020)), entries, '2026-11-24')
  const second = stepDay(listStates(spots(5990, 5990, 6010)), entries, WHOLE_DAY, first.states)
  expect(second.findings.map(({ minute }) => minute)).toEqual(['09:33'])
})

test('an entry of 09:33 sets its side silently, and shares nothing with one of before', () => {
  const entry = findEntry('flip_cross', { confirm: 1 })
  const entries = [
    { entry, firstMinute: null },
    { entry, firstMinute: '09:33' },
  ]
  const { findings } = stepDay(listStates(spots(6020, 6020, 5990, 6010)), entries)
  expect(findings.map(({ minute, group }) => [minute, group === ruleKey(entry, null)])).toEqual([
    ['09:33', true],
    ['09:34', true],
    ['09:34', false],
  ])
})

test('10,000 entries of 3 settings are 3 groups, whatever the order of their walls', () => {
  const entries = Array.from({ length: 10_000 }, (_, index) =>
    index % 2 === 0
      ? findEntry('wall_break', {
          walls: index % 4 === 0 ? ['put_wall', 'call_wall'] : ['call_wall', 'put_wall'],
        })
      : findEntry('regime_change', { book: index % 4 === 1 ? 'volume' : 'measured' }),
  )
  const groups = groupEntries(entries.map(entry => ({ entry, firstMinute: null })))
  expect(groups.size).toBe(3)
  const off = entries.map(entry => ({ entry: { ...entry, on: false }, firstMinute: null }))
  expect(groupEntries(off).size).toBe(0)
})

test('every parameter and the book tell groups apart', () => {
  const changes: Record<ListType, object[]> = {
    flip_cross: [{ confirm: 3 }, { margin_points: 2 }, { certain: true }, { book: 'volume' }],
    wall_break: [{ walls: ['put_wall'] }, { confirm: 3 }, { margin_points: 2 }],
    regime_change: [{ confirm: 3 }],
    wall_move: [{ walls: ['put_wall'] }, { confirm: 3 }, { min_points: 10 }],
    flip_move: [{ threshold_points: 9 }, { confirm: 2 }],
    level_near: [{ levels: ['flip'] }, { threshold_points: 6 }],
  }
  const keys = LIST_TYPES.flatMap(type =>
    [{}, ...changes[type]].map(params => ruleKey(findEntry(type, params), null)),
  )
  expect(new Set(keys).size).toBe(keys.length)
})

test('each book has its own levels', () => {
  const state = (book: string, spot: number) =>
    quiet('09:31', { spot, flip: book === 'volume' ? 5950 : 6000 })
  const entries = (['measured', 'volume'] as const).map(book => ({
    entry: findEntry('flip_cross', { book, confirm: 1 }),
    firstMinute: null,
  }))
  const groups = [...groupEntries(entries).values()]
  const input = (minute: string, spot: number) => ({
    ...findInput({ ...state('measured', spot), minute }),
    books: {
      measured: { ...state('measured', spot), minute },
      volume: { ...state('volume', spot), minute, roots: [5950] },
      open_interest: unknownAt(minute),
    },
  })
  const { states } = stepMinute(null, input('09:31', 6020), groups)
  const { findings } = stepMinute(states, input('09:32', 5980), groups)
  expect(findings.map(({ book, value }) => [book, value])).toEqual([['measured', 6000]])
})

test('a state that is not after the one before is refused', () => {
  const { states } = stepDay(listStates(spots(6020, 6020)), [])
  const again = findInput(quiet('09:32'))
  expect(() => stepMinute(states, again, [])).toThrow(
    'state 2026-11-25 09:32 is not after 2026-11-25 09:32',
  )
})

test('a group that is not given any more is forgotten', () => {
  const entries = [{ entry: findEntry('flip_cross'), firstMinute: null }]
  const { states } = stepDay(listStates(spots(6020)), entries)
  const next = stepMinute(states, findInput(quiet('09:32')), []).states
  expect([Object.keys(states!.groups).length, Object.keys(next.groups).length]).toEqual([1, 0])
})
