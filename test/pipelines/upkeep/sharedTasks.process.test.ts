// Tasks that processes share through PostgreSQL, some of which are killed, as is the server.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { type Started, waitUntil } from '../../support/processes.ts'
import { randomNumbers } from '../../support/random.ts'
import { type Fleet, judge, openFleet, stubTask, stubTasks } from '../../support/sharedTasks.ts'

let server: PostgresServer
let fleet: Fleet

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
})

afterAll(async () => {
  await fleet?.end()
  await server?.stop()
})

const linesOf = (process: Started, sentence: string) =>
  process.text().split('\n').filter(line => line.includes(sentence)).length

describe.skipIf(!hasPostgres)('shared tasks', () => {
  test('none is lost or done twice when workers and the server are killed', async () => {
    const tasks = stubTasks(50, 10, 1)
    fleet = openFleet(await server.newDatabase(), tasks)
    await Promise.all([1, 2, 3, 4].map(fleet.addWorker))
    const submitter = fleet.submit()
    const random = randomNumbers(2)
    const isBegun = (count: number) => () =>
      fleet.log().filter(({ what }) => what === 'begin').length >= count
    for (const begun of [5, 15, 25]) {
      await waitUntil('tasks begin', isBegun(begun))
      const workers = fleet.workers()
      await fleet.kill(workers[Math.floor(random() * workers.length)]!)
      await fleet.addWorker()
    }
    await waitUntil('tasks begin', isBegun(35))
    await server.crash()
    await server.restart()
    expect(await submitter.ended).toBe(0)
    const judged = judge(fleet.log(), tasks, submitter.pid)
    console.log(judged)
    expect(judged).toMatchObject({ lost: [], doubled: [], failed: [] })
  })
})
