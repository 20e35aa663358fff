// Tasks that processes share through PostgreSQL, some of which are killed, as is the server.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { ENTRANCE, processesWith, type Started, start, waitUntil } from '../../support/processes.ts'
import { randomNumbers } from '../../support/random.ts'
import { type Fleet, judge, openFleet, stubTask, stubTasks } from '../../support/sharedTasks.ts'

const AWAY = 'the database does not respond; waiting for it'
const BACK = 'the database responds again'
/** On a machine that is busy a worker notices later that its task is another one's; 1 s on others. */
const OVERLAP_MAX_MS = 3_000

const folder = mkdtempSync(join(tmpdir(), 'tapefold-work-'))
const run = (url: string, ...args: string[]) =>
  start(ENTRANCE, [...args, '--data', folder], { env: { ...process.env, DATABASE_URL: url } })

let server: PostgresServer
const fleets: Fleet[] = []

async function openStubs(tasks: Parameters<typeof openFleet>[1], workerCount: number) {
  const fleet = openFleet(await server.newDatabase(), tasks)
  fleets.push(fleet)
  await Promise.all(Array.from({ length: workerCount }, fleet.addWorker))
  return fleet
}

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
})

afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.end()
})

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const begunTasks = (fleet: Fleet) => fleet.log().filter(({ what }) => what === 'begin')
const untilBegun = (fleet: Fleet, count: number) =>
  waitUntil(`${count} tasks begin`, () => begunTasks(fleet).length >= count)

const countLines = (process: Started, sentence: string) =>
  process
    .text()
    .split('\n')
    .filter(line => line === sentence).length

