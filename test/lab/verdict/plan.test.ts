// Holdout sessions: fixed by the first test of an idea, and never moved.

import { expect, test } from 'vitest'
import { buildPlan } from '../../../src/lab/verdict/plan.ts'
import { RunRefused, type RunRequest } from '../../../src/lab/verdict/request.ts'
import { madeMarket, madeRequest } from '../../support/labLedger.ts'

const market = (count: number) =>
  madeMarket(Array.from({ length: count }, () => ({ r: [0], value: [0] })))
const plan = (count: number, change: Partial<RunRequest> = {}) =>
  buildPlan(market(count), madeRequest(change))
const findDay = (count: number, index: number) => market(count).sessions[index]!.date

test.each([
  // sessions, holdout from
  [120, 60],
  [300, 240],
  [301, 240],
  [305, 244],
  [306, 244],
  [1000, 800],
])('of %i sessions those from %i on are the holdout', (count, from) => {
  expect(plan(count)).toMatchObject({
    designCount: from,
    holdout: { from, to: count },
    all: { from: 0, to: count },
    since: null,
    noHoldout: null,
  })
})

test('under 120 sessions there is no holdout, and it says so', () => {
  expect(plan(119)).toMatchObject({
    designCount: 119,
    holdout: null,
    noHoldout: '119 sessions; a holdout needs 120.',
  })
})

test('a holdout stays where the first test put it, and later days are an era of their own', () => {
  const change = { holdoutFrom: findDay(400, 240), firstTestedTo: findDay(400, 299) }
  expect(plan(400, change)).toMatchObject({
    designCount: 240,
    holdout: { from: 240, to: 300 },
    since: { from: 300, to: 400 },
  })
  // on the day of the first test there is nothing since
  expect(plan(300, change)).toMatchObject({ holdout: { from: 240, to: 300 }, since: null })
  expect(plan(301, change)).toMatchObject({ since: { from: 300, to: 301 } })
})

test('sessions that a first test without a holdout has shown are not held out later', () => {
  const firstTestedTo = findDay(400, 99)
  // shown before they are enough, they could be fitted to, and then be held out
  expect(plan(159, { firstTestedTo })).toMatchObject({
    designCount: 100,
    holdout: null,
    sealed: { from: 100, to: 159 },
    since: { from: 100, to: 159 },
    noHoldout: '59 sessions since those that were shown; a holdout needs 60.',
  })
  expect(plan(159, { firstTestedTo, kind: 'struct' })).toMatchObject({
    all: { from: 0, to: 100 },
    sealed: null,
  })
  expect(plan(160, { firstTestedTo })).toMatchObject({
    designCount: 100,
    holdout: { from: 100, to: 160 },
    noHoldout: null,
  })
  // of many it takes the newest
  expect(plan(400, { firstTestedTo })).toMatchObject({ holdout: { from: 340, to: 400 } })
  // and does not grow: the same rule would be judged on it again and again
  const holdoutFrom = findDay(400, 100)
  for (const count of [160, 161, 170, 400]) {
    expect(plan(count, { firstTestedTo, holdoutFrom })).toMatchObject({
      holdout: { from: 100, to: 160 },
      since: { from: 100, to: count },
    })
  }
})

test('what was sealed of sessions of the other kind is not sealed of these', () => {
  const sealed = { holdoutFrom: findDay(400, 0), firstTestedTo: findDay(400, 200) }
  const first = plan(300)
  expect(first.isRestart).toBe(false)
  expect(plan(300, { ...sealed, sealedKind: 'real' })).toEqual({ ...first, isRestart: true })
  const same = plan(300, { ...sealed, sealedKind: 'simulated' })
  expect(same).toMatchObject({ holdout: { from: 0, to: 201 }, isRestart: false })
  // of a test that did not note it, it is of any
  expect(plan(300, { ...sealed, sealedKind: null })).toEqual(same)
})

test('a struct knows the sessions before the holdout alone', () => {
  expect(plan(300, { kind: 'struct' })).toMatchObject({
    designCount: 240,
    holdout: null,
    all: { from: 0, to: 240 },
    since: null,
  })
})

test('the year is that of the newest session it knows', () => {
  const { sessions } = market(300)
  const { thisYear } = plan(300)
  expect(sessions[thisYear.from]!.date.slice(0, 4)).toBe('2025')
  expect(sessions[thisYear.from - 1]!.date.slice(0, 4)).toBe('2024')
  const struct = plan(300, { kind: 'struct' }).thisYear
  expect(struct).toEqual({ from: 0, to: 240 })
})

test('without a session there is no run, and it says why', () => {
  expect(() => plan(0)).toThrow(RunRefused)
  const holdoutFrom = findDay(130, 0)
  expect(() => plan(130, { kind: 'struct', holdoutFrom })).toThrow(
    `All sessions are in the holdout, which begins ${holdoutFrom}.`,
  )
  // a holdout whose sessions are all gone
  expect(plan(130, { holdoutFrom: '2099-01-04' })).toMatchObject({
    designCount: 130,
    holdout: null,
    noHoldout: 'No session from 2099-01-04 on is left.',
  })
})
