// Access to dataset files, its rate, and that no name leads to another file.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sha256 } from '../../src/core/disk/files.ts'
import {
  type PublishedManifest,
  publishedFolder,
  writeManifest,
} from '../../src/data/published/manifest.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { placeFile, publishArchived } from '../support/archived.ts'

const MIDNIGHT_MS = Date.parse('2026-10-16T04:00:00Z')
const LEVELS = Buffer.from('levels')
const PRINTS = Buffer.from('prints')
const findName = (dataset: string, bytes: Buffer) =>
  `${dataset}.2026-10-15.${sha256(bytes).slice(0, 16)}.parquet`

let api: TestApi
let key: string
let manifest: PublishedManifest

beforeAll(async () => {
  api = await startTestApi()
  key = (await api.newKey('dataset', 'dataset')).key
  manifest = await publishArchived(api.dataFolder, '2026-10-15', { levels: LEVELS, prints: PRINTS })
})
let atMs = MIDNIGHT_MS
beforeEach(() => {
  // the calls of a minute come back with the minute
  atMs += 60_000
  api.clock.atMs = atMs
})
afterAll(() => api.close())

const get = (file: string) => api.call(`/snapshots/${file}`, { key })

test.each([
  '',
  'index.json/',
  'INDEX.JSON',
  '../manifests/2026-10-15.json',
  '..%2fmanifests%2f2026-10-15.json',
  '%2e%2e/manifests/2026-10-15.json',
  'levels/../../manifests/2026-10-15.json',
  '/etc/passwd',
  '%00',
  'manifest.2026-10-14.json',
  'manifest.2026-10-15.json%00.parquet',
  'levels.2026-10-15.0000000000000000.parquet',
  'constructor.2026-10-15.0000000000000000.parquet',
  'levels.2026-10-15..parquet',
])('/snapshots/%s is 404', async name => {
  const { status, json } = await get(name)
  expect([status, json.error.code]).toEqual([404, 'not_found'])
})

test('no byte outside of the shared files is sent for any spelling of a way to them', async () => {
  const files = [manifest.datasets.prints!.file, 'manifests/2026-10-15.json', '../accounts.sqlite']
  const dots = ['..', '%2e%2e', '.%2e', '..;', '%252e%252e']
  const slashes = ['/', '%2f', '%5c', '//']
  for (const file of files) {
    for (const dot of dots) {
      for (const slash of slashes) {
        const { status } = await get(`${dot}${slash}${file.replaceAll('/', slash)}`)
        expect([400, 404]).toContain(status)
      }
    }
  }
})

test('a session that runs or ended today has no files', async () => {
  api.clock.atMs = MIDNIGHT_MS - 1
  expect((await get('index.json')).json).toEqual({ files: [], months: [], days: [] })
  expect((await get(findName('levels', LEVELS))).status).toBe(404)
  expect((await get('manifest.2026-10-15.json')).status).toBe(404)
  api.clock.atMs = MIDNIGHT_MS
  expect((await get('index.json')).json.files).toHaveLength(1)
})

test('a key has 600 calls a minute, and another key its own', async () => {
  const { key: one } = await api.newKey('dataset', 'dataset')
  const call = (sent: string) => api.call('/snapshots/index.json', { key: sent, method: 'HEAD' })
  for (let done = 0; done < 600; done += 50) {
    const responses = await Promise.all(Array.from({ length: 50 }, () => call(one)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  }
  const refused = await api.call('/snapshots/no', { key: one })
  expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited'])
  expect((await call(key)).status).toBe(200)
  api.clock.atMs += 1_000
  expect((await call(one)).status).toBe(200)
})

test('a file that was replaced can be taken to its end, until it is collected', async () => {
  const other = Buffer.from('other levels')
  const index = { folder: 'levels', day: '2026-10-15', extension: 'parquet' }
  const levels = { ...placeFile(api.dataFolder, index, other), rows: 1 }
  writeManifest(api.dataFolder, { ...manifest, revision: 'r2', datasets: { levels } })
  const { json } = await get('index.json')
  expect(json.files.map(({ file }: { file: string }) => file)).toEqual([findName('levels', other)])
  for (const bytes of [other, LEVELS]) {
    const { status, body } = await get(findName('levels', bytes))
    expect([status, body.equals(bytes)]).toEqual([200, true])
  }
  expect((await get(findName('prints', PRINTS))).status).toBe(404)
  rmSync(join(publishedFolder(api.dataFolder), manifest.datasets.levels!.file))
  const { status, json: gone } = await get(findName('levels', LEVELS))
  expect([status, gone.error.code]).toEqual([404, 'not_found'])
  expect((await get(findName('levels', other))).status).toBe(200)
})
