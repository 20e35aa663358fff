// Refusals of the archive, their messages, and the rate of an address.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'
import { manifestPath, publishedFolder } from '../../src/data/published/manifest.ts'
import { parseProxies } from '../../src/platform/http/addresses.ts'
import { type CallOptions, startTestApi, type TestApi } from '../support/api.ts'
import { publishArchived } from '../support/archived.ts'
import { writeManifest } from '../support/published.ts'

const MIDNIGHT_MS = Date.parse('2026-10-16T04:00:00Z')

let api: TestApi
let manifest: PublishedManifest
let calls = 0

beforeAll(async () => {
  api = await startTestApi({ connections: { proxies: parseProxies('127.0.0.1')! } })
  manifest = await publishArchived(api.dataFolder, '2026-10-15')
})
beforeEach(() => {
  api.clock.atMs = MIDNIGHT_MS
})
afterAll(() => api.close())

/** Without a key, each time from another address. */
const read = (path: string, { headers = {}, ...options }: CallOptions = {}) => {
  calls += 1
  const from = `10.0.${Math.floor(calls / 250)}.${calls % 250}`
  return api.call(path, { key: null, headers: { 'x-forwarded-for': from, ...headers }, ...options })
}

const DAY = '/api/session/2026-10-15'
const NONE = { accept: 'text/csv' }
/** Each call has the fault of its row, and of rows below it. */
const REFUSALS: readonly [path: string, status: number, code: string, options?: CallOptions][] = [
  ['/api/session', 404, 'not_found'],
  [`${DAY}/levels`, 404, 'not_found', { method: 'POST' }],
  [`${DAY}/gamma/x`, 404, 'not_found'],
  ['/api/session/today/gamma?book=x', 400, 'bad_book', { headers: NONE }],
  ['/api/session/2026-10-16/gamma?book=VOL', 400, 'bad_book'],
  [`${DAY}/gamma?book=`, 400, 'bad_book'],
  ['/api/session/today/strikes?time=9:31', 400, 'bad_time', { headers: NONE }],
  [`${DAY}/strikes?time=`, 400, 'bad_time'],
  [`${DAY}/strikes?time=24:00`, 400, 'bad_time'],
  [`${DAY}/strikes/x`, 404, 'not_found'],
  ['/api/session/2026-10-5', 400, 'bad_day', { headers: NONE }],
  ['/api/session/20261015', 400, 'bad_day'],
  ['/api/session/2026-02-30', 400, 'bad_day'],
  ['/api/session/2026-10-15%2f..', 400, 'bad_day'],
  ['/api/session/..%2fmanifests', 400, 'bad_day'],
  ['/api/session/2026-10-16', 400, 'not_finished', { headers: NONE }],
  ['/api/session/2026-10-17', 400, 'not_finished'],
  ['/api/session/9999-12-31/gamma', 400, 'not_finished'],
  ['/api/session/2026-10-14', 404, 'no_data', { headers: NONE }],
  ['/api/session/2026-10-11', 404, 'no_data'],
]

test.each(REFUSALS)('%s is %i %s', async (path, status, code, options = {}) => {
  const response = await read(path, options)
  expect([response.status, response.json.error.code]).toEqual([status, code])
  expect(response.json.error.message).toMatch(/^.{10,300}\.$/)
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('no_data says when to retry, and a day without trading has no such time', async () => {
  const { json: later } = await read('/api/session/2026-10-14')
  expect(later.error.next_update_s).toBe(3600)
  const { json: sunday } = await read('/api/session/2026-10-11')
  expect(sunday.error.next_update_s).toBeNull()
  expect(sunday.error.message).toContain('2026-10-11 is not a trading day')
})

test('an address has 60 calls, then one more each second; another has its own', async () => {
  const from = (address: string, path = '/api/days') =>
    read(path, { headers: { 'x-forwarded-for': address } })
  for (let call = 1; call <= 60; call++) expect((await from('10.9.0.1')).status).toBe(200)
  const refused = await from('10.9.0.1', '/api/session/today')
  expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited'])
  expect(refused.json.error.retry_after_s).toBe(1)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await from('10.9.0.2')).status).toBe(200)
  api.clock.atMs += 1_000
  expect((await from('10.9.0.1')).status).toBe(200)
  expect((await from('10.9.0.1')).status).toBe(429)
})

test('a damaged rendering is 503 until it is put back', async () => {
  const path = join(publishedFolder(api.dataFolder), manifest.archive!.gamma_oi!.file)
  const bytes = readFileSync(path)
  const flipped = Buffer.from(bytes)
  flipped[20]! ^= 1
  writeFileSync(path, flipped)
  const { status, json } = await read(`${DAY}/gamma?book=oi`)
  expect([status, json.error.code, json.error.retry_after_s]).toEqual([503, 'damaged', 60])
  expect((await read(`${DAY}/gamma`)).status).toBe(200)
  writeFileSync(path, bytes)
  expect((await read(`${DAY}/gamma?book=oi`)).status).toBe(200)
})

test('a day whose manifest cannot be read is damaged, not missing', async () => {
  writeManifest(api.dataFolder, '2026-10-13', 'nothing')
  const { status, json } = await read('/api/session/2026-10-13')
  expect([status, json.error.code]).toEqual([503, 'damaged'])
  rmSync(manifestPath(api.dataFolder, '2026-10-13'))
})
