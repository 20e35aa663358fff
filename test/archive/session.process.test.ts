// Finished sessions without a key: what they say is what the published Parquet files say.

import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runQuery } from '../../src/data/published/analyst.ts'
import { publishedFolder } from '../../src/data/published/manifest.ts'
import { parseProxies } from '../../src/platform/http/addresses.ts'
import { type CallOptions, startTestApi, type TestApi } from '../support/api.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'
import { writeManifest } from '../support/published.ts'

const LOOPBACK = parseProxies('127.0.0.1')!
const DAY = '/api/session/2026-10-15'
const BOOKS = ['measured', 'vol', 'oi'] as const
/** In New York the day of the session, 23:59:59.999, and the first instant after it. */
const LAST_MS = Date.parse('2026-10-16T03:59:59.999Z')
const MIDNIGHT_MS = LAST_MS + 1

let built: BuiltSession
let api: TestApi
let calls = 0

beforeAll(async () => {
  built = await buildSmallSession()
  api = await startTestApi({ dataFolder: built.dataFolder, connections: { proxies: LOOPBACK } })
})
beforeEach(() => {
  api.clock.atMs = MIDNIGHT_MS
})
afterAll(async () => {
  await api.close()
  built.remove()
})

/** Without a key, each time from another address. */
const read = (path: string, { headers = {}, ...options }: CallOptions = {}) => {
  calls += 1
  const from = `10.0.${Math.floor(calls / 250)}.${calls % 250}`
  return api.call(path, { key: null, headers: { 'x-forwarded-for': from, ...headers }, ...options })
}
const listRows = async (sql: string) => (await runQuery(built.dataFolder, sql)).rows as Values[]
// biome-ignore lint/suspicious/noExplicitAny: the columns of any dataset
type Values = Record<string, any>

test('the levels of each book and minute are those of the dataset', async () => {
  const { status, json } = await read(DAY)
  expect([status, json.day, json.simulated]).toEqual([200, '2026-10-15', true])
  expect(json.revision).toBe(built.manifest.revision)
  const rows = await listRows('from levels order by minute_et')
  expect(Object.keys(json.books)).toEqual([...BOOKS])
  expect(json.minutes).toEqual([...new Set(rows.map(row => row.minute_et))])
  expect(rows).toHaveLength(json.minutes.length * BOOKS.length)
  for (const row of rows) {
    const at = json.minutes.indexOf(row.minute_et)
    const book = json.books[row.book_basis]
    for (const name of ['spot', 'flip', 'flip_lo', 'flip_hi', 'call_wall', 'put_wall']) {
      expectNear(book[name][at], row[name], 0.005)
    }
    const gamma = row.net_gamma_musd_per_point
    expectNear(book.net_gamma[at], gamma, Math.abs(gamma ?? 0) * 1e-5)
    expect(book.reason[at]).toBe(row.reason)
  }
})

test('the curve of each fifth minute is the measured profile, every point', async () => {
  const { json } = await read(DAY)
  const rows = await listRows(`from profiles where book_basis = 'measured'`)
  const fifths = json.minutes.filter((_: string, index: number) => index % 5 === 0)
  expect([json.curve.every, json.curve.net.length]).toEqual([5, fifths.length])
  expectCurve(
    json.curve,
    fifths,
    rows.filter(row => fifths.includes(row.minute_et)),
  )
})

test.each(BOOKS)('the curves of the book %s are its profiles, every minute', async book => {
  const { json, body } = await read(`${DAY}/gamma?book=${book}`, {
    headers: { 'accept-encoding': 'br' },
  })
  expect(json.book).toBe(book)
  expect(body.byteLength).toBeLessThanOrEqual(65_000)
  const rows = await listRows(`from profiles where book_basis = '${book}'`)
  expect(rows.length).toBeGreaterThan(10_000)
  expectCurve(json, json.minutes, rows)
})

test('without a book the curves are those of the measured one', async () => {
  const [plain, named] = [
    await read('/api/session/2026-10-15/gamma'),
    await read('/api/session/2026-10-15/gamma?book=measured'),
  ]
  expect(plain.body.equals(named.body)).toBe(true)
})

