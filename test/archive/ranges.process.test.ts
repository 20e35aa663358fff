// Dataset files in parts, as RFC 9110 has them: ranges, conditions, downloads that were cut.

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha256 } from '../../src/core/disk/files.ts'
import { publishedFolder } from '../../src/data/published/manifest.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { publishArchived } from '../support/archived.ts'
import { openClient } from '../support/clients.ts'
import { randomNumbers } from '../support/random.ts'

const MIDNIGHT_MS = Date.parse('2026-10-16T04:00:00Z')

let api: TestApi
let key: string
/** A file, its name, its bytes as they lie on the disk, its hash and its tag. */
let path: string
let name: string
const random = randomNumbers(7)
const bytes = Buffer.from(Array.from({ length: 600_000 }, () => Math.floor(256 * random())))
const SIZE = bytes.byteLength
const hash = sha256(bytes)
let tag: string

beforeAll(async () => {
  api = await startTestApi()
  api.clock.atMs = MIDNIGHT_MS
  key = (await api.newKey('dataset', 'dataset')).key
  const { datasets } = await publishArchived(api.dataFolder, '2026-10-15', { profiles: bytes })
  path = join(publishedFolder(api.dataFolder), datasets.profiles!.file)
  name = `profiles.2026-10-15.${hash.slice(0, 16)}.parquet`
  tag = (await get(name)).headers.get('etag')!
})
afterAll(() => api.close())

const get = (file: string, headers: Record<string, string> = {}, method = 'GET') =>
  api.call(`/snapshots/${file}`, { key, headers, method })

/** Response to a call with these headers: status, and the bytes from and until. */
const RANGES: readonly [
  name: string,
  headers: () => Record<string, string>,
  status: number,
  part?: () => [from: number, until: number],
][] = [
  ['no range', () => ({}), 200, () => [0, SIZE]],
  ['the first byte', () => ({ range: 'bytes=0-0' }), 206, () => [0, 1]],
  ['the first four', () => ({ range: 'bytes=0-3' }), 206, () => [0, 4]],
  ['some in the middle', () => ({ range: 'bytes=1000-4999' }), 206, () => [1000, 5000]],
  ['from a byte on', () => ({ range: 'bytes=1000-' }), 206, () => [1000, SIZE]],
  ['the last eight', () => ({ range: 'bytes=-8' }), 206, () => [SIZE - 8, SIZE]],
  ['the last one', () => ({ range: `bytes=${SIZE - 1}-` }), 206, () => [SIZE - 1, SIZE]],
  ['past the end', () => ({ range: `bytes=10-${SIZE + 9}` }), 206, () => [10, SIZE]],
  ['more than all from behind', () => ({ range: `bytes=-${2 * SIZE}` }), 206, () => [0, SIZE]],
  ['behind the end', () => ({ range: `bytes=${SIZE}-` }), 416],
  ['none from behind', () => ({ range: 'bytes=-0' }), 416],
  ['several', () => ({ range: 'bytes=0-0,10-20' }), 200, () => [0, SIZE]],
  ['of another unit', () => ({ range: 'rows=0-9' }), 200, () => [0, SIZE]],
  ['no numbers', () => ({ range: 'bytes=a-b' }), 200, () => [0, SIZE]],
  ['if it is this version', () => ({ range: 'bytes=0-3', 'if-range': tag }), 206, () => [0, 4]],
  ['if it is another', () => ({ range: 'bytes=0-3', 'if-range': '"x"' }), 200, () => [0, SIZE]],
  ['a weak tag', () => ({ range: 'bytes=0-3', 'if-range': `W/${tag}` }), 200, () => [0, SIZE]],
  [
    'if it is of a date',
    () => ({ range: 'bytes=0-3', 'if-range': 'Fri, 16 Oct 2099 04:00:00 GMT' }),
    200,
    () => [0, SIZE],
  ],
  ['a tag it has', () => ({ range: 'bytes=0-3', 'if-none-match': tag }), 304],
  [
    'a tag it has, of a client that skips its cache',
    () => ({ 'if-none-match': tag, 'cache-control': 'no-cache' }),
    304,
  ],
  ['a tag it must have', () => ({ range: 'bytes=0-3', 'if-match': tag }), 206, () => [0, 4]],
  ['another tag it must have', () => ({ range: 'bytes=0-3', 'if-match': '"x"' }), 412],
  [
    'a date',
    () => ({ 'if-modified-since': 'Fri, 16 Oct 2099 04:00:00 GMT' }),
    200,
    () => [0, SIZE],
  ],
]

