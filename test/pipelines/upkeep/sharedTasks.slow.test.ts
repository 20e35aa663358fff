// Thousands of tasks that many processes share through PostgreSQL, without faults and with all of
// them; `npm run chaos` runs the whole. Times are printed, as shares of what the same tasks take
// without a queue, and not judged.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { StageTask } from '../../../pipelines/upkeep/tasks.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { isChaos, report } from '../../support/chaos.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { waitUntil } from '../../support/processes.ts'
import { randomNumbers } from '../../support/random.ts'
import {
  type Fleet,
  judge,
  openFleet,
  quantile,
  stubTask,
  stubTasks,
} from '../../support/sharedTasks.ts'
import type { LogLine } from '../../support/sharedTasksProcess.ts'

const [FOLDS, BUILDS, WORKERS, KILLS] = isChaos ? [4_500, 500, 16, 60] : [180, 20, 4, 6]
const AWAY_MS = isChaos ? 120_000 : 20_000
const HALT_MS = 25_000
/** Longer than a halt, and than it takes another worker to get the task meanwhile. */
const LONG_MS = 30_000
const CRASHES = ['SIGQUIT', 'SIGKILL', 'SIGQUIT'] as const
/** On a machine that is busy a worker notices later that its task is another one's; 1 s on others. */
const OVERLAP_MAX_MS = 3_000

let server: PostgresServer
let fleet: Fleet | null = null

async function openStubs(tasks: readonly StageTask[], workerCount: number): Promise<Fleet> {
  fleet = openFleet(await server.newDatabase(), tasks)
  const { addWorker } = fleet
  await Promise.all(Array.from({ length: workerCount }, addWorker))
  return fleet
}

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
})

afterEach(async () => {
  await fleet?.end()
  fleet = null
})

afterAll(async () => {
  await server?.stop()
})

const seconds = (ms: number) => (ms / 1_000).toFixed(1)
const print = (line: string) => void process.stdout.write(`${line}\n`)

function printJudged(
  what: string,
  tasks: readonly StageTask[],
  judged: ReturnType<typeof judge>,
): void {
  const [share, upShare] = [judged.lastedMs * WORKERS, judged.upMs].map(ms => judged.doneMs / ms)
  print(
    `${what}: ${tasks.length} tasks, ${WORKERS} workers, ${seconds(judged.lastedMs)} s, ` +
      `${share!.toFixed(2)} of the ideal, ${upShare!.toFixed(2)} while workers are up; ` +
      `${judged.lost.length} lost, ` +
      `${judged.doubled.length} doubled, longest overlap ${seconds(judged.overlapMs)} s`,
  )
  const { againMs } = judged
  if (againMs.length === 0) return
  const [half, most] = [quantile(againMs, 0.5), quantile(againMs, 0.99)]
  print(
    `${what}: ${againMs.length} tasks of dead workers ran again after ${seconds(half)} s (half), ` +
      `${seconds(most)} s (99 %), ${seconds(againMs.at(-1)!)} s (all)`,
  )
}

const begunCount = ({ log }: Fleet) => log().filter(({ what }) => what === 'begin').length

