import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { oncePerTurn } from '../../src/core/turn.ts'

test('a value is read once in a turn of the event loop, also by microtasks, and again in the next', async () => {
  let reads = 0
  const read = oncePerTurn(() => ++reads)
  expect([read(), read()]).toEqual([1, 1])
  await Promise.resolve()
  expect(read()).toBe(1)
  await setImmediate()
  expect([read(), read()]).toEqual([2, 2])
})

test('a reader that fails is read again', () => {
  let reads = 0
  const read = oncePerTurn(() => {
    if (++reads === 1) throw new Error('first')
    return reads
  })
  expect(read).toThrow('first')
  expect(read()).toBe(2)
})
