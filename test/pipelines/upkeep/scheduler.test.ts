import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import cron from 'node-cron'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openNights } from '../../../pipelines/upkeep/nights.ts'
import { JOBS } from '../../../pipelines/upkeep/rows.ts'
import { createScheduler, type SchedulerWork } from '../../../pipelines/upkeep/scheduler.ts'

let folder: string
let nowMs: number
let published: Set<string>
let did: string[]
let text: string[]
let forgot: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-scheduler-'))
  nowMs = Date.parse('2026-10-15T12:00:00Z')
  published = new Set()
  did = []
  text = []
  forgot = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const scheduler = (changes: Partial<SchedulerWork> = {}) =>
  createScheduler({
    nights: openNights(folder),
    clock: { nowMs: () => nowMs },
    say: line => text.push(line),
    fetches: [async () => true],
    look: async () => ({
      tapes: ['2026-10-13', '2026-10-14', '2026-10-15'],
      isCurrent: date => published.has(date),
    }),
    build: async (from, to) => {
      did.push(`builds ${from} to ${to}`)
      published.add(from).add(to)
      return []
    },
    verify: async () => {
      did.push('verifies')
      return []
    },
    months: async () => {
      did.push('writes months')
      return { written: [], faults: [] }
    },
    forget: async beforeMs => {
      forgot.push(new Date(beforeMs).toISOString())
      return forgot.length
    },
    ...changes,
  })

test('it builds what is missing, verifies once a night, and then has nothing to do', async () => {
  const one = scheduler()
  await one.wake()
  expect(did).toEqual(['builds 2026-10-13 to 2026-10-14', 'verifies', 'writes months'])
  for (let tick = 0; tick < 5; tick++) await one.wake()
  expect(did).toHaveLength(3)

  nowMs = Date.parse('2026-10-15T20:30:00Z') // the session of today has finished
  await one.wake()
  expect(did.slice(3)).toEqual(['builds 2026-10-15 to 2026-10-15'])
  nowMs = Date.parse('2026-10-16T08:00:00Z')
  await one.wake()
  expect(did.slice(4)).toEqual(['verifies', 'writes months'])
})

test('events are deleted once a night, also when other work fails', async () => {
  const one = scheduler({
    build: async from => [from],
    verify: async () => ['2026-10-14: orders is damaged'],
  })
  expect(await one.once()).toBe(false)
  await one.once()
  expect(forgot).toEqual(['2026-10-15T12:00:00.000Z'])
  expect(text).toContain('1 event of more than 30 days ago deleted')
  nowMs = Date.parse('2026-10-16T07:59:59Z')
  await one.once()
  expect(forgot).toHaveLength(1)
  nowMs += 1_000
  await one.once()
  expect(forgot.slice(1)).toEqual(['2026-10-16T08:00:00.000Z'])
})

test('an account database that does not open is reported, and opened at the next tick', async () => {
  let isBroken = true
  const one = scheduler({
    forget: async () => {
      if (isBroken) throw new Error('account database (DATABASE_URL): no answer')
      forgot.push('all')
      return 0
    },
  })
  await one.wake()
  expect(text).toContain('could not catch up: account database (DATABASE_URL): no answer')
  isBroken = false
  await one.wake()
  await one.wake()
  expect(forgot).toEqual(['all'])
  expect(did).toEqual(['builds 2026-10-13 to 2026-10-14', 'verifies', 'writes months'])
})

test('months are written once a night, and a damaged one is reported', async () => {
  const one = scheduler({
    months: async () => ({
      written: ['month=2026-09'],
      faults: ['month=2026-10 is not written: 2026-10-14: orders is damaged'],
    }),
  })
  expect(await one.once()).toBe(false)
  expect(await one.once()).toBe(true)
  const lines = text.filter(line => line.includes('month='))
  expect(lines).toEqual([
    'wrote month=2026-09',
    'month=2026-10 is not written: 2026-10-14: orders is damaged',
  ])
  // the other work of the night is done
  expect(forgot).toHaveLength(1)
})

test('a source that never responds delays 0 of 2 builds, and no other source', async () => {
  const hung = Promise.withResolvers<boolean>()
  const fetches = [
    () => hung.promise,
    async () => {
      did.push('fetches')
      return true
    },
  ]
  const one = scheduler({ fetches })
  const woken = one.wake()
  const once = scheduler({ fetches, build: async from => [from] }).once()
  await vi.waitFor(() => expect(did).toContain('writes months'))
  expect(did).toContain('builds 2026-10-13 to 2026-10-14')
  published.clear()
  void one.wake()
  await vi.waitFor(() => expect(did.filter(line => line === 'fetches')).toHaveLength(3))
  await vi.waitFor(() => expect(published.size).toBe(2))
  hung.resolve(false)
  await woken
  expect(await once).toBe(false)
})

test('what a source brought is built at once, by a tick and by --once', async () => {
  const tapes: string[] = []
  const work = (day: string) => ({
    fetches: [
      async () => {
        tapes.push(day)
        return true
      },
    ],
    look: async () => ({ tapes, isCurrent: (date: string) => published.has(date) }),
  })
  await scheduler(work('2026-10-13')).wake()
  expect(await scheduler(work('2026-10-14')).once()).toBe(true)
  expect([...published]).toEqual(['2026-10-13', '2026-10-14'])
})

test('ticks during the work wake it once more, not at the same time', async () => {
  let running = 0
  const one = scheduler({
    build: async from => {
      expect(++running).toBe(1)
      await new Promise(resolve => setImmediate(resolve))
      did.push(from)
      running--
      return []
    },
  })
  await Promise.all(Array.from({ length: 5 }, () => one.wake()))
  expect(did.filter(line => line === '2026-10-13')).toHaveLength(2)
})

test('a session that failed rests, and the others do not wait for it', async () => {
  const one = scheduler({
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
  expect(did.filter(line => line !== 'writes months')).toEqual([
    '2026-10-13 to 2026-10-14',
    '2026-10-13 to 2026-10-13',
  ])
})

test('work that throws is reported, and the next tick repeats it', async () => {
  let isBroken = true
  const one = scheduler({
    look: async () => {
      if (isBroken) throw new Error('the disk is gone.')
      return { tapes: ['2026-10-14'], isCurrent: date => published.has(date) }
    },
  })
  await one.wake()
  expect(new Set(text)).toEqual(new Set(['could not catch up: the disk is gone.']))
  isBroken = false
  await one.wake()
  expect(did).toEqual(['builds 2026-10-14 to 2026-10-14', 'verifies', 'writes months'])
})

test('nights outlive the process, and a damaged file of them only repeats their work', async () => {
  await scheduler().once()
  await scheduler().once()
  expect(did.filter(line => line === 'verifies')).toHaveLength(1)
  writeFileSync(join(folder, 'work/nights.json'), '{"verify": 3')
  await scheduler().once()
  expect(did.filter(line => line === 'verifies')).toHaveLength(2)
})

test('every cron expression is one', () => {
  for (const job of JOBS) expect(cron.validate(job.cron), job.name).toBe(true)
})