describe.skipIf(!hasPostgres)('shared tasks', () => {
  test('without faults', async () => {
    const tasks = stubTasks(FOLDS, BUILDS, 1)
    const { submit, log } = await openStubs(tasks, WORKERS)
    const submitter = submit()
    expect(await submitter.ended).toBe(0)
    const judged = judge(log(), tasks, submitter.pid)
    printJudged('without faults', tasks, judged)
    expect(judged).toMatchObject({ lost: [], doubled: [], failed: [], overlapMs: 0 })
  })

  test('with kills, crashes of the server and a worker that stands still', async () => {
    const long = stubTask('fold-long', LONG_MS)
    const [carry, ...others] = stubTasks(FOLDS, BUILDS, 2).sort(
      (a, b) => Number(b.stage === 'carry') - Number(a.stage === 'carry'),
    )
    const tasks = [long, { ...carry!, needs: [...carry!.needs, long.id] }, ...others]
    const opened = await openStubs(tasks, WORKERS)
    const submitter = opened.submit()
    const begunBy = () => opened.log().find(({ what, id }) => what === 'begin' && id === long.id)
    await waitUntil('the long task begins', () => begunBy() !== undefined)
    const { pid } = begunBy()!
    const halted = opened.workers().find(worker => worker.pid === pid)!
    const halt = opened.halt(halted, HALT_MS)
    const random = randomNumbers(3)
    const crashes = CRASHES.map((signal, index) => ({
      signal,
      at: Math.floor(((index + 1) * KILLS) / (CRASHES.length + 1)),
    }))
    for (let kills = 1; kills <= KILLS; kills++) {
      const begun = Math.floor((kills * FOLDS) / (KILLS + 1))
      await waitUntil(`${begun} tasks begin`, () => begunCount(opened) >= begun)
      const victims = opened.readyWorkers().filter(worker => worker !== halted)
      await opened.kill(victims[Math.floor(random() * victims.length)]!)
      report('tried', 'workers killed in a queue')
      opened.startWorker()
      const crash = crashes.find(({ at }) => at === kills)
      if (!crash) continue
      await server.crash(crash.signal)
      report('tried', 'crashes of the database')
      const crashedMs = systemClock.nowMs()
      await server.restart()
      const backMs = systemClock.nowMs()
      const isNew = ({ what, atMs }: LogLine) => what === 'begin' && atMs > backMs
      await waitUntil('a task begins again', () => opened.log().some(isNew))
      print(
        `with faults: the server was away for ${seconds(backMs - crashedMs)} s, the next task ` +
          `began after ${seconds(opened.log().find(isNew)!.atMs - backMs)} s`,
      )
    }
    expect(await submitter.ended).toBe(0)
    await halt
    const judged = judge(opened.log(), tasks, submitter.pid)
    printJudged('with faults', tasks, judged)
    expect(judged).toMatchObject({ lost: [], doubled: [], failed: [] })
    expect(judged.overlapMs).toBeLessThan(OVERLAP_MAX_MS)
    expect(opened.workers()).toHaveLength(WORKERS)
    report('right', 'workers killed in a queue', KILLS)
    report('right', 'crashes of the database', CRASHES.length)
  })

  test('a task that kills its process fails after five kills, and the others go on', async () => {
    const poison = { ...stubTask('fold-poison', 100), inputs: 'poison' }
    const carry = stubTask('carry-all', 100, ['fold-poison', 'fold-0'])
    const tasks = [poison, stubTask('fold-0', 100), carry, stubTask('build-0', 100, [carry.id])]
    const { submit, log, workers, addWorker } = await openStubs(tasks, 2)
    const submitter = submit()
    for (let deaths = 1; deaths <= 5; deaths++) {
      await waitUntil('the task kills', () => workers().length < 2)
      await addWorker()
    }
    expect(await submitter.ended).toBe(0)
    const judged = judge(log(), tasks, submitter.pid)
    print(`poison: ran again after ${judged.againMs.map(seconds).join(', ')} s`)
    expect(judged).toMatchObject({
      lost: [],
      doubled: [],
      failed: ['fold-poison: its process was killed or stopped 5 times.'],
    })
  })

  test('a submitter ends where another one took its lock', async () => {
    const tasks = [stubTask('fold-0', 600_000)]
    const opened = await openStubs(tasks, 1)
    const submitter = opened.submit()
    await waitUntil('the task begins', () => begunCount(opened) === 1)
    const [other, killer] = [1, 2].map(() => new pg.Client({ connectionString: opened.url }))
    for (const client of [other!, killer!]) await client.connect()
    const taken = other!.query(`select pg_advisory_lock(hashtextextended('tapefold backfill', 0))`)
    await killer!.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted`,
    )
    await taken
    expect(await submitter.ended).toBe(1)
    expect(submitter.errorText()).toBe(
      'tapefold: Another process went on with the work while the database was away.\n',
    )
    for (const client of [other!, killer!]) await client.end()
  })

  test(`a server that is away for ${AWAY_MS / 1_000} s`, async () => {
    const tasks = [
      ...stubTasks(40, 10, 4),
      ...[0, 1, 2].map(index => stubTask(`fold-short-${index}`, 1_000)),
    ]
    const { submit, log, workers } = await openStubs(tasks, 4)
    const submitter = submit()
    await waitUntil('tasks begin', () => log().length > 20)
    await server.crash()
    report('tried', 'crashes of the database')
    await sleep(AWAY_MS)
    const lastMs = log().at(-1)!.atMs
    await server.restart()
    const backMs = systemClock.nowMs()
    await waitUntil('a task begins again', () => log().some(({ atMs }) => atMs > lastMs))
    const next = log().find(({ atMs }) => atMs > lastMs)!
    print(`away: the first task after ${seconds(next.atMs - backMs)} s`)
    expect(await submitter.ended).toBe(0)
    expect(workers()).toHaveLength(4)
    const judged = judge(log(), tasks, submitter.pid)
    print(`away: all tasks after ${seconds(log().at(-1)!.atMs - backMs)} s`)
    expect(judged).toMatchObject({ lost: [], doubled: [], failed: [] })
    for (const { text, errorText } of [submitter, ...workers()]) {
      expect(text().match(/does not respond/g)).toHaveLength(1)
      expect(text().match(/responds again/g)).toHaveLength(1)
      expect(errorText()).toBe('')
    }
    report('right', 'crashes of the database')
  })
})
