// A simulated session as a build publishes it: nothing sent of any of its orders reveals which
// way they went.

import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AlertBody } from '../../../src/alerts/bodies/schema.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { type BuiltSession, buildSmallSession } from '../../support/builtSession.ts'
import { writeManifest } from '../../support/published.ts'
import { accountFile, listEvents, newAccount, openWatching } from '../../support/watching.ts'
import { setAll } from '../../support/wholePath.ts'

let built: BuiltSession
let turned: string
let db: Database
let accountId: string

beforeAll(async () => {
  built = await buildSmallSession()
  db = await openDatabase({ threads: 1 })
  const accounts = await openAccountStore(accountFile(built.dataFolder))
  accountId = await newAccount(accounts)
  await setAll(accounts, accountId, [{ op: 'add', rule: { name: 'all' } }])
  await accounts.close()
  turned = mkdtempSync(join(tmpdir(), 'tapefold-turned-'))
  for (const name of ['published', 'accounts.sqlite']) {
    cpSync(join(built.dataFolder, name), join(turned, name), { recursive: true })
  }
})
afterAll(() => {
  db.close()
  built.remove()
  rmSync(turned, { recursive: true, force: true })
})

const findFile = (dataFolder: string, name: string) =>
  join(dataFolder, 'published', readManifest(dataFolder, built.date)!.datasets[name]!.file)

/** All events of a session, an hour after its end. */
async function findReported(dataFolder: string) {
  const clock = { atMs: instantMs(built.date, '17:15') }
  const watching = await openWatching({ dataFolder, clock })
  await watching.tick()
  const events = await listEvents(watching.accounts, accountId)
  expect(watching.said).toEqual([])
  await watching.close()
  return events.map(({ id, body }) => ({ id, body }))
}

const listKeys = (value: unknown): string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [key, ...listKeys(inner)])

/**
 * Publishes the session once more with its orders visible one after the other, so that none is the
 * sixth of its minute, and with every customer on the side of a factor: 1 the own, -1 the other.
 */
async function publishAgain(dataFolder: string, factor: 1 | -1): Promise<void> {
  const manifest = structuredClone(readManifest(dataFolder, built.date)!)
  const from = findFile(dataFolder, 'orders')
  const file = `orders/session=${built.date}/again.parquet`
  const path = join(dataFolder, 'published', file)
  await db.run(
    `copy (
       select * replace (
         $opened::timestamp + to_seconds(90 * row_number() over (order by order_id)) as visible_at,
         ($factor * sign)::tinyint as sign,
         $factor * net_premium_usd as net_premium_usd,
         $factor * dealer_gamma_musd_per_point as dealer_gamma_musd_per_point
       )
       from read_parquet($from, hive_partitioning = false)
       where is_in_ledger
     ) to $path (format parquet)`,
    { from, path, factor, opened: `${built.date} 13:31:00` },
  )
  const bytes = readFileSync(path)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const [reported] = await db.rows('select count(*) as rows from read_parquet($path)', { path })
  const rows = Number(reported!.rows)
  manifest.datasets.orders = { file, bytes: bytes.byteLength, sha256, rows }
  writeManifest(dataFolder, built.date, manifest)
}

test('all orders of a built session are sent, the same whichever side they were on', async () => {
  await publishAgain(built.dataFolder, 1)
  const reported = await findReported(built.dataFolder)
  const orders = reported.filter(one => one.body.type === 'order')
  for (const { body } of reported) {
    const text = JSON.stringify(AlertBody.parse(body))
    expect(text).not.toMatch(/buy|sell|bought|sold|side|sign|null|NaN/i)
    for (const key of ['g', 'p', 'lg', 'gamma', 'net', 'confidence']) {
      if (body.type === 'order') expect(listKeys(body)).not.toContain(key)
    }
  }
  const [known] = await db.rows(
    `select count(*) as orders, count(*) filter (sign <> 0) as sided from read_parquet($from)`,
    { from: findFile(built.dataFolder, 'orders') },
  )
  expect(new Set(orders.map(one => one.body.order.oid)).size).toBe(Number(known!.orders))
  expect(Number(known!.sided)).toBeGreaterThan(100)
  await publishAgain(turned, -1)
  expect(await findReported(turned)).toEqual(reported)
})
