import { expect, test } from 'vitest'
import { findGaps } from '../../../src/data/published/freshness.ts'

test.each([
  [[], []],
  [['10:31'], ['10:31-10:31 1']],
  [
    ['10:59', '11:00', '11:01', '11:03'],
    ['10:59-11:01 3', '11:03-11:03 1'],
  ],
  [
    ['11:03', '09:31', '09:30'],
    ['09:30-09:31 2', '11:03-11:03 1'],
  ],
])('minutes %j are gaps %j', (missing, gaps) => {
  const reported = findGaps(missing).map(({ from, to, minutes }) => `${from}-${to} ${minutes}`)
  expect(reported).toEqual(gaps)
})

test('what is missing from a minute on has not come yet', () => {
  expect(findGaps(['10:01', '10:02', '10:03'], '10:03')).toEqual([
    { from: '10:01', to: '10:02', minutes: 2 },
  ])
})