/** Rows of the queue of a database. */
async function readJobs(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

describe.skipIf(!hasPostgres)('shared tasks', () => {
  test('none is lost or done twice when workers and the server are killed', async () => {
    const tasks = stubTasks(50, 10, 1)
    const fleet = await openStubs(tasks, 4)
    const submitter = fleet.submit()
    const random = randomNumbers(2)
    for (const begun of [5, 15, 25]) {
      await untilBegun(fleet, begun)
      const workers = fleet.workers()
      await fleet.kill(workers[Math.floor(random() * workers.length)]!)
      await fleet.addWorker()
    }
    await untilBegun(fleet, 35)
    await server.crash('SIGKILL')
    await server.restart()
    expect(await submitter.ended).toBe(0)
    const judged = judge(fleet.log(), tasks, submitter.pid)
    expect(judged).toMatchObject({ lost: [], doubled: [], failed: [] })
    expect(judged.overlapMs).toBeLessThan(OVERLAP_MAX_MS)
  })

  test('a task that kills its process fails after five kills, and the others go on', async () => {
    const poison = { ...stubTask('fold-poison', 100), inputs: 'poison' }
    const carry = stubTask('carry-all', 100, ['fold-poison', 'fold-0'])
    const tasks = [poison, stubTask('fold-0', 100), carry, stubTask('build-0', 100, [carry.id])]
    const fleet = await openStubs(tasks, 2)
    const submitter = fleet.submit()
    for (let deaths = 1; deaths <= 5; deaths++) {
      await waitUntil('the task kills', () => fleet.workers().length < 2)
      // as if the seconds without a sign of life were over
      await readJobs(
        fleet.url,
        `update tapefold_tasks.job set heartbeat_on = heartbeat_on - interval '1 minute'
         where name = 'tasks' and state = 'active' and data -> 'task' ->> 'inputs' = 'poison'`,
      )
      await fleet.addWorker()
    }
    expect(await submitter.ended).toBe(0)
    expect(judge(fleet.log(), tasks, submitter.pid)).toMatchObject({
      lost: [],
      doubled: [],
      failed: ['fold-poison: its process was killed or stopped 5 times.'],
    })
  })

  test('a server that is away is waited for, which each process reports once', async () => {
    const tasks = [
      ...[0, 1, 2, 3].map(index => stubTask(`fold-${index}`, 5_000)),
      ...[4, 5, 6, 7].map(index => stubTask(`fold-${index}`, 500)),
      stubTask('carry-all', 500, ['fold-0', 'fold-7']),
      stubTask('build-0', 500, ['carry-all']),
    ]
    const fleet = await openStubs(tasks, 3)
    const submitter = fleet.submit()
    await untilBegun(fleet, 3)
    const all = [submitter, ...fleet.workers()]
    await server.crash()
    await sleep(12_000)
    await server.restart()
    expect(await submitter.ended).toBe(0)
    const judged = judge(fleet.log(), tasks, submitter.pid)
    expect(judged).toMatchObject({ lost: [], doubled: [], failed: [] })
    expect(fleet.workers()).toHaveLength(3)
    for (const one of all) {
      expect([AWAY, BACK].map(line => countLines(one, line))).toEqual([1, 1])
      expect(one.errorText()).toBe('')
    }
  })

  test('a submitter that was killed goes on when it is started again', async () => {
    const tasks = stubTasks(20, 4, 3)
    const fleet = await openStubs(tasks, 2)
    const first = fleet.submit()
    await untilBegun(fleet, 8)
    await fleet.kill(first)
    const second = fleet.submit()
    expect(await second.ended).toBe(0)
    const judged = judge(fleet.log(), tasks, second.pid)
    expect(judged).toMatchObject({ lost: [], doubled: [], failed: [] })
    expect(judged.overlapMs).toBeLessThan(OVERLAP_MAX_MS)
  })

  test('a second submitter is refused, also after the first has lost its connection', async () => {
    const tasks = [stubTask('fold-0', 600_000)]
    const fleet = await openStubs(tasks, 1)
    const submitter = fleet.submit()
    await untilBegun(fleet, 1)
    const second = run(fleet.url, 'backfill', '2026-10-15', '2026-10-16')
    expect(await second.ended).toBe(1)
    expect(second.text()).toBe(
      'tapefold: Another backfill is running on this database; ' +
        'start "tapefold work" to do tasks of it.\n',
    )
    // it takes the lock again after its connection has ended
    const holder = `select pid from pg_locks where locktype = 'advisory' and pid in
      (select pid from pg_stat_activity where query like '%pg_try_advisory_lock%')`
    const before = await readJobs(fleet.url, holder)
    await readJobs(fleet.url, `select pg_terminate_backend(pid) from (${holder}) as holders`)
    await waitUntil('it is taken again', async () => {
      const after = await readJobs(fleet.url, holder)
      return after.length === 1 && after[0].pid !== before[0].pid
    })
    expect(await fleet.submit().ended).toBe(1)
    expect(submitter.child.exitCode).toBeNull()
  })
})

describe.skipIf(!hasPostgres)('the command', () => {
  test('work gives its task back when it is stopped, and leaves no process', async () => {
    const fleet = await openStubs([stubTask('fold-2026-10-15', 100)], 0)
    const worker = run(fleet.url, 'work', '--workers', '1')
    await waitUntil('it waits for tasks', () =>
      worker.text().includes('waiting for tasks, 1 at once'),
    )
    const submitter = fleet.submit()
    const ofFolder = () => processesWith(`--data ${folder}`)
    await waitUntil('a child does the task', () =>
      processesWith('fold-2026-10-15 --json').some(pid => ofFolder().includes(pid)),
    )
    process.kill(worker.pid, 'SIGTERM')
    expect(await worker.ended).toBe(0)
    expect(processesWith(folder)).toEqual([])
    const [job] = await readJobs(
      fleet.url,
      `select state from tapefold_tasks.job where name = 'tasks'`,
    )
    expect(job.state).toBe('retry')
    await fleet.addWorker()
    expect(await submitter.ended).toBe(0)
  })

  test('a database that is away at the start: backfill is to be run again, work waits', async () => {
    const url = 'postgresql://me:hunter2@127.0.0.1:1/db'
    const worker = run(url, 'work', '--workers', '1')
    const backfill = run(url, 'backfill', '2026-10-15', '2026-10-16')
    expect(await backfill.ended).toBe(75)
    const sentence = 'the database of DATABASE_URL cannot be used now (ECONNREFUSED).'
    expect(backfill.text()).toBe(`tapefold: ${sentence}\n`)
    await waitUntil('it reports', () => worker.text() !== '')
    process.kill(worker.pid, 'SIGTERM')
    expect(await worker.ended).toBe(0)
    expect(worker.text()).toBe(`${sentence} Waiting for it.\n`)
  })
})
