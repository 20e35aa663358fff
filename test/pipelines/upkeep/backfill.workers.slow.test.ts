// Workers as processes that share a backfill, on a file and on PostgreSQL; one of them is killed.

import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runImport } from '../../../pipelines/import/import.ts'
import { sessionsFrom } from '../../../pipelines/measure/bench/tape.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { publishedSessions } from '../../../src/data/published/manifest.ts'
import { openFileQueue, openPostgresQueue } from '../../../src/platform/jobs/open.ts'
import { counted, isChaos } from '../../support/chaos.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { findBuilder } from '../../support/processes.ts'

// one session that stands alone, and two that follow each other; with CHAOS=all twenty, in runs
const DATES = isChaos
  ? sessionsFrom('2026-09-01', 30).filter((_, index) => index % 3 !== 1)
  : ['2026-10-05', '2026-10-07', '2026-10-08']
const root = await mkdtemp(join(tmpdir(), 'tapefold-workers-'))
let server: PostgresServer | null = null

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres()
  for (const date of DATES) {
    const out = join(root, date)
    const size = { prints: 200, contracts: 150, seed: 4, hasQuotes: false }
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out })
  }
})

afterAll(async () => {
  await server?.stop()
  rmSync(root, { recursive: true, force: true })
})

async function importTapes(dataFolder: string, dates: readonly string[]): Promise<void> {
  for (const date of dates) {
    for (const name of ['prints', 'spots']) {
      const files = [join(root, date, `${name}.parquet`)]
      await runImport({ dataFolder, format: name, files, simulated: true })
    }
  }
}

function startBackfill(
  dataFolder: string,
  dates: readonly string[],
  environment: Record<string, string>,
) {
  const range = [dates[0]!, dates.at(-1)!]
  const args = ['src/server/cli.ts', 'backfill', ...range, '--workers', '2', '--data', dataFolder]
  const child = spawn(process.execPath, args, { env: { ...process.env, ...environment } })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
  }
  return new Promise<{ code: number | null; text: string }>(resolve =>
    child.on('close', code => resolve({ code, text })),
  )
}

/** The worker whose build holds a session, or null while nobody's does. */
function findWorker(dataFolder: string, date: string): number | null {
  try {
    const builder = findBuilder(dataFolder, date)
    const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${builder}/status`, 'utf8'))
    return Number(parent![1])
  } catch {
    return null
  }
}

const ENGINES = [
  ['file', DATES.slice(0, 2), true],
  ['postgres', DATES, hasPostgres],
] as const

describe.each(ENGINES)('two workers on a %s queue', (engine, dates, isHere) => {
  test.skipIf(!isHere)('build each session once, though one of them is killed', () =>
    counted('workers killed in a backfill', async () => {
      const dataFolder = join(root, engine)
      await importTapes(dataFolder, dates)
      const isShared = engine === 'postgres'
      const jobs = isShared ? `backfill ${dates[0]} ${dates.at(-1)}` : 'backfill'
      const backfill = startBackfill(
        dataFolder,
        dates,
        isShared ? { DATABASE_URL: server!.url } : {},
      )

      const killed = dates[1]!
      let worker = findWorker(dataFolder, killed)
      while (worker === null) {
        await new Promise(resolve => setTimeout(resolve, 10))
        worker = findWorker(dataFolder, killed)
      }
      process.kill(worker, 'SIGKILL')

      const { code, text } = await backfill
      expect(text).toMatch(new RegExp(`\n${dates.length} built, 0 up to date, 0 failed\n$`))
      for (const date of dates) expect(text.split(`${date}  built in`)).toHaveLength(2)
      expect(code).toBe(0)
      expect(publishedSessions(dataFolder)).toEqual(dates)

      const queue = await (isShared
        ? openPostgresQueue(server!.url)
        : openFileQueue(join(dataFolder, 'jobs.sqlite'), systemClock.nowMs))
      const ended = (await queue.ended(jobs)).map(({ item, tries: attempts, outcome }) => ({
        item,
        tries: attempts,
        outcome,
      }))
      await queue.close()
      // begun twice by two workers, and published by the second one alone
      const expected = dates.map(item => ({
        item,
        tries: item === killed ? 2 : 1,
        outcome: 'built',
      }))
      expect(ended.sort((a, b) => (a.item < b.item ? -1 : 1))).toEqual(expected)
    }),
  )
})
