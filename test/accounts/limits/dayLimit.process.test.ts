import { fork } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EVENING_MS, startTestApi, type TestApi } from '../../support/api.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../../support/published.ts'
import { runs } from '../../support/runs.ts'

let api: TestApi
const LATEST = '/orders/api/latest'

beforeEach(async () => {
  api = await startTestApi()
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS))
})
afterEach(() => api.close())

/** Makes calls over a number of connections and counts the responses by status. */
async function callMany(count: number, connections: number, keys: readonly string[]) {
  const statuses: Record<number, number> = {}
  let left = count
  const client = async (index: number) => {
    while (left-- > 0) {
      const { status } = await api.call(LATEST, { key: keys[index % keys.length]! })
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, index) => client(index)))
  return statuses
}

const spend = (accountId: string, calls: number, dayEt = '2026-10-14') =>
  api.accounts.countCalls([{ accountId, product: 'orders', dayEt, calls }])

const CALLS = runs(5_000)

test(`64 connections, two keys of one account: the last ${CALLS} responses of 20,000, then 50 times 429`, async () => {
  await spend(api.accountId, 20_000 - CALLS)
  const second = await api.accounts.addKey({
    accountId: api.accountId,
    scope: 'orders',
    name: 'server',
    createdAtMs: 0,
  })
  expect(await callMany(CALLS + 50, 64, [api.key, second!.apiKey])).toEqual({ 200: CALLS, 429: 50 })
  const other = await api.newKey()
  expect((await api.call(LATEST, other)).status).toBe(200)
})

test.each([
  ['orders', 20_000],
  ['orders_team', 100_000],
] as const)('on the plan %s call %i is served, the next is 429', async (plan, limit) => {
  const { key, accountId } = await api.newKey(plan)
  await spend(accountId, limit - 2)
  const before = await api.call(LATEST, { key })
  expect(before.headers.get('ratelimit')).toBe('"day";r=1;t=14400')
  expect(before.headers.get('ratelimit-policy')).toBe(`"day";q=${limit};w=86400`)
  const last = await api.call(LATEST, { key })
  expect([last.status, last.headers.get('ratelimit')]).toEqual([200, '"day";r=0;t=14400'])
  const over = await api.call(LATEST, { key })
  expect([over.status, over.headers.get('ratelimit')]).toEqual([429, '"day";r=0;t=14400'])
  expect(over.headers.get('retry-after')).toBe('14400')
  const seen = `all ${limit} calls of the day are spent`
  expect(over.json.error).toEqual({
    code: 'rate',
    message: `${seen}; the count resets at midnight ET, in 14400 s.`,
    retry_after_s: 14_400,
  })
})

test.each([
  ['2026-03-08', '2026-03-08T05:00:00Z', 82_800],
  ['2026-11-01', '2026-11-01T04:00:00Z', 90_000],
  ['2026-10-14', '2026-10-14T04:00:00Z', 86_400],
])('the day %s begins at %s and is %i seconds long', async (day, midnight, seconds) => {
  const start = Date.parse(midnight)
  api.clock.atMs = start - 1
  await spend(api.accountId, 20_000, previousDay(day))
  const before = await api.call(LATEST)
  expect([before.status, before.headers.get('retry-after')]).toEqual([429, '1'])
  api.clock.atMs = start
  const first = await api.call(LATEST)
  expect(first.status).toBe(200)
  expect(first.headers.get('ratelimit')).toBe(`"day";r=19999;t=${seconds}`)
  await spend(api.accountId, 19_999, day)
  api.clock.atMs = start + seconds * 1000 - 1
  expect((await api.call(LATEST)).status).toBe(429)
  api.clock.atMs = start + seconds * 1000
  expect((await api.call(LATEST)).status).toBe(200)
})

test('two processes on one account database share the count and revocations', async () => {
  const script = join(import.meta.dirname, '../../support/serveProcess.ts')
  const child = fork(script, [api.dataFolder, String(EVENING_MS)])
  try {
    const url = await new Promise<string>(resolve => child.once('message', resolve as never))
    const headers = { authorization: `Bearer ${api.key}` }
    const there = () => fetch(url + LATEST, { headers })
    await spend(api.accountId, 19_900)
    const calls = Array.from({ length: 150 }, async (_, index) =>
      index % 2 === 0 ? (await api.call(LATEST)).status : (await there()).status,
    )
    const statuses = await Promise.all(calls)
    expect(statuses.filter(status => status === 200)).toHaveLength(100)
    expect(statuses.filter(status => status === 429)).toHaveLength(50)

    const [record] = await api.accounts.listKeys(api.accountId)
    await api.accounts.revokeKey(record!.id, 1)
    expect((await there()).status).toBe(401)
  } finally {
    child.disconnect()
    await new Promise(resolve => child.once('exit', resolve))
  }
})

test('a key list shows the minute of last use', async () => {
  await api.call(LATEST)
  const [record] = await api.accounts.listKeys(api.accountId)
  expect(record!.lastUsedAtMs).toBe(EVENING_MS)
  api.clock.atMs = EVENING_MS + 61_999
  await api.call(LATEST)
  const [later] = await api.accounts.listKeys(api.accountId)
  expect(later!.lastUsedAtMs).toBe(EVENING_MS + 60_000)
})

function previousDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}