test.each(BOOKS)('the strikes of the book %s are its ladders, every minute', async book => {
  const headers = { 'accept-encoding': 'br' }
  const { json } = await read(`${DAY}/strikes?book=${book}`)
  expect([json.book, json.reason]).toEqual([book, null])
  const rows = await listRows(`from strikes where book_basis = '${book}'`)
  expect(rows.length).toBeGreaterThan(5_000)
  const largest = new Map<string, number>()
  for (const { minute_et, call_musd, put_musd } of rows) {
    const sizes = [largest.get(minute_et) ?? 0, Math.abs(call_musd ?? 0), Math.abs(put_musd ?? 0)]
    largest.set(minute_et, Math.max(...sizes))
  }
  for (const { minute_et, strike, call_musd, put_musd } of rows) {
    const [at, index] = [json.minutes.indexOf(minute_et), json.strikes.indexOf(strike)]
    const within = largest.get(minute_et)! * 0.005
    for (const [reported, value] of [
      [json.calls[at][index], call_musd],
      [json.puts[at][index], put_musd],
    ]) {
      expectNear(reported, value, within)
      expect(reported === 0).toBe(value === 0)
    }
  }
  const reported = [...json.calls, ...json.puts].flat().filter(value => value !== null)
  expect(reported).toHaveLength(2 * rows.length)
  // a half hour has what the whole has of its minutes
  for (const time of ['09:31', '11:14', '16:14']) {
    const { json: half, body } = await read(`${DAY}/strikes?book=${book}&time=${time}`, { headers })
    expect(body.byteLength).toBeLessThanOrEqual(12_000)
    const from = json.minutes.indexOf(half.minutes[0])
    const to = from + half.minutes.length
    expect(half.minutes).toContain(time)
    const minutes = json.minutes.filter((minute: string) => minute.slice(0, 4) === time.slice(0, 4))
    for (const minute of minutes) expect(half.minutes).toContain(minute)
    expect(half.minutes.length).toBeLessThanOrEqual(30)
    expect(half.calls).toEqual(json.calls.slice(from, to))
    expect(half.puts).toEqual(json.puts.slice(from, to))
  }
  expect((await read(`${DAY}/strikes?time=03:00`)).json.minutes).toEqual([])
})

test('the orders are the first of the ledger, with the counts of all', async () => {
  const { json } = await read(DAY)
  const orders = await listRows('from orders where is_in_ledger order by ledger_rank')
  expect(json.orders.length).toBe(Math.min(500, orders.length))
  for (const [index, order] of json.orders.entries()) {
    const row = orders[index]!
    expect([order.oid, order.t]).toEqual([row.order_id, row.minute_et])
    const gamma = row.dealer_gamma_musd_per_point
    expectNear(order.g, gamma, Math.abs(gamma ?? 0) * 1e-9)
  }
  const [stats] = await listRows('from stats')
  expect([json.stats.n, json.stats.gamma_up, json.stats.gamma_dn]).toEqual([
    stats!.order_count,
    stats!.gamma_up_count,
    stats!.gamma_down_count,
  ])
  const { asof, min_premium_usd, tape_grade } = built.manifest
  expect([json.asof, json.min_premium]).toEqual([asof, min_premium_usd])
  expect(json.tape).toMatchObject(tape_grade!)
})

test('the list has the index at both ends of the session, and the flip at its close', async () => {
  const { status, json } = await read('/api/days')
  const levels = await listRows(
    `from levels where book_basis = 'measured' and minute_et <= '16:00' and spot is not null
     order by minute_et`,
  )
  const [first, last] = [levels[0]!, levels.at(-1)!]
  const [{ order_count: orders } = {}] = await listRows('from stats')
  expect(status).toBe(200)
  expect(json).toEqual({
    days: [
      {
        day: '2026-10-15',
        revision: built.manifest.revision,
        simulated: true,
        orders,
        grade: built.manifest.tape_grade!.grade,
        open: Number(first.spot.toFixed(2)),
        close: Number(last.spot.toFixed(2)),
        flip_close: Number(last.flip.toFixed(2)),
        reason: null,
        // the small tape has minutes without prints
        condition: 'partial',
        conditions: expect.arrayContaining(['partial', 'degraded']),
        condition_reason: null,
        published_at: built.manifest.published_at,
        edition: 1,
        published_reason: null,
        due_at: null,
        due_reason: 'simulated',
      },
    ],
    first: '2026-10-15',
    last: '2026-10-15',
  })
})

test('the grades are those of the dataset files, of finished sessions alone', async () => {
  const { status, json } = await read('/api/grades')
  const rows = await listRows(
    `select count(outcome) as judged, count(*) filter (outcome in ('held', 'broken')) as touched,
       count(*) filter (outcome = 'held') as held
     from level_grades where book_basis = 'measured' and role = 'level'`,
  )
  const [brier] = await listRows(
    `select avg((p_positive - is_calm::integer) ** 2) as score
     from regime_grades where book_basis = 'measured' and reason is null`,
  )
  const [counts] = rows.map(row =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])),
  )
  expect(status).toBe(200)
  expect(json.sessions).toEqual([
    {
      day: '2026-10-15',
      revision: built.manifest.revision,
      simulated: true,
      ...counts,
      brier: expect.closeTo(Number(brier!.score), 9),
      reason: null,
    },
  ])
  expect(json.groups).toMatchObject([{ simulated: true, sessions: 1 }])
  api.clock.atMs = LAST_MS
  expect((await read('/api/grades')).json).toMatchObject({ groups: [], sessions: [] })
  api.clock.atMs = MIDNIGHT_MS
})

