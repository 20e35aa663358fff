// One contract for both engines: the file of one machine, and PostgreSQL for many.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openFileQueue, openPostgresQueue } from '../../../src/platform/jobs/open.ts'
import { ATTEMPTS_MAX, type JobQueue, LEASE_MS } from '../../../src/platform/jobs/queue.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'

const built = { outcome: 'built', reason: null, tookMs: 5 }

const alone = (items: readonly string[]) => items.map(item => ({ item, after: null }))

/** Each job waits for the one before it. */
const chained = (items: readonly string[]) =>
  items.map((item, index) => ({ item, after: items[index - 1] ?? null }))

let folder: string
let server: PostgresServer | null = null

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-queue-'))
  if (hasPostgres) server = await startPostgres()
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const ENGINES = [
  ['a file', true, (nowMs: () => number) => openFileQueue(join(folder, 'jobs.sqlite'), nowMs)],
  ['PostgreSQL', hasPostgres, (nowMs: () => number) => openPostgresQueue(server!.url, nowMs)],
] as const

describe.each(ENGINES)('the queue in %s', (_, isHere, open) => {
  let nowMs: number
  let queue: JobQueue
  const given = isHere ? describe : describe.skip

  given('keeps its contract', () => {
    beforeEach(async () => {
      nowMs = 1_000_000
      queue = await open(() => nowMs)
      await queue.clear('q')
      await queue.clear('other')
    })
    afterEach(() => queue.close())

    const claim = (worker: string) => queue.claim('q', worker)

    test('jobs are claimed in the order of their items, each by one worker', async () => {
      await queue.add('q', alone(['b', 'a', 'c']))
      await queue.add('other', alone(['0']))
      expect(await claim('w1')).toEqual({ queue: 'q', item: 'a', worker: 'w1', tries: 1 })
      expect((await claim('w2'))!.item).toBe('b')
      expect((await claim('w1'))!.item).toBe('c')
      expect(await claim('w2')).toBeNull()
      expect(await queue.openCount('q')).toBe(3)
    })

    test('a job that waits for another is not claimed before that one is done', async () => {
      await queue.add('q', chained(['a', 'b', 'c']))
      const first = (await claim('w1'))!
      expect(await claim('w2')).toBeNull()
      nowMs += 7
      expect(await queue.finish(first, { outcome: 'failed', reason: 'no.', tookMs: 7 })).toBe(true)
      const second = (await claim('w2'))!
      expect([second.item, await claim('w1')]).toEqual(['b', null])
      nowMs += 1
      await queue.finish(second, built)
      expect(await queue.ended('q')).toEqual([
        { item: 'a', tries: 1, outcome: 'failed', reason: 'no.', tookMs: 7 },
        { item: 'b', tries: 1, ...built },
      ])
      expect(await queue.openCount('q')).toBe(1)
    })

    test('a job waits only for what its queue has', async () => {
      await queue.add('q', [{ item: 'b', after: 'a' }])
      expect((await claim('w1'))!.item).toBe('b')
    })

    test('a lease lasts as long as its worker shows life, and not longer', async () => {
      await queue.add('q', alone(['a']))
      const job = (await claim('w1'))!
      nowMs += LEASE_MS - 1
      expect([await claim('w2'), await queue.renewLease(job)]).toEqual([null, true])
      nowMs += LEASE_MS - 1
      expect(await claim('w2')).toBeNull()
      nowMs += 1
      const taken = (await claim('w2'))!
      expect([taken.worker, taken.tries]).toEqual(['w2', 2])
      // the first worker is notified, and its work is not counted
      expect([await queue.renewLease(job), await queue.finish(job, built)]).toEqual([false, false])
      expect(await queue.finish(taken, built)).toBe(true)
      expect(await queue.finish(taken, built)).toBe(false)
      expect(await queue.ended('q')).toHaveLength(1)
    })

    test('who read the clock before another took a job or a lease does not take it', async () => {
      await queue.add('q', alone(['a']))
      const behind = await open(() => nowMs - 5)
      await queue.holdLease('behind', 'h1')
      expect((await claim('w1'))!.item).toBe('a')
      expect([await behind.claim('q', 'w2'), await behind.holdLease('behind', 'h2')]).toEqual([
        null,
        false,
      ])
      await queue.releaseLease('behind', 'h1')
      await behind.close()
    })

    test('a clock that is put back keeps nobody waiting for longer than a lease', async () => {
      await queue.add('q', alone(['a']))
      await claim('w1')
      await queue.holdLease('clock', 'h1')
      nowMs -= 3_600_000
      expect(await claim('w2')).toMatchObject({ item: 'a', tries: 2 })
      expect(await queue.holdLease('clock', 'h2')).toBe(true)
      expect([await claim('w3'), await queue.holdLease('clock', 'h3')]).toEqual([null, false])
      await queue.releaseLease('clock', 'h2')
    })

    test('a takeover after a kill takes no more than 60 seconds', () => {
      expect(LEASE_MS).toBeLessThan(60_000)
    })

    test('a worker that takes its own job again differs from its first claim', async () => {
      await queue.add('q', alone(['a']))
      const job = (await claim('w1'))!
      nowMs += LEASE_MS
      const again = (await claim('w1'))!
      expect([await queue.finish(job, built), await queue.finish(again, built)]).toEqual([
        false,
        true,
      ])
    })

    test('what a dead worker held is free at once when its death is known', async () => {
      await queue.add('q', alone(['a', 'b']))
      const done = (await claim('w1'))!
      await queue.finish(done, built)
      await claim('w1')
      expect(await claim('w2')).toBeNull()
      await queue.release('w1')
      expect(await claim('w2')).toMatchObject({ item: 'b', tries: 2 })
      expect(await queue.ended('q')).toHaveLength(1)
    })

    test('a job that kills its workers fails in the end, and lets the next one go on', async () => {
      await queue.add('q', chained(['a', 'b']))
      for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts++) {
        expect(await claim(`w${attempts}`)).toMatchObject({ item: 'a', tries: attempts })
        nowMs += LEASE_MS
      }
      expect((await claim('w9'))!.item).toBe('b')
      expect(await queue.ended('q')).toEqual([
        {
          item: 'a',
          tries: ATTEMPTS_MAX,
          outcome: 'failed',
          reason: 'its process was killed 3 times.',
          tookMs: 0,
        },
      ])
    })

    test('an open queue is joined; one that is done starts again', async () => {
      await queue.add('q', alone(['a', 'b']))
      await queue.finish((await claim('w1'))!, built)
      await queue.add('q', alone(['a', 'b', 'c']))
      expect([await queue.openCount('q'), (await queue.ended('q')).length]).toEqual([2, 1])
      await queue.finish((await claim('w1'))!, built)
      await queue.finish((await claim('w1'))!, built)
      await queue.add('q', alone(['b']))
      expect([await queue.openCount('q'), await queue.ended('q')]).toEqual([1, []])
    })

    test('a lease has one holder, until it lets go or dies', async () => {
      await queue.releaseLease('schedule', 'h1')
      await queue.releaseLease('schedule', 'h2')
      const holds = (holder: string) => queue.holdLease('schedule', holder)
      expect([await holds('h1'), await holds('h2'), await holds('h1')]).toEqual([true, false, true])
      nowMs += LEASE_MS
      expect([await holds('h2'), await holds('h1')]).toEqual([true, false])
      await queue.releaseLease('schedule', 'h1') // not its own any more
      expect(await holds('h1')).toBe(false)
      await queue.releaseLease('schedule', 'h2')
      expect(await holds('h1')).toBe(true)
    })

    test('workers on connections of their own never have the same job', async () => {
      const items = Array.from({ length: 60 }, (_, index) => String(100 + index))
      await queue.add('q', alone(items))
      const done: string[] = []
      const work = async (name: string) => {
        const own = await open(() => nowMs)
        for (;;) {
          const job = await own.claim('q', name)
          if (!job) break
          done.push(job.item)
          expect(await own.finish(job, built)).toBe(true)
        }
        await own.close()
      }
      await Promise.all(['w1', 'w2', 'w3', 'w4'].map(work))
      expect(done.sort()).toEqual(items)
    })
  })
})

test('a missing database is reported in one sentence', async () => {
  const url = 'postgresql://nobody@localhost/none?host=/nonexistent'
  await expect(openPostgresQueue(url)).rejects.toThrow(/^job database \(DATABASE_URL\): .+\.$/)
})
