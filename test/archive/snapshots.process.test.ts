// Dataset files of a session that was built: they are what was published, for other programs too.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha256 } from '../../src/core/disk/files.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { runQuery } from '../../src/data/published/analyst.ts'
import { publishedFolder } from '../../src/data/published/manifest.ts'
import { publishMonths } from '../../src/data/published/months.ts'
import { listenAt } from '../../src/server/listen.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'

const NOT_SHARED = [
  'prints',
  'inventory',
  'closing_positions',
  'position_changes',
  'option_minutes',
]
const MIDNIGHT_MS = Date.parse('2026-10-16T04:00:00Z')

type Row = {
  file: string
  dataset: string
  day: string
  rows: number
  bytes: number
  sha256: string
}

let built: BuiltSession
let api: TestApi
let key: string

beforeAll(async () => {
  built = await buildSmallSession()
  api = await startTestApi({ dataFolder: built.dataFolder })
  api.clock.atMs = MIDNIGHT_MS
  key = (await api.newKey('dataset', 'dataset')).key
})
afterAll(async () => {
  await api.close()
  built.remove()
})

const get = (file: string, headers: Record<string, string> = {}) =>
  api.call(`/snapshots/${file}`, { key, headers })

test('the index has every shared file of the session, with what its manifest says', async () => {
  const { status, headers, json } = await get('index.json')
  expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
  const shared = PUBLISHED_DATASETS.filter(({ name }) => !NOT_SHARED.includes(name))
  expect(json.files).toEqual(
    shared.map(({ name }) => {
      const { rows, bytes: size, sha256: hash } = built.manifest.datasets[name]!
      const file = `${name}.2026-10-15.${hash.slice(0, 16)}.parquet`
      return { file, dataset: name, day: '2026-10-15', rows, bytes: size, sha256: hash }
    }),
  )
})

test('months are listed apart, sent, and have the rows of their days', async () => {
  expect((await get('index.json')).json.months).toEqual([])
  await publishMonths(built.dataFolder, '2026-10-16')
  const { json } = await get('index.json')
  expect(json.months.map((one: Row & { days: string[] }) => [one.dataset, one.days])).toEqual([
    ...[
      ['orders', ['2026-10-15']],
      ['levels', ['2026-10-15']],
    ],
  ])
  const sums = String((await get('SHA256SUMS')).body)
  for (const { file, dataset, rows, sha256: hash } of json.months as Row[]) {
    const { status, body } = await get(file)
    expect([status, sha256(body), rows]).toEqual([
      200,
      hash,
      built.manifest.datasets[dataset]!.rows,
    ])
    expect(sums).toContain(`${hash}  ${file}\n`)
  }
  // before the day is over in New York the month is not listed, nor sent
  api.clock.atMs = MIDNIGHT_MS - 1
  expect((await get('index.json')).json.months).toEqual([])
  expect((await get(json.months[0].file)).status).toBe(404)
  api.clock.atMs = MIDNIGHT_MS
  // a damaged list takes no file of a day away
  const path = join(publishedFolder(built.dataFolder), 'months.json')
  const text = readFileSync(path)
  writeFileSync(path, '{')
  const { json: damaged } = await get('index.json')
  expect([damaged.months, damaged.files]).toEqual([[], json.files])
  writeFileSync(path, text)
  expect((await get('index.json')).json).toEqual(json)
})

test('the index says of each session how fresh it is, as the list of days does', async () => {
  const { json } = await get('index.json')
  const { json: listed } = await api.call('/api/days', { key: null })
  const {
    orders: _,
    open: __,
    close: ___,
    flip_close: ____,
    reason: _____,
    grade,
    ...day
  } = listed.days[0]
  expect(json.days).toEqual([day])
  expect(day).toMatchObject({ edition: 1, published_at: built.manifest.published_at })
  expect(day.conditions.includes('degraded')).toBe(grade !== 'good')
})

