import { expect, test } from 'vitest'
import { openAccountQueues } from '../../../src/platform/pool/accountQueues.ts'

const turnOfTheLoop = () => new Promise(setImmediate)

test('the work of an account is done piece by piece, that of two concurrently', async () => {
  const queue = openAccountQueues()
  const begun: string[] = []
  const open = [0, 1, 2].map(() => Promise.withResolvers<void>())
  const work = (name: string, index: number) => async () => {
    begun.push(name)
    await open[index]!.promise
    return name
  }
  const done = [queue('a', work('a1', 0)), queue('a', work('a2', 1)), queue('b', work('b1', 2))]
  await turnOfTheLoop()
  expect(begun).toEqual(['a1', 'b1'])
  open[0]!.resolve()
  expect(await done[0]).toBe('a1')
  await turnOfTheLoop()
  expect(begun).toEqual(['a1', 'b1', 'a2'])
  for (const { resolve } of open) resolve()
  expect(await Promise.all(done)).toEqual(['a1', 'a2', 'b1'])
})

test('work that fails fails alone, and the next piece is done', async () => {
  const queue = openAccountQueues()
  const failed = queue('a', async () => {
    throw new Error('no')
  })
  const next = queue('a', async () => 'done')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('beyond what may wait an account is refused, and others are not', async () => {
  const queue = openAccountQueues({ own: 2, all: 3 })
  const open = Promise.withResolvers<void>()
  const slow = (account: string) => queue(account, () => open.promise.then(() => account))
  const under = slow('a')
  await turnOfTheLoop()
  const waiting = [slow('a'), slow('a')]
  await expect(slow('a')).rejects.toThrow(
    '2 questions of this account are waiting already; ask again in 2 s.',
  )
  const other = slow('b')
  open.resolve()
  expect(await Promise.all([under, ...waiting, other])).toEqual(['a', 'a', 'a', 'b'])
  // what was waited for is free again
  expect(await slow('a')).toBe('a')
})

test('when the queue is full, the account with most gives up one', async () => {
  const queue = openAccountQueues({ own: 3, all: 3 })
  const open = Promise.withResolvers<void>()
  const begun: string[] = []
  const slow = (account: string, name: string) =>
    queue(account, () => {
      begun.push(name)
      return open.promise
    })
  const first = [slow('a', 'a1'), slow('b', 'b1')]
  await turnOfTheLoop()
  const waiting = [slow('a', 'a2'), slow('a', 'a3'), slow('a', 'a4')]
  const given = slow('b', 'b2')
  open.resolve()
  await expect(waiting[2]).rejects.toThrow('3 questions are waiting already')
  await Promise.all([...first, waiting[0], waiting[1], given])
  expect(begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
})
