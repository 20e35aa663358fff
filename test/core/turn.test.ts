import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  atEndOfTurn,
  endTurn,
  markArrival,
  oncePerArrival,
  oncePerTurn,
} from '../../src/core/turn.ts'

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

test('a value is read once for calls that arrive together, and again at any other time', async () => {
  let reads = 0
  const read = oncePerArrival(() => ++reads)
  expect([read(), read()]).toEqual([1, 2])
  markArrival()
  expect([read(), read()]).toEqual([3, 3])
  markArrival()
  expect(read()).toBe(3)
  await setImmediate()
  expect([read(), read()]).toEqual([4, 5])
  markArrival()
  expect(read()).toBe(6)
})

test('work for the end of a turn runs in order, after what was set before', async () => {
  const done: string[] = []
  void setImmediate().then(() => {
    done.push('before')
    atEndOfTurn(() => done.push('late'))
  })
  endTurn()
  atEndOfTurn(() => done.push('first'))
  atEndOfTurn(() => done.push('second'))
  await setImmediate()
  expect(done).toEqual(['before', 'first', 'second', 'late'])
  atEndOfTurn(() => done.push('next'))
  await setImmediate()
  expect(done.at(-1)).toBe('next')
})