test.each(RANGES)('range: %s', async (_, headers, status, part) => {
  const response = await get(name, headers())
  expect(response.status).toBe(status)
  const reported = response.headers.get('content-range')
  if (!part) {
    expect(reported).toBe(status === 416 ? `bytes */${SIZE}` : null)
    if (status === 416) expect(response.json.error.code).toBe('bad_range')
    if (status === 412) expect(response.json.error.code).toBe('precondition_failed')
    return
  }
  const [from, until] = part()
  expect(reported).toBe(status === 206 ? `bytes ${from}-${until - 1}/${SIZE}` : null)
  expect(response.body.equals(bytes.subarray(from, until))).toBe(true)
  expect(response.headers.get('content-length')).toBe(String(until - from))
  expect(response.headers.get('etag')).toBe(tag)
  // of the whole, whichever part is sent
  const digest = Buffer.from(hash, 'hex').toString('base64')
  expect(response.headers.get('repr-digest')).toBe(`sha-256=:${digest}:`)
})

test('HEAD reports the whole size, whatever range it requests', async () => {
  for (const headers of [{}, { range: 'bytes=0-3' }]) {
    const response = await get(name, headers, 'HEAD')
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(SIZE)])
    expect(response.headers.get('accept-ranges')).toBe('bytes')
  }
})

test('a download that was cut goes on where it ended, and has the same SHA-256', async () => {
  const authorization = `Bearer ${key}`
  const url = `${api.url}/snapshots/${name}`
  const cut = new AbortController()
  const first = await fetch(url, { headers: { authorization }, signal: cut.signal })
  const reader = first.body!.getReader()
  const { value } = await reader.read()
  cut.abort()
  await reader.closed.catch(() => {})
  expect(value!.byteLength).toBeLessThan(SIZE)
  const headers = { range: `bytes=${value!.byteLength}-`, 'if-range': first.headers.get('etag')! }
  const { status, body } = await get(name, headers)
  expect(status).toBe(206)
  expect(sha256(Buffer.concat([value!, body]))).toBe(hash)
})

test.runIf(existsSync('/usr/bin/curl'))('curl -C - completes a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-curl-'))
  writeFileSync(join(folder, name), bytes.subarray(0, 12_345))
  const args = ['-sS', '--fail', '-C', '-', '-O', '-H', `Authorization: Bearer ${key}`]
  await promisify(execFile)('curl', [...args, `${api.url}/snapshots/${name}`], { cwd: folder })
  expect(sha256(readFileSync(join(folder, name)))).toBe(hash)
})

test('a client that takes nothing more loses its connection, and goes on from there', async () => {
  const large = await startTestApi({ connections: { responseMs: 400 } })
  large.clock.atMs = MIDNIGHT_MS
  const { key: own } = await large.newKey('dataset', 'dataset')
  // more than the system takes for a client
  const all = Buffer.alloc(64 * 1024 * 1024, 7)
  await publishArchived(large.dataFolder, '2026-10-15', { profiles: all })
  const path = `/snapshots/profiles.2026-10-15.${sha256(all).slice(0, 16)}.parquet`
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own}\r\n\r\n`
  const client = await openClient({ port: large.port, says: head, isDeaf: true })
  const isOpen = () => large.connectionCount() > 0
  while (!isOpen()) await wait(20)
  while (isOpen()) await wait(20)
  client.socket.destroy()
  const rest = await large.call(path, { key: own, headers: { range: 'bytes=67108800-' } })
  expect([rest.status, rest.body.byteLength]).toEqual([206, 64])
  await large.close()
})

test('a disk slower than the 5 ms a client may read nothing costs no client its connection', async () => {
  const slow = await startTestApi({ connections: { responseMs: 10 } })
  slow.clock.atMs = MIDNIGHT_MS
  const { key: own } = await slow.newKey('dataset', 'dataset')
  const all = Buffer.alloc(16 * 1024 * 1024, 7)
  await publishArchived(slow.dataFolder, '2026-10-15', { profiles: all })
  const path = `/snapshots/profiles.2026-10-15.${sha256(all).slice(0, 16)}.parquet`
  for (let call = 0; call < 20; call++) {
    const { status, body } = await slow.call(path, { key: own, headers: { range: 'bytes=0-63' } })
    expect([status, body.byteLength]).toEqual([206, 64])
  }
  await slow.close()
})

test('one flipped bit is 503, also of a file that was sent before', async () => {
  expect((await get(name, { range: 'bytes=0-3' })).status).toBe(206)
  const flipped = Buffer.from(bytes)
  flipped[4_321]! ^= 1
  writeFileSync(path, flipped)
  try {
    for (const headers of [{}, { range: 'bytes=0-3' }, { 'if-none-match': tag }]) {
      const { status, json, headers: reported } = await get(name, headers as never)
      expect([status, json.error.code, json.error.retry_after_s]).toEqual([503, 'damaged', 60])
      expect([reported.get('etag'), reported.get('repr-digest')]).toEqual([null, null])
    }
    const { json: state } = await api.call('/status.json', { key: null })
    expect(state.problems.join()).toContain('a file of 2026-10-15 is damaged')
    rmSync(path)
    expect((await get(name)).status).toBe(503)
  } finally {
    writeFileSync(path, bytes)
  }
  expect(sha256((await get(name)).body)).toBe(hash)
})
