// The schedule as a process: it finds by itself what to build.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { neighbourSession, wallTimeEt } from '../../../src/core/market/calendar.ts'
import { pipelineEnvironment } from '../../../src/core/pipelineEnvironment.ts'
import { publishedSessions } from '../../../src/data/published/manifest.ts'
import { hasPostgres, sharePostgres } from '../../support/postgres.ts'

const root = mkdtempSync(join(tmpdir(), 'tapefold-schedule-'))
const dataFolder = join(root, 'data')
// the schedule looks at the machine's clock, so the session has to be a recent one
const date = neighbourSession(wallTimeEt(systemClock.nowMs()).date, -1).date

beforeAll(async () => {
  const size = { prints: 200, contracts: 150, seed: 4, hasQuotes: false }
  const out = join(root, date)
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out })
  await importSimulated(dataFolder, out, ['prints', 'spots'])
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

function start(...args: string[]) {
  return startWith({}, ...args)
}

function startWith(own: Record<string, string>, ...args: string[]) {
  const command = ['src/cli/cli.ts', 'schedule', '--data', dataFolder, ...args]
  // a machine whose own clocks change: the ticks must not follow them
  const env = { ...process.env, TZ: 'America/New_York', ...own }
  const child = spawn(process.execPath, command, { env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
  }
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  return { child, text: () => text, ended }
}

test('it builds what has finished, verifies, stops on a signal, and leaves no work', async () => {
  const schedule = start()
  while (!schedule.text().includes('wrote month=')) {
    expect(schedule.child.exitCode, schedule.text()).toBeNull()
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  const { pid } = schedule.child
  const [pipeline] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  const environment = readFileSync(`/proc/${pipeline}/environ`, 'utf8').split('\0')
  expect(environment).toContain('TZ=UTC')
  expect(environment).toContain(`GLIBC_TUNABLES=${pipelineEnvironment({}).GLIBC_TUNABLES}`)
  expect(publishedSessions(dataFolder)).toEqual([date])
  expect(schedule.text()).toMatch(new RegExp(`UTC  1 of 1  ${date}  built in .+\\n`))
  expect(schedule.text()).toMatch(/UTC {2}verified for the night of .+: 0 findings\n/)
  schedule.child.kill('SIGTERM')
  expect(await schedule.ended).toBe(0)

  const once = start('--once')
  expect([await once.ended, once.text()]).toEqual([0, ''])
})

test('a session is published while a source that never responds is requested', async () => {
  const requested = Promise.withResolvers<void>()
  const silent = createServer(() => requested.resolve())
  await new Promise<void>(listening => silent.listen(0, '127.0.0.1', listening))
  rmSync(join(dataFolder, 'published'), { recursive: true, force: true })
  const { port } = silent.address() as AddressInfo
  const own = { TAPEFOLD_THETADATA_URL: `http://127.0.0.1:${port}` }
  const schedule = startWith(own, '--fetch', 'thetadata')
  await requested.promise
  await vi.waitUntil(() => publishedSessions(dataFolder).includes(date), { timeout: 120_000 })
  // it still waits for the first response
  expect(schedule.text()).not.toMatch(/thetadata (?!.*requests)/)
  schedule.child.kill('SIGTERM')
  expect(await schedule.ended).toBe(0)
  silent.closeAllConnections()
  await new Promise(closed => silent.close(closed))
})

test.skipIf(!hasPostgres)(
  'of 2 schedules the one that lost its lock ends with 1 and why',
  async () => {
    const url = await (await sharePostgres()).newDatabase()
    const schedule = startWith({ DATABASE_URL: url })
    await vi.waitUntil(() => schedule.text().includes('waiting for sessions'), { timeout: 60_000 })
    const [other, killer] = [1, 2].map(() => new pg.Client({ connectionString: url }))
    for (const client of [other!, killer!]) await client.connect()
    const taken = other!.query(`select pg_advisory_lock(hashtextextended('tapefold schedule', 0))`)
    await killer!.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())`,
    )
    await taken
    expect(await schedule.ended).toBe(1)
    expect(schedule.text()).toContain(
      'tapefold: Another process went on with the work while the database was away.\n',
    )
    for (const client of [other!, killer!]) await client.end()
  },
)
