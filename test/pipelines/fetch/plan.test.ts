// Cost of a plan of many days: time, requests, and the price by the source.

import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClient } from '../../../pipelines/fetch/client.ts'
import { DATABENTO } from '../../../pipelines/fetch/databento/source.ts'
import { MASSIVE } from '../../../pipelines/fetch/massive/source.ts'
import { askPrice, type FetchDeps, planFetch, usualBytes } from '../../../pipelines/fetch/run.ts'
import { readSettings } from '../../../pipelines/fetch/settings.ts'
import { THETADATA } from '../../../pipelines/fetch/thetadata/source.ts'
import { addDays, findTradingSession } from '../../../src/core/market/calendar.ts'
import { writeResponse } from '../../../src/data/fetched/responses.ts'
import { NOW_MS } from '../../support/fetchPart.ts'
import { newFolder } from '../../support/import.ts'
import { DATABENTO_KEY, startDatabento } from '../../support/sources/databento.ts'
import { tooManyRequests } from '../../support/sources/faults.ts'
import type { Source as Server } from '../../support/sources/serve.ts'

const DAYS = 2500
const PLAN_SECONDS_MAX = 2

let dataFolder: string
let server: Server | undefined
beforeEach(() => {
  dataFolder = newFolder()
})
afterEach(async () => {
  await server?.close()
  server = undefined
  rmSync(dataFolder, { recursive: true, force: true })
})

const sessions: string[] = []
for (let day = '2026-10-15'; sessions.length < DAYS; day = addDays(day, -1))
  if (findTradingSession(day)) sessions.unshift(day)

/** Number of runs of which the fastest counts: on a busy machine one costs more CPU than alone. */
const RUNS_MAX = 5

/** Seconds of this process's work, of the first run that stays within the limit, or of the best. */
function measureSeconds(work: () => void, limit: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS_MAX && best > limit; run++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1e6)
  }
  return best
}

test.each([THETADATA, DATABENTO, MASSIVE])(
  '$name: a plan of 2,500 days takes 2 seconds at most',
  source => {
    expect(sessions.length).toBe(DAYS)
    // of some days all is there
    for (const part of source.plan(sessions.slice(0, 40), NOW_MS)) {
      writeResponse(dataFolder, {
        format: 1,
        source: source.name,
        day: part.day,
        file: part.file,
        request: '',
        fetched_at: '2026-10-16T12:00:00.000Z',
        bytes: 0,
        sha256: '',
        rows: 0,
        version: null,
        imported_at: null,
        restated_as: null,
      })
    }
    let counts = [0, 0]
    const seconds = measureSeconds(() => {
      const { missing, stored } = planFetch(dataFolder, source, sessions, NOW_MS)
      counts = [missing.length, stored.length]
      usualBytes(missing)
    }, PLAN_SECONDS_MAX)
    const parts = source.plan(sessions.slice(0, 1), NOW_MS).length
    expect(counts).toEqual([(DAYS - 40) * parts, 40 * parts])
    console.log(`${source.name}: ${counts[0]} requests planned in ${seconds.toFixed(2)} s`)
    expect(seconds).toBeLessThanOrEqual(PLAN_SECONDS_MAX)
  },
)

async function askForPrice(days: readonly string[], waits: number[] = []) {
  const settings = readSettings(DATABENTO, dataFolder, {
    TAPEFOLD_DATABENTO_URL: server!.url,
    DATABENTO_API_KEY: DATABENTO_KEY,
  })
  const nowMs = () => NOW_MS
  const client = openClient({ source: DATABENTO, settings, nowMs })
  const deps: FetchDeps = {
    dataFolder,
    source: DATABENTO,
    client,
    nowMs,
    wait: async ms => {
      waits.push(ms)
    },
    random: () => 0.5,
    onDay: () => {},
  }
  const { missing } = planFetch(dataFolder, DATABENTO, days, NOW_MS)
  try {
    return await askPrice(missing, deps)
  } finally {
    await client.close()
  }
}

const AVAILABLE = {
  start: '2013-04-01T00:00:00.000000000Z',
  end: '2026-10-17T00:00:00.000000000Z',
}

test('Databento: the price of 2,500 days takes two calls a schema, and no rows', async () => {
  server = await startDatabento({ available: AVAILABLE })
  expect(await askForPrice(sessions)).toEqual({ usd: 0, bytes: 0 })
  expect(server.requests.map(({ path }) => path).sort()).toEqual(
    ['get_billable_size', 'get_cost'].flatMap(name => Array(3).fill(`/v0/metadata.${name}`)),
  )
})

test('Databento: a price call that comes too often is made again after its Retry-After', async () => {
  server = await startDatabento({ available: AVAILABLE, faults: [tooManyRequests(1)] })
  const waits: number[] = []
  expect(await askForPrice(sessions.slice(-3), waits)).toEqual({ usd: 0, bytes: 0 })
  expect(waits).toEqual([1000])
})
