// Files of the Geo API that are broken, and the calls of an address without a key.

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GEO_MINUTE_CALLS } from '../../src/geo/area.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { EVENT, eventsText, importText } from '../support/geo.ts'

const MONTH_END_MS = Date.parse('2026-10-31T23:59:00Z')

let own: TestApi
beforeAll(async () => {
  own = await startTestApi()
  own.clock.atMs = MONTH_END_MS
  await importText(own.dataFolder, 'gdelt-events', eventsText([EVENT]))
})
afterAll(() => own.close())

test('a damaged file, and a damaged manifest, are 503 and count nothing', async () => {
  const { key: holder } = await own.newKey('geo', 'geo')
  const [file] = globSync(join(own.dataFolder, 'geo/records/*/*.parquet'))
  const bytes = readFileSync(file!)
  const broken = Buffer.from(bytes)
  broken[40] = broken[40]! ^ 1
  writeFileSync(file!, broken)
  const damaged = await own.call('/geo/v1/items', { key: holder })
  expect([damaged.status, damaged.headers.get('retry-after')]).toEqual([503, '60'])
  expect(damaged.json.error).toMatch(/^a file of the records is damaged /)
  writeFileSync(file!, bytes)
  expect((await own.call('/geo/v1/items', { key: holder })).json.items).toHaveLength(1)
  const manifest = join(own.dataFolder, 'geo/manifests/2026-W42.json')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.slice(0, -20))
  expect((await own.call('/geo/weeks', { key: null })).status).toBe(503)
  writeFileSync(manifest, text)
  expect((await own.call('/geo/weeks', { key: null })).status).toBe(200)
  expect((await own.call('/geo/v1/usage', { key: holder })).json.used).toBe(1)
})

test('an address without a key has a number of calls a minute', async () => {
  const statuses: number[] = []
  for (let count = 0; count <= GEO_MINUTE_CALLS; count++) {
    statuses.push((await own.call('/geo/health', { key: null })).status)
  }
  expect(statuses.lastIndexOf(200)).toBeLessThan(GEO_MINUTE_CALLS)
  const { status, headers, json } = await own.call('/geo/items', { key: null })
  expect([status, headers.get('retry-after')]).toEqual([429, '1'])
  expect(Object.keys(json)).toEqual(['error'])
})