test('each file of the index is sent as it lies in the published tree', async () => {
  const { json } = await get('index.json')
  for (const { file, dataset, sha256: hash } of json.files as Row[]) {
    const { status, headers, body } = await get(file)
    const source = built.manifest.datasets[dataset]!.file
    expect(body.equals(readFileSync(join(publishedFolder(built.dataFolder), source)))).toBe(true)
    expect([status, sha256(body)]).toEqual([200, hash])
    expect(Object.fromEntries(headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(body.byteLength),
      'repr-digest': `sha-256=:${Buffer.from(hash, 'hex').toString('base64')}:`,
      'x-simulated': 'true',
    })
  }
})

test.runIf(existsSync('/usr/bin/sha256sum'))('sha256sum checks what was taken', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-sums-'))
  const { body } = await get('SHA256SUMS')
  writeFileSync(join(folder, 'SHA256SUMS'), body)
  const names = body
    .toString()
    .trim()
    .split('\n')
    .map(line => line.slice(66))
  for (const name of names) writeFileSync(join(folder, name), (await get(name)).body)
  const check = () =>
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, stdio: 'pipe' })
  expect(check().toString().match(/: OK$/gm)).toHaveLength(names.length)
  writeFileSync(join(folder, names[1]!), 'other')
  expect(check).toThrow()
})

test("views.sql over the files returns the analyst's queries, all columns and rows", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-views-'))
  const { json } = await get('index.json')
  const files = json.files as Row[]
  for (const { file } of files) writeFileSync(join(folder, file), (await get(file)).body)
  const { body, headers } = await get('views.sql', { host: 'data.example:8443' })
  expect(headers.get('content-type')).toBe('application/sql; charset=utf-8')
  const text = body.toString()
  expect(text).toContain("'http://data.example:8443/snapshots/levels.2026-10-15.")
  const db = await openDatabase()
  await db.run(text.replaceAll('http://data.example:8443/snapshots', folder))
  for (const { dataset, rows } of files) {
    const [ours] = await db.rows(
      `select count(*) as n, sum(hash(t))::varchar as h from ${dataset} as t`,
    )
    const { rows: theirs } = await runQuery(
      built.dataFolder,
      `select count(*) as n, sum(hash(t))::varchar as h from ${dataset} as t`,
    )
    expect(Number(ours!.n)).toBe(rows)
    expect(ours!.h).toBe(theirs[0]!.h)
  }
  db.close()
  const behindTls = await get('views.sql', { host: 'x.example', 'x-forwarded-proto': 'https' })
  expect(behindTls.body.toString()).toContain("'https://x.example/snapshots/levels.")
  const odd = await get('views.sql', { host: "x' || 'y" })
  expect([odd.status, odd.json.error.code]).toEqual([400, 'bad_request'])
})

test('the manifest of a day names what is shared, and nothing of the tape', async () => {
  const { status, json } = await get('manifest.2026-10-15.json')
  const { revision, asof, minutes, tape_grade, published_at, edition } = built.manifest
  expect(status).toBe(200)
  expect(json).toMatchObject({ format: 2, revision, asof, minutes, tape_grade, simulated: true })
  expect(json).toMatchObject({ published_at, edition })
  expect(Object.keys(json.datasets)).toEqual(
    Object.keys(built.manifest.datasets).filter(name => !NOT_SHARED.includes(name)),
  )
  for (const name of ['inputs', 'tape', 'ledger']) expect(json).not.toHaveProperty(name)
})

