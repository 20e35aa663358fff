// Readers concurrent with a session that is published minute by minute, a night that is
// published again and again, and a collector: a server, the store in this process, views and
// globs of analysts.

import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silent } from '../../../pipelines/command/progress.ts'
import { openMinuteJob } from '../../../pipelines/live/minute.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { COMMAND_PROCESS } from '../../../src/core/pipeline.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { openCatalog } from '../../../src/data/published/catalog.ts'
import { collect } from '../../../src/data/published/collect.ts'
import { openKnownLedgers } from '../../../src/data/published/knownLedgers.ts'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { isChaos, report } from '../../support/chaos.ts'
import { DATE, importedTape, simulateLive } from '../../support/liveTape.ts'
import { openVersions } from '../../support/versions.ts'

const NIGHT = '2026-10-14'
const FIRST = '09:36'
const LAST = isChaos ? '10:16' : '09:39'
const VERSIONS = isChaos ? 200 : 8
const PAUSE_MS = 250
const READERS = 8

let dataFolder: string
let db: Database
let server: ChildProcess
let url: string
let headers: Record<string, string>

beforeAll(async () => {
  dataFolder = await importedTape(await simulateLive())
  const versions = await openVersions(dataFolder, NIGHT)
  for (const version of [1, 2]) await versions.publish(version)
  versions.close()
  // superseded long ago, so that the collector finds something from the start
  for (const file of globSync('published/superseded/*.json', { cwd: dataFolder })) {
    utimesSync(join(dataFolder, file), 1_000, 1_000)
  }
  const job = await openMinuteJob({ dataFolder, date: DATE, progress: silent })
  await job.advance(instantMs(DATE, FIRST), true)
  await job.close()
  db = await openDatabase()
  const accounts = await openAccountStore(join(dataFolder, 'accounts.sqlite'))
  const { id } = await accounts.addAccount({ name: 'desk', plan: 'orders_team', createdAtMs: 0 })
  const key = { accountId: id, scope: 'orders', name: 'desk', createdAtMs: 0 } as const
  headers = { authorization: `Bearer ${(await accounts.addKey(key))!.apiKey}` }
  await accounts.close()
  const serve = ['src/cli/cli.ts', 'serve', '--port', '0', '--data', dataFolder]
  const env = { ...process.env, TAPEFOLD_LOG: 'warn' }
  server = spawn(process.execPath, serve, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  url = await new Promise<string>(resolve => {
    server.stdout!.on('data', chunk => {
      const address = /serves (http:\/\/[\d.:]+)/.exec(String(chunk))?.[1]
      if (address) resolve(address)
    })
  })
  const position = { kind: 'strangle', legs: { sp: 5900, sc: 6100 }, entry: '10:00' }
  await get('/api/positions', JSON.stringify({ op: 'add', position }))
})

afterAll(() => {
  server.kill('SIGTERM')
  db.close()
})

async function get(path: string, body?: string) {
  const sent = body === undefined ? {} : { method: 'POST', body }
  const response = await fetch(url + path, { headers, ...sent })
  const text = await response.text()
  expect([response.status, path], text).toEqual([200, path])
  return { etag: response.headers.get('etag'), json: JSON.parse(text) }
}

/** Reads again and again, and once after the end; returns what was seen, oldest first. */
async function readOn<T>(isOver: () => boolean, read: () => Promise<T>): Promise<T[]> {
  const seen: T[] = []
  for (;;) {
    const isLast = isOver()
    report('tried', 'reads beside a writer')
    seen.push(await read())
    report('right', 'reads beside a writer')
    if (isLast) return seen
    // the writers need the machine too
    await sleep(PAUSE_MS)
  }
}

/** Waits for all, and fails as the first that failed. */
async function allEnded<T extends readonly unknown[]>(works: { [K in keyof T]: Promise<T[K]> }) {
  await Promise.allSettled(works)
  return Promise.all(works)
}

const findEnd = (child: ChildProcess) => new Promise(resolve => child.on('close', resolve))

/** Values that may stay and may rise, and did. */
function expectRising(values: readonly (string | number)[]): void {
  expect(values).toEqual([...values].sort((a, b) => (a < b ? -1 : Number(a > b))))
  expect(new Set(values).size).toBeGreaterThan(1)
}

/**
 * Every response is that of one minute, and never that of an earlier one than the response
 * before.
 */
async function expectMinutes(etags: readonly (string | null)[], minutes: readonly string[]) {
  const ofMinute: (string | null)[] = []
  for (const asof of minutes) {
    ofMinute.push((await get(`/orders/api/day?day=${DATE}&asof=${asof}`)).etag)
  }
  let at = 0
  for (const etag of etags) {
    while (at < minutes.length && ofMinute[at] !== etag) at++
    expect(at, `${etag} is no later state`).toBeLessThan(minutes.length)
  }
}

async function readGlob(): Promise<string> {
  const rows = await db.rows(
    `select minute_et, count(distinct book_basis) as bases, count(*) as row_count
     from read_parquet($files) group by minute_et order by minute_et`,
    { files: join(dataFolder, 'live/levels/**/*.parquet') },
  )
  // each minute once, with every book, and none left out
  const minutes = rows.map(row => String(row.minute_et))
  const firstMs = instantMs(DATE, minutes[0]!)
  const lastMs = instantMs(DATE, minutes.at(-1)!)
  expect(minutes).toHaveLength((lastMs - firstMs) / 60_000 + 1)
  for (const row of rows) expect(row.row_count).toBe(row.bases)
  expect(new Set(rows.map(row => row.bases)).size).toBe(1)
  return minutes.at(-1)!
}

async function readViews(): Promise<number> {
  const { rows } = await runQuery(
    dataFolder,
    `select distinct version from (
       select size as version from orders union all select order_count from stats
       union all select leg_number from legs union all select print_count from tape_report
     )`,
  )
  expect(rows).toHaveLength(1)
  return Number(rows[0]!.version)
}

test('readers of a running session and of nights: 0 mixed, 0 errors, 0 going back', async () => {
  const run = (...args: string[]) =>
    spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const minute = [COMMAND_PROCESS, 'minute', DATE, '--until', LAST, '--data', dataFolder]
  const publish = ['test/support/publishProcess.ts', dataFolder, '3', String(VERSIONS)]
  let isOver = false
  // the writers begin when every reader has seen what was there before, however long that takes
  const begun = Promise.withResolvers<void>()
  const readers = new Set<object>()
  const over = begun.promise
    .then(() => Promise.all([run(...minute), run(...publish, '-', NIGHT)].map(findEnd)))
    .finally(() => {
      isOver = true
    })

  const logged: unknown[] = []
  const log = { error: (fields: object) => void logged.push(fields) }
  let tick = 0
  const nowMs = () => (tick += 500)
  const catalog = openCatalog({ dataFolder, nowMs, log })
  const known = openKnownLedgers(dataFolder)
  // one that fails stops the others: the engine must not be closed under a query
  const until = <T>(read: () => Promise<T>) => {
    const reading = async () => {
      const seen = await read()
      if (readers.add(read).size === READERS) begun.resolve()
      return seen
    }
    return readOn(() => isOver, reading).catch(error => {
      isOver = true
      begun.resolve()
      return Promise.reject(error)
    })
  }
  const [latest, sealed, checks, store, globs, views, nights] = await allEnded([
    until(async () => (await get('/orders/api/latest')).etag),
    until(async () => (await get(`/orders/api/day?day=${DATE}&asof=09:33`)).etag),
    until(async () => (await get(`/api/positions/check?day=${DATE}`)).json),
    until(async () => {
      const { manifest, knownBeforeMs } = catalog.newest()!
      const { stats } = await known.read(manifest, knownBeforeMs!)
      return [knownBeforeMs!, JSON.stringify(stats)] as const
    }),
    until(readGlob),
    until(readViews),
    until(async () => (await get(`/orders/api/day?day=${NIGHT}`)).json.version as number),
    until(async () => {
      // what was superseded a minute ago may be deleted, and what was long before is
      const { retained } = await collect({ dataFolder, nowMs: tick, graceMs: 60_000 })
      expect(retained).toEqual([])
    }),
  ])
  expect(await over).toEqual([0, 0])
  await known.close()

  const [firstMs, lastMs] = [instantMs(DATE, FIRST), instantMs(DATE, LAST)]
  const minutes = Array.from({ length: (lastMs - firstMs) / 60_000 + 1 }, (_, index) => {
    const et = new Date(firstMs + index * 60_000 - 4 * 3_600_000)
    return et.toISOString().slice(11, 16)
  })
  await expectMinutes(latest, minutes)
  expect(new Set(sealed).size).toBe(1)
  expectRising(checks.map(({ t }) => t))
  for (const { t, checks: judged } of checks) {
    const again = await get(`/api/positions/check?day=${DATE}&t=${t}`)
    expect(again.json.checks, t).toEqual(judged)
  }
  expectRising(store.map(([atMs]) => atMs))
  for (const [atMs, stats] of store) {
    const { manifest } = catalog.newest()!
    const reader = openKnownLedgers(dataFolder)
    expect(JSON.stringify((await reader.read(manifest, atMs)).stats)).toBe(stats)
    await reader.close()
  }
  expectRising(globs)
  expectRising(views)
  expectRising(nights)
  expect(logged).toEqual([])
  expect(catalog.problems()).toEqual([])
})
