import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { expect, test, vi } from 'vitest'
import { openThrottle, throttleCalls } from '../../../src/platform/pool/throttle.ts'

/**
 * Calls of accounts, each of which takes half a millisecond; `begun` has them in the order in which
 * they began.
 */
function openPaced() {
  const begun: string[] = []
  const throttle = throttleCalls(() => begun.length / 2)
  const call = (account: string) => {
    const context = { accountId: account }
    const res = Object.assign(new EventEmitter(), { locals: { context }, closed: false })
    throttle({} as Request, res as unknown as Response, () => begun.push(account))
    return res
  }
  return { begun, call }
}

const waitForEventLoop = () => new Promise(setImmediate)

test('an account with one call is not behind the hundred calls of another', async () => {
  const { begun, call } = openPaced()
  for (let index = 0; index < 100; index++) call('greedy')
  call('careful')
  await waitForEventLoop()
  expect(begun).toEqual(['greedy', 'careful', 'greedy'])
})

test('a few calls begin in each iteration of the event loop, and all of them in the end', async () => {
  const { begun, call } = openPaced()
  for (let index = 0; index < 10; index++) call(`account ${index}`)
  const counts: number[] = []
  while (begun.length < 10) {
    await waitForEventLoop()
    counts.push(begun.length)
  }
  expect(counts).toEqual([3, 6, 9, 10])
  call('late')
  await waitForEventLoop()
  expect(begun.at(-1)).toBe('late')
})

test('calls that cost 1 ms after an await begin two at a time, and 32 once they cost nothing', async () => {
  let nowMs = 0
  let costMs = 1
  let begun = 0
  const throttle = openThrottle(() => nowMs, { piecesAtOnce: 32, sliceMs: 1 })
  const begin = async () => {
    begun++
    await null
    nowMs += costMs
  }
  for (let index = 0; index < 200; index++) throttle('account', () => void begin())
  const counts: number[] = []
  for (let tick = 0; tick < 13; tick++) {
    const before = begun
    if (tick === 7) costMs = 0
    await waitForEventLoop()
    counts.push(begun - before)
  }
  expect(counts).toEqual([32, 16, 8, 4, 2, 2, 2, 2, 4, 8, 16, 32, 32])
})

test('a call whose client has hung up does not begin', async () => {
  const { begun, call } = openPaced()
  const gone = call('gone')
  call('there')
  gone.closed = true
  await waitForEventLoop()
  expect(begun).toEqual(['there'])
})

test('with a pause, what comes at once after a piece of work waits, and one after the other', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] })
  try {
    const throttle = openThrottle(() => 0, { piecesAtOnce: 1, pauseMs: 12 })
    const begun: string[] = []
    const begin = (name: string) => throttle(name, () => begun.push(name))
    begin('first')
    await vi.advanceTimersByTimeAsync(0)
    expect(begun).toEqual(['first'])
    begin('second')
    begin('third')
    await vi.advanceTimersByTimeAsync(11)
    expect(begun).toEqual(['first'])
    await vi.advanceTimersByTimeAsync(1)
    expect(begun).toEqual(['first', 'second'])
    await vi.advanceTimersByTimeAsync(12)
    expect(begun).toEqual(['first', 'second', 'third'])
    // idle again: the next begins at once
    await vi.advanceTimersByTimeAsync(24)
    begin('fourth')
    await vi.advanceTimersByTimeAsync(0)
    expect(begun.at(-1)).toBe('fourth')
  } finally {
    vi.useRealTimers()
  }
})
