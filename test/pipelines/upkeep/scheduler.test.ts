import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import cron from 'node-cron'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { JOBS } from '../../../pipelines/upkeep/schedule.ts'
import { createScheduler, type SchedulerWork } from '../../../pipelines/upkeep/scheduler.ts'
import { openFileQueue } from '../../../src/platform/jobs/open.ts'
import { HEARTBEAT_MS, type JobQueue, LEASE_MS } from '../../../src/platform/jobs/queue.ts'

let folder: string
let nowMs: number
let queue: JobQueue
let published: Set<string>
let did: string[]
let text: string[]
let forgot: string[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-scheduler-'))
  nowMs = Date.parse('2026-10-15T12:00:00Z')
  queue = await openFileQueue(join(folder, 'jobs.sqlite'), () => nowMs)
  published = new Set()
  did = []
  text = []
  forgot = []
})
afterEach(async () => {
  await queue.close()
  rmSync(folder, { recursive: true, force: true })
})

const scheduler = (holder: string, changes: Partial<SchedulerWork> = {}) =>
  createScheduler({
    queue,
    clock: { nowMs: () => nowMs },
    holder,
    say: line => text.push(line),
    fetch: async () => true,
    tapes: () => ['2026-10-13', '2026-10-14', '2026-10-15'],
    currency: () => date => published.has(date),
    build: async (from, to) => {
      did.push(`${holder} builds ${from} to ${to}`)
      published.add(from).add(to)
      return []
    },
    verify: async () => {
      did.push(`${holder} verifies`)
      return []
    },
    forget: async beforeMs => {
      forgot.push(new Date(beforeMs).toISOString())
      return forgot.length
    },
    ...changes,
  })

test('it builds what is missing, verifies once a night, and then has nothing to do', async () => {
  const one = scheduler('one')
  await one.beat()
  await one.wake()
  expect(did).toEqual(['one builds 2026-10-13 to 2026-10-14', 'one verifies'])
  for (let tick = 0; tick < 5; tick++) await one.wake()
  expect(did).toHaveLength(2)

  nowMs = Date.parse('2026-10-15T20:30:00Z') // the session of today has finished
  await one.beat()
  await one.wake()
  expect(did.slice(2)).toEqual(['one builds 2026-10-15 to 2026-10-15'])
  nowMs = Date.parse('2026-10-16T08:00:00Z')
  await one.beat()
  await one.wake()
  expect(did.slice(3)).toEqual(['one verifies'])
})

test('events sent 30 days ago are deleted once a night, also when other work fails', async () => {
  const one = scheduler('one', {
    build: async from => [from],
    verify: async () => ['2026-10-14: orders is damaged'],
  })
  expect(await one.once()).toBe(false)
  await one.once()
  expect(forgot).toEqual(['2026-09-15T12:00:00.000Z'])
  expect(text).toContain('1 event of more than 30 days ago deleted')
  nowMs = Date.parse('2026-10-16T07:59:59Z')
  await one.once()
  expect(forgot).toHaveLength(1)
  nowMs += 1_000
  await one.once()
  expect(forgot.slice(1)).toEqual(['2026-09-16T08:00:00.000Z'])
})

test('an account database that does not open is reported, and opened at the next tick', async () => {
  let isBroken = true
  const one = scheduler('one', {
    forget: async () => {
      if (isBroken) throw new Error('account database (DATABASE_URL): no answer')
      forgot.push('all')
      return 0
    },
  })
  await one.beat()
  await one.wake()
  expect(text).toContain('could not catch up: account database (DATABASE_URL): no answer')
  isBroken = false
  await one.wake()
  await one.wake()
  expect(forgot).toEqual(['all'])
  expect(did).toEqual(['one builds 2026-10-13 to 2026-10-14', 'one verifies'])
})

test('of two one works; when it is killed the other takes over within 60 seconds', async () => {
  const [one, two] = [scheduler('one'), scheduler('two')]
  for (const each of [one, two]) await each.beat()
  for (const each of [two, one]) await each.wake()
  expect(did).toEqual(['one builds 2026-10-13 to 2026-10-14', 'one verifies'])

  published.delete('2026-10-14')
  const killedAtMs = nowMs
  while (did.length === 2) {
    nowMs += HEARTBEAT_MS
    expect(nowMs - killedAtMs).toBeLessThanOrEqual(60_000)
    await two.beat() // taking the lease wakes it
    await two.wake()
  }
  expect(did.slice(2)).toEqual(['two builds 2026-10-14 to 2026-10-14'])
  // the first one was only suspended: it has to wait now
  published.clear()
  await one.beat()
  await one.wake()
  expect(did).toHaveLength(3)
})

test('one that lets go is followed at once', async () => {
  const [one, two] = [scheduler('one'), scheduler('two')]
  await one.beat()
  await one.wake()
  published.clear()
  await one.letGo()
  await two.beat()
  for (const each of [one, two]) await each.wake()
  expect(did.slice(2)).toEqual(['two builds 2026-10-13 to 2026-10-14'])
})

test('ticks during the work wake it once more, not at the same time', async () => {
  let running = 0
  const one = scheduler('one', {
    build: async from => {
      expect(++running).toBe(1)
      await new Promise(resolve => setImmediate(resolve))
      did.push(from)
      running--
      return []
    },
  })
  await one.beat()
  await Promise.all(Array.from({ length: 5 }, () => one.wake()))
  expect(did.filter(line => line === '2026-10-13')).toHaveLength(2)
})

test('a session that failed rests, and the others do not wait for it', async () => {
  const one = scheduler('one', {
    build: async (from, to) => {
      did.push(`${from} to ${to}`)
      published.add('2026-10-14')
      return ['2026-10-13']
    },
    verify: async () => ['2026-10-14: orders is damaged'],
  })
  expect(await one.once()).toBe(false)
  expect(text).toContain('2026-10-14: orders is damaged')
  expect(await one.once()).toBe(true) // nothing is due: it rests, and the night is verified
  nowMs += 3_600_000
  expect(await one.once()).toBe(false)
  expect(did).toEqual(['2026-10-13 to 2026-10-14', '2026-10-13 to 2026-10-13'])
})

test('work that throws is reported, and the next tick repeats it', async () => {
  let isBroken = true
  const one = scheduler('one', {
    tapes: () => {
      if (isBroken) throw new Error('the disk is gone.')
      return ['2026-10-14']
    },
  })
  await one.beat()
  await one.wake()
  expect(new Set(text)).toEqual(new Set(['could not catch up: the disk is gone.']))
  isBroken = false
  await one.wake()
  expect(did).toEqual(['one builds 2026-10-14 to 2026-10-14', 'one verifies'])
})

test('a scheduler that cannot request its lease does not work', async () => {
  const one = scheduler('one')
  const { holdLease } = queue
  queue = { ...queue, holdLease: () => Promise.reject(new Error('gone')) }
  const cut = scheduler('cut')
  await cut.beat()
  await cut.wake()
  queue = { ...queue, holdLease }
  expect(did).toEqual([])
  expect(await one.once()).toBe(true)
})

test('once leaves the work to the scheduler that runs', async () => {
  const [one, two] = [scheduler('one'), scheduler('two')]
  await one.beat()
  await one.wake()
  published.clear()
  expect(await two.once()).toBe(true)
  expect(text).toContain('another scheduler is at work; nothing was done')
  nowMs += LEASE_MS
  expect(await two.once()).toBe(true)
  expect(did.at(-1)).toBe('two builds 2026-10-13 to 2026-10-14')
})

test('every cron expression is one', () => {
  for (const job of JOBS) expect(cron.validate(job.cron), job.name).toBe(true)
})
