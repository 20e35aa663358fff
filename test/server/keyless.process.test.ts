// Pages without a key: judged for everybody at once, sent as they are, bounded for each address.

import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS, writeManifest } from '../support/published.ts'

let api: TestApi

beforeEach(async () => {
  api = await startTestApi({ judgedForMs: 1000 })
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS))
})
afterEach(() => api.close())

const STATE = ['/health', '/status', '/status.json']
const SCRIPT = '/docs/swagger-ui-bundle.js'
const query = (path: string, headers: Record<string, string> = {}) =>
  api.call(path, { key: null, headers })

test.each(STATE)('%s is judged once a second, and has a tag meanwhile', async path => {
  const first = await query(path)
  const tag = first.headers.get('etag')!
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS, { day: '2026-10-12' }))
  api.clock.atMs += 999
  expect((await query(path)).body.equals(first.body)).toBe(true)
  const same = await query(path, { 'if-none-match': tag })
  expect([same.status, same.headers.get('etag')]).toEqual([304, tag])
  api.clock.atMs += 1
  const next = await query(path, { 'if-none-match': tag })
  expect(next.status).toBe(200)
  expect(next.body.toString()).toContain('2026-10-12')
  // a clock that is put back holds nothing up
  api.clock.atMs -= 3_600_000
  expect((await query(path)).headers.get('etag')).not.toBe(next.headers.get('etag'))
})

test('a red health is 503 also for a client that has it', async () => {
  writeManifest(api.dataFolder, '2026-10-13', '{')
  const red = await query('/health')
  const again = await query('/health', { 'if-none-match': red.headers.get('etag') ?? '*' })
  for (const { status, headers, json } of [red, again]) {
    expect([status, json.status]).toEqual([503, 'red'])
    expect([headers.get('retry-after'), headers.get('cache-control')]).toEqual(['60', 'no-store'])
  }
})

test.each([...STATE, SCRIPT, '/docs/swagger-ui.css', '/openapi.json'])(
  '%s is sent compressed to who takes it, and the same to who does not',
  async path => {
    const plain = await query(path)
    expect(plain.headers.get('content-encoding')).toBeNull()
    const tags = [plain.headers.get('etag')]
    const decode = { gzip: gunzipSync, br: brotliDecompressSync }
    for (const encoding of ['gzip', 'br'] as const) {
      const { status, headers, body } = await query(path, { 'accept-encoding': encoding })
      expect([status, headers.get('content-encoding')]).toEqual([200, encoding])
      expect(headers.get('vary')).toBe('Accept-Encoding')
      expect(decode[encoding](body).equals(plain.body)).toBe(true)
      expect(body.byteLength).toBeLessThan(plain.body.byteLength / 2)
      const had = { 'accept-encoding': encoding, 'if-none-match': headers.get('etag')! }
      expect((await query(path, had)).status).toBe(304)
      tags.push(headers.get('etag'))
    }
    expect(new Set(tags).size).toBe(3)
    expect((await query(path)).headers.get('vary')).toBe('Accept-Encoding')
    const cached = STATE.includes(path) ? 'no-cache' : 'public, max-age=300'
    expect(plain.headers.get('cache-control')).toBe(cached)
  },
)

test('a call costs a fraction of what judging costs', async () => {
  const each = await startTestApi({ judgedForMs: 0 })
  await publishLedger(each.dataFolder, ledgerInput(VARIED_ORDERS))
  const findCost = async ({ call }: TestApi) => {
    const before = process.cpuUsage()
    for (let index = 0; index < 200; index++) await call('/status.json', { key: null })
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  await findCost(each)
  await findCost(api)
  // the cost of the client, which is the same for both, and of checking the response is in
  // either
  const [judged, stored] = [await findCost(each), await findCost(api)]
  expect(stored).toBeLessThan(judged)
  await each.close()
})

test('an address has a bound on pages; calls with a key, and time, go on', async () => {
  const bounded = await startTestApi({ pageLimit: { atOnce: 5, perSecond: 2 } })
  const page = (path: string, method = 'GET') => bounded.call(path, { key: null, method })
  for (const path of ['/', '/docs', '/health', '/status', '/openapi.json']) await page(path)
  for (const path of ['/', '/health', '/favicon.ico']) {
    const { status, headers, json } = await page(path)
    expect([status, headers.get('retry-after')]).toEqual([429, '1'])
    expect(json.error).toEqual({
      code: 'rate',
      message: 'too many calls without a key came from this address; ask again in 1 s.',
      retry_after_s: 1,
    })
  }
  expect((await page('/health', 'POST')).status).toBe(429)
  expect((await page('/nothing')).status).toBe(404)
  expect((await bounded.call('/orders/api/sessions')).status).toBe(200)
  bounded.clock.atMs += 1000
  const statuses = []
  for (let index = 0; index < 3; index++) statuses.push((await page('/status')).status)
  expect(statuses).toEqual([200, 200, 429])
  await bounded.close()
})

test('a client that calls back to back delays only itself', async () => {
  const bounded = await startTestApi({ pageLimit: { atOnce: 1, perSecond: 0.001 } })
  await bounded.call('/health', { key: null })
  const findTime = async (path: string, key?: null) => {
    const startMs = performance.now()
    for (let index = 0; index < 4; index++) await bounded.call(path, { key: key ?? bounded.key })
    return performance.now() - startMs
  }
  await findTime('/orders/api/sessions')
  const responded = await findTime('/orders/api/sessions')
  expect(await findTime('/health', null)).toBeGreaterThan(responded)
  await bounded.close()
})
