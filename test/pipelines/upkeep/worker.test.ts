import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { workOff } from '../../../pipelines/upkeep/worker.ts'
import { openFileQueue } from '../../../src/platform/jobs/open.ts'
import { HEARTBEAT_MS, type JobQueue, LEASE_MS } from '../../../src/platform/jobs/queue.ts'

let folder: string
let nowMs: number
let queue: JobQueue

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  folder = mkdtempSync(join(tmpdir(), 'tapefold-worker-'))
  nowMs = 1_000_000
  queue = await openFileQueue(join(folder, 'jobs.sqlite'), () => nowMs)
  await queue.add('q', [{ item: '2026-10-14', after: null }])
})
afterEach(async () => {
  vi.useRealTimers()
  await queue.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Lets time pass as the worker's heart beats. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += HEARTBEAT_MS) {
    nowMs += HEARTBEAT_MS
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  }
}

const work = (build: (stop: AbortSignal) => Promise<void>, own = queue) =>
  workOff({
    queue: own,
    jobs: 'q',
    worker: 'w1',
    clock: { nowMs: () => nowMs },
    isDue: () => true,
    buildSession: (_, stop) => build(stop).then(() => null),
  })

test('a build that takes longer than a lease keeps its job', async () => {
  await work(async stop => {
    await pass(3 * LEASE_MS)
    expect(await queue.claim('q', 'w2')).toBeNull()
    expect(stop.aborted).toBe(false)
  })
  expect(await queue.ended('q')).toMatchObject([{ outcome: 'built', tries: 1 }])
})

test('a worker that was cut off stops its build, and does not report on the job', async () => {
  const done = work(async stop => {
    nowMs += LEASE_MS // it stood still, as in a suspended machine
    const taken = (await queue.claim('q', 'w2'))!
    await pass(HEARTBEAT_MS)
    expect(stop.aborted).toBe(true)
    await queue.finish(taken, { outcome: 'built', reason: null, tookMs: 42 })
    throw new Error('stopped')
  })
  await done
  expect(await queue.ended('q')).toMatchObject([{ outcome: 'built', tries: 2, tookMs: 42 }])
})

test('a worker whose database does not respond stops when its lease is over', async () => {
  let isGone = false
  const broken: JobQueue = {
    ...queue,
    renewLease: job => (isGone ? Promise.reject(new Error('gone')) : queue.renewLease(job)),
  }
  const aborted: boolean[] = []
  await work(async stop => {
    isGone = true
    await pass(LEASE_MS)
    aborted.push(stop.aborted)
    await pass(HEARTBEAT_MS)
    aborted.push(stop.aborted)
    isGone = false
    await queue.finish((await queue.claim('q', 'w2'))!, {
      outcome: 'built',
      reason: null,
      tookMs: 1,
    })
  }, broken)
  expect(aborted).toEqual([false, true])
})