test('what is not shared has no name here, unless its sharing is set', async () => {
  const names = NOT_SHARED.map(name => {
    const hash = built.manifest.datasets[name]!.sha256
    return `${name}.2026-10-15.${hash.slice(0, 16)}.parquet`
  })
  for (const name of names) {
    const { status, json } = await get(name)
    expect([status, json.error.code]).toEqual([404, 'not_found'])
  }
  const lists = ['index.json', 'SHA256SUMS', 'views.sql', 'manifest.2026-10-15.json']
  for (const list of lists) {
    const text = (await get(list)).body.toString()
    for (const name of NOT_SHARED) expect(text).not.toMatch(new RegExp(`\\b${name}\\b`))
  }
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-sharing-'))
  symlinkSync(publishedFolder(built.dataFolder), join(folder, 'published'))
  const sharing = await startTestApi({ dataFolder: folder, sharesPrints: true })
  sharing.clock.atMs = MIDNIGHT_MS
  const { key: own } = await sharing.newKey('dataset', 'dataset')
  for (const name of names) {
    expect((await sharing.call(`/snapshots/${name}`, { key: own })).status).toBe(200)
  }
  await sharing.close()
})

/** Two of the five columns, and the one that weighs most is not among them. */
const TWO = ['book_basis', 'minute_et']

test('hyparquet reads a file by ranges, and two columns with less than a third of it', async () => {
  const { json } = await get('index.json')
  const { file, bytes } = (json.files as Row[]).find(({ dataset }) => dataset === 'profiles')!
  let taken = 0
  const counting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (init?.method !== 'HEAD') taken += Number(response.headers.get('content-length'))
    return response
  }
  const url = `${api.url}/snapshots/${file}`
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const open = () => asyncBufferFromUrl({ url, requestInit, fetch: counting })

  const all = await parquetReadObjects({ file: await open(), compressors })
  const { rows } = await runQuery(built.dataFolder, 'from profiles')
  expect(all.map(plain)).toEqual(rows.map(plain))
  taken = 0
  const source = await open()
  // it would fetch half a megabyte of the end
  const metadata = await parquetMetadataAsync(source, { initialFetchSize: 16_384 })
  const two = await parquetReadObjects({ file: source, metadata, columns: TWO, compressors })
  expect(two).toEqual(rows.map(({ book_basis, minute_et }) => ({ book_basis, minute_et })))
  expect(taken).toBeGreaterThan(0)
  expect(taken).toBeLessThan(0.3 * bytes)
})

/** A date as SQL writes it. */
const plain = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? writeTime(value, name) : value,
    ]),
  )

function writeTime(value: Date, name: string): string {
  const [day, time] = value.toISOString().split('T')
  return name.endsWith('_utc') ? `${day} ${time!.slice(0, 8)}+00` : day!
}

test('DuckDB reads the views over HTTP, two columns with less than a third', async context => {
  const db = await openDatabase()
  try {
    await db.run('install httpfs').catch(() => {})
    const isThere = await db.run('load httpfs').then(
      () => true,
      () => false,
    )
    if (!isThere) context.skip('DuckDB cannot install its extension httpfs here')
    const forward = await countBytes(api.port)
    const base = `http://127.0.0.1:${forward.port}/snapshots/`
    await db.run(`create secret (type http, bearer_token '${key}', scope '${base}')`)
    const { body } = await get('views.sql', { host: `127.0.0.1:${forward.port}` })
    await db.run(body.toString())
    const query = 'select book_basis, count(distinct minute_et) as n from profiles group by all'
    const reported = await db.rows(`${query} order by all`)
    const { rows } = await runQuery(built.dataFolder, `${query} order by all`)
    expect(reported.map(row => ({ ...row, n: Number(row.n) }))).toEqual(rows)
    expect(forward.sent()).toBeLessThan(0.3 * built.manifest.datasets.profiles!.bytes)
    forward.close()
  } finally {
    db.close()
  }
})

/** Forwards connections of this machine to a port, and counts the bytes that come back. */
async function countBytes(port: number) {
  let sent = 0
  const server = createServer(client => {
    const upstream = connect(port, '127.0.0.1')
    client.pipe(upstream).on('data', chunk => {
      sent += chunk.length
    })
    upstream.pipe(client)
    for (const end of [client, upstream]) end.on('error', () => client.destroy())
  })
  await listenAt(server as never, '127.0.0.1', 0)
  const { port: own } = server.address() as AddressInfo
  return { port: own, sent: () => sent, close: () => server.close() }
}
