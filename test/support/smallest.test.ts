import { expect, test } from 'vitest'
import { smallest } from './smallest.ts'

const numbers = Array.from({ length: 100 }, (_, index) => index)
const needs = (wanted: readonly number[]) => async (some: readonly number[]) =>
  wanted.every(one => some.includes(one))

test.each([[[7]], [[0, 99]], [[3, 50, 51, 98]]])(
  'only %j is left of what needs it',
  async wanted => {
    expect(await smallest(numbers, needs(wanted), 1_000)).toEqual(wanted)
  },
)

test('after 5 attempts what is left still fails', async () => {
  const left = await smallest(numbers, needs([3, 98]), 5)
  expect(left).toEqual(expect.arrayContaining([3, 98]))
  expect(left.length).toBeLessThan(100)
})