test('a day is closed until the midnight of New York, and open from it on', async () => {
  const paths = [DAY, `${DAY}/gamma`, `${DAY}/strikes`, `${DAY}/strikes?time=11:14`]
  for (const path of paths) {
    api.clock.atMs = LAST_MS
    const { status, json } = await read(path)
    expect([status, json.error.code]).toEqual([400, 'not_finished'])
    expect(json.error.message).toContain('2026-10-15 is today in New York')
  }
  expect((await read('/api/days')).json).toEqual({ days: [], first: null, last: null })
  api.clock.atMs = MIDNIGHT_MS
  for (const path of paths) expect((await read(path)).status).toBe(200)
  expect((await read('/api/days')).json.last).toBe('2026-10-15')
})

test('a session returns the same bytes to every caller, with a key or without', async () => {
  const [without, withKey] = [await read(DAY), await read(DAY, { key: api.key })]
  expect(withKey.body.equals(without.body)).toBe(true)
})

/** Null for null, and near for a number. */
function expectNear(reported: number | null, value: number | null, within: number): void {
  if (reported === null || value === null) expect(reported).toBe(value)
  else expect(Math.abs(reported - value)).toBeLessThanOrEqual(within + 1e-12)
}

/** Each profile row is at its index of the grid to three digits, and all others are null. */
function expectCurve(
  curve: { from: number; step: number; net: (number | null)[][] },
  minutes: readonly string[],
  rows: readonly Values[],
): void {
  const { from, step, net } = curve
  for (const { minute_et, index_point, dealer_gamma_musd_per_point: gamma } of rows) {
    const reported = net[minutes.indexOf(minute_et)]![Math.round((index_point - from) / step)]
    if (reported !== gamma && Math.abs(reported! - gamma) > Math.abs(gamma) * 0.005 + 1e-12) {
      expect.fail(`${minute_et} ${index_point}: ${reported} is not ${gamma}`)
    }
  }
  const filled = net.flat().filter(value => value !== null).length
  expect(filled).toBe(rows.filter(row => row.dealer_gamma_musd_per_point !== null).length)
}

test('a session published by older code is rendered as it would have been', async () => {
  const { archive, summary, ...older } = built.manifest
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-older-'))
  cpSync(publishedFolder(built.dataFolder), join(folder, 'published'), { recursive: true })
  writeManifest(folder, built.date, older)
  const server = await startTestApi({ dataFolder: folder })
  server.clock.atMs = MIDNIGHT_MS
  const forms = ['gamma', 'strikes'].flatMap(form =>
    BOOKS.map(book => `${DAY}/${form}?book=${book}`),
  )
  const paths = ['/api/days', DAY, ...forms]
  const headers = { 'accept-encoding': 'br' }
  // at once: it is rendered for all of them together
  const responses = await Promise.all(paths.map(path => server.call(path, { key: null, headers })))
  for (const [index, path] of paths.entries()) {
    const published = await read(path, { headers })
    expect(responses[index]!.status, path).toBe(200)
    expect(responses[index]!.body.equals(published.body), path).toBe(true)
    expect(responses[index]!.headers.get('etag')).toBe(published.headers.get('etag'))
  }
  await server.close()
  expect(archive && summary).toBeDefined()
})

test('an older session with a damaged file is 503, and the list says so', async () => {
  const { archive: _, summary: __, ...older } = built.manifest
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-older-'))
  cpSync(publishedFolder(built.dataFolder), join(folder, 'published'), { recursive: true })
  writeManifest(folder, built.date, older)
  // and one of code that stored no levels
  const { levels: ___, ...datasets } = older.datasets
  writeManifest(folder, '2026-10-14', { ...older, session_date: '2026-10-14', datasets })
  const file = join(folder, 'published', older.datasets.levels!.file)
  const bytes = readFileSync(file)
  bytes[50]! ^= 1
  writeFileSync(file, bytes)
  const server = await startTestApi({ dataFolder: folder })
  server.clock.atMs = MIDNIGHT_MS
  const call = (path: string) => server.call(path, { key: null })
  const damaged = await call(DAY)
  expect([damaged.status, damaged.json.error.code]).toEqual([503, 'damaged'])
  const lacking = await call('/api/session/2026-10-14')
  expect([lacking.status, lacking.json.error.code]).toEqual([404, 'no_data'])
  expect(lacking.json.error.message).toContain('the levels of 2026-10-14 were not kept')
  const { json } = await call('/api/days')
  const reported = json.days.map(({ day, open, reason }: Values) => [day, open, reason])
  expect(reported).toEqual([
    ['2026-10-14', null, 'not_kept'],
    ['2026-10-15', null, 'damaged'],
  ])
  bytes[50]! ^= 1
  writeFileSync(file, bytes)
  expect((await call(DAY)).status).toBe(200)
  expect((await call('/api/days')).json.days[1].reason).toBeNull()
  await server.close()
})
