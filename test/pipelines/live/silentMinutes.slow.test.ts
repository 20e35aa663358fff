// Silent codes are judged minute by minute as they are of the whole day, late data included.

import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { openMinuteJob } from '../../../pipelines/live/minute.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { DATE, importedTape, simulateLive } from '../../support/liveTape.ts'

let whole: string
let live: string
let night: TestApi
let day: TestApi

/**
 * Late prints and cancels keep their codes, from 11:00 to 12:00 ET all prints do; every other one
 * has the one regular code.
 */
async function silenceCodes(file: string): Promise<void> {
  const db = await openDatabase()
  await db.run('create table prints as from read_parquet($file)', { file })
  await db.run(
    `copy (
       select * replace (
         case
           when condition in ('A', 'C', 'E', 'G', 'B', 'D') then condition
           when strftime(printed_at - interval 4 hours, '%H') = '11' then condition
           else ' '
         end as condition
       )
       from prints order by known_at, sequence
     ) to $file (format parquet)`,
    { file },
  )
  db.close()
}

beforeAll(async () => {
  const simulated = await simulateLive({ prints: 5_000, contracts: 300, seed: 21 })
  await silenceCodes(join(simulated, 'prints.parquet'))
  whole = await importedTape(simulated)
  live = `${whole}-live`
  cpSync(whole, live, { recursive: true })
  await buildDay({ dataFolder: whole, date: DATE, progress: silent, minPremiumUsd: 1_000 })
  night = await startTestApi({ dataFolder: whole })
  day = await startTestApi({ dataFolder: live })
})

afterAll(async () => {
  await night.close()
  await day.close()
  for (const folder of [whole, live]) rmSync(folder, { recursive: true, force: true })
})

const findLedger = async (api: TestApi, asof: string) => {
  const { status, headers, json } = await api.call(`/orders/api/day?day=${DATE}&asof=${asof}`)
  expect(status).toBe(200)
  return { etag: headers.get('etag'), orders: json.orders as { t: string; fold: string }[] }
}

test('every ledger is that of the whole day, and says from when on its codes count', async () => {
  const options = { dataFolder: live, date: DATE, progress: silent, minPremiumUsd: 1_000 }
  const job = await openMinuteJob(options)
  for (const [until, atOnce] of [
    ['09:31', false],
    ['09:40', true],
    ['11:20', true],
    ['11:22', false],
    ['13:30', true],
  ] as const) {
    await job.advance(instantMs(DATE, until), atOnce)
  }
  await job.close()
  for (const asof of ['09:31', '09:40', '10:30', '11:01', '11:22', '12:40', '13:30']) {
    expect((await findLedger(day, asof)).etag, asof).toBe((await findLedger(night, asof)).etag)
  }
  const { orders } = await findLedger(night, '13:30')
  const listBasis = (from: string, to: string) =>
    new Set(orders.filter(({ t }) => from <= t && t < to).map(({ fold }) => fold))
  expect(listBasis('10:00', '10:55')).toEqual(new Set(['prints']))
  expect(listBasis('11:05', '11:55')).toEqual(new Set(['conditions']))
})
