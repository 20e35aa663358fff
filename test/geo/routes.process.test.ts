// The Geo API over HTTP: what counts, months and keys, the free days, what is refused.

import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeApiKey } from '../../src/accounts/apiKey.ts'
import { accountFilePath } from '../../src/server/accountStore.ts'
import { sendRaw, startTestApi, type TestApi } from '../support/api.ts'
import { EVENT, eventsText, importText } from '../support/geo.ts'

/** A minute before midnight UTC at the end of a month of 31 days. */
const MONTH_END_MS = Date.parse('2026-10-31T23:59:00Z')
const ITEMS = 'kind,date,country,code,source,known_at,label\n'

let api: TestApi
let key: string
let accountId: string

beforeAll(async () => {
  api = await startTestApi({ publicUrl: 'https://tapefold.example' })
  const { dataFolder } = api
  const days = ['20260930', '20261001', '20261014', '20261031']
  const events = days.map((day, index) => {
    return { ...EVENT, id: `${index}`, day, added: `${day}120000` }
  })
  await importText(dataFolder, 'gdelt-events', eventsText(events))
  await importText(
    dataFolder,
    'geo-items',
    `${ITEMS}release,2026-10-28,US,FOMC,desk,2026-10-28T18:00:00Z,rate decision\n` +
      'event,2026-10-28,IR,19,acled,2026-10-28T18:00:00Z,\n' +
      'event,2026-10-28,IR,18,desk,2026-11-01T00:00:01Z,\n',
  )
})
beforeEach(async () => {
  api.clock.atMs = MONTH_END_MS
  ;({ key, accountId } = await api.newKey('geo', 'geo'))
})
afterAll(() => api.close())

const usage = async (own = key) => (await api.call('/geo/v1/usage', { key: own })).json

/** As if so many calls of the month were made. */
function setUsed(calls: number, month = '2026-10'): void {
  const database = new DatabaseSync(accountFilePath(api.dataFolder))
  database
    .prepare('insert or replace into month_calls values (?, ?, ?, ?)')
    .run(accountId, 'geo', month, calls)
  database.close()
}

test('a served call counts, and a refused one does not', async () => {
  expect(await usage()).toEqual({
    month: '2026-10',
    plan: 'geo',
    used: 0,
    limit: 10_000,
    resets_at: '2026-11-01T00:00:00Z',
    keys: { used: 1, max: 2 },
  })
  const { headers } = await api.call('/geo/v1/items', { key })
  expect(headers.get('ratelimit-policy')).toBe('"month";q=10000;w=2678400')
  expect(headers.get('ratelimit')).toBe('"month";r=9999;t=60')
  const etag = headers.get('etag')!
  const again = await api.call('/geo/v1/items', { key, headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
  await api.call('/geo/v1/sources', { key })
  await api.call('/geo/v1/export.csv?week=2026-W42', { key })
  expect((await usage()).used).toBe(4)
  const refused = [
    ['/geo/v1/items?week=x', 400],
    ['/geo/v1/export.csv?from=2026-01-01&to=2026-06-01', 400],
    ['/geo/v1/nothing', 404],
  ] as const
  for (const [path, status] of refused) {
    expect((await api.call(path, { key })).status, path).toBe(status)
  }
  expect((await api.call('/geo/v1/items', { key, method: 'POST' })).status).toBe(405)
  expect((await api.call('/geo/v1/items', { key: makeApiKey('geo') })).status).toBe(401)
  expect((await api.call('/geo/items', { key })).status).toBe(200)
  expect((await usage()).used).toBe(4)
})

test('the last call of a month is served, the next is 429 until it is over, UTC', async () => {
  setUsed(9_999)
  expect((await api.call('/geo/v1/items', { key })).headers.get('ratelimit')).toMatch(/r=0;t=60$/)
  const spent = await api.call('/geo/v1/items?week=x', { key })
  expect([spent.status, spent.headers.get('retry-after')]).toEqual([429, '60'])
  expect(spent.json).toEqual({
    error:
      'all 10000 calls of 2026-10 are used; the next month begins on 2026-11-01 at 00:00 UTC, ' +
      'in 60 s.',
  })
  expect(await usage()).toMatchObject({ used: 10_000 })
  api.clock.atMs += 59_999
  expect((await api.call('/geo/v1/items', { key })).status).toBe(429)
  api.clock.atMs += 1
  expect((await api.call('/geo/v1/items', { key })).headers.get('ratelimit-policy')).toBe(
    '"month";q=10000;w=2592000',
  )
  expect(await usage()).toMatchObject({ month: '2026-11', used: 1 })
})

test('concurrent calls share what is left: no more are served than the month has', async () => {
  setUsed(9_995)
  const calls = Array.from({ length: 12 }, () => api.call('/geo/v1/sources', { key }))
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(statuses.filter(status => status === 200)).toHaveLength(5)
  expect(statuses.filter(status => status === 429)).toHaveLength(7)
  expect((await usage()).used).toBe(10_000)
})

test('keys beyond the plan are 403, the newest first; a revoked one frees its slot', async () => {
  const made = [key]
  for (const createdAtMs of [1, 2]) {
    const added = await api.accounts.addKey({ accountId, scope: 'geo', name: 'more', createdAtMs })
    made.push(added!.apiKey)
  }
  // keys of another scope are no keys of this plan
  await api.accounts.addKey({ accountId, scope: 'orders', name: 'other', createdAtMs: 0 })
  const statuses = async () =>
    Promise.all(made.map(async own => (await api.call('/geo/v1/items', { key: own })).status))
  expect(await statuses()).toEqual([200, 200, 403])
  const { json } = await api.call('/geo/v1/items', { key: made[2]! })
  expect(json).toEqual({
    error:
      'this is key 3 of the account, and its plan lets the 2 oldest work; revoke one that is not ' +
      'needed, or take the plan geo_team.',
  })
  expect((await usage(made[1])).keys).toEqual({ used: 3, max: 2 })
  const stored = await api.accounts.listKeys(accountId)
  const first = stored.find(({ scope }) => scope === 'geo')
  await api.accounts.revokeKey(first!.id, 9)
  expect(await statuses()).toEqual([401, 200, 200])
  await api.accounts.putProduct(accountId, { plan: 'geo_team', fromMs: 0, untilMs: null })
  expect(await usage(made[2])).toMatchObject({ limit: 100_000, keys: { used: 2, max: 10 } })
})

test('without a key the last 30 days are served; a day more is 400, and a key has it', async () => {
  const days = async (path: string, own: string | null = null) => {
    const { status, json } = await api.call(path, { key: own })
    return status === 200 ? json.items.map((item: { date: string }) => item.date) : json.error
  }
  // 31 October is the day of now
  expect(await days('/geo/items?from=2026-10-01')).toContain('2026-10-01')
  expect(await days('/geo/items')).not.toContain('2026-09-30')
  const refusal =
    'from is "2026-09-30"; without a key items go back to 2026-10-01. With a key, ask /v1/items.'
  expect(await days('/geo/items?from=2026-09-30')).toBe(refusal)
  expect(await days('/geo/items?to=2026-09-30')).toMatch(/^to is |^from is /)
  expect(await days('/geo/v1/items?from=2026-09-30&to=2026-09-30', key)).toEqual(['2026-09-30'])
  // of a week over the edge the days that are free
  const { json } = await api.call('/geo/items?week=2026-W40', { key: null })
  expect([json.from, json.to]).toEqual(['2026-10-01', '2026-10-04'])
  expect(json.items.map((item: { date: string }) => item.date)).toEqual(['2026-10-01'])
  expect((await api.call('/geo/countries?week=2026-W39', { key: null })).status).toBe(400)
  api.clock.atMs = Date.parse('2026-11-01T00:00:00Z')
  expect(await days('/geo/items?from=2026-10-01')).toMatch(/items go back to 2026-10-02/)
})

test('a source that may not be passed on is in no response', async () => {
  const paths = ['/geo/items', '/geo/weeks', '/geo/countries?week=2026-W44', '/geo/health']
  const keyed = ['/geo/v1/items', '/geo/v1/sources', '/geo/v1/export.csv?week=2026-W44']
  for (const path of [...paths, ...keyed]) {
    const { status, body } = await api.call(path, { key })
    expect([path, status]).toEqual([path, 200])
    expect(body.toString(), path).not.toMatch(/acled|"IR"|,IR,/i)
  }
})

test('a record that becomes known later is returned from its instant on', async () => {
  const codes = async () => {
    const { json } = await api.call('/geo/v1/items?country=ir', { key })
    return json.items.map(({ code }: { code: string }) => code)
  }
  api.clock.atMs = Date.parse('2026-11-01T00:00:00Z')
  expect(await codes()).toEqual([])
  api.clock.atMs += 1000
  expect(await codes()).toEqual(['18'])
})

test('weeks, countries and sources are returned with their counts', async () => {
  const { json } = await api.call('/geo/weeks', { key: null })
  expect(json.weeks.map(({ week }: { week: string }) => week)).toEqual([
    '2026-W44',
    '2026-W42',
    '2026-W40',
  ])
  expect(json.weeks[1]).toEqual({
    week: '2026-W42',
    from: '2026-10-12',
    to: '2026-10-18',
    items: 1,
    releases: 0,
    events: 1,
    mentions: 12,
    countries: 1,
    complete: true,
    simulated: false,
    sessions: ['2026-10-12', '2026-10-13', '2026-10-14', '2026-10-15', '2026-10-16'],
  })
  // its last day is not over
  expect(json.weeks[0]).toMatchObject({ complete: false, items: 2, releases: 1, events: 1 })
  const countries = (await api.call('/geo/countries', { key: null })).json
  expect(countries.countries).toEqual([
    { country: 'UA', name: 'Ukraine', items: 1, releases: 0, events: 1, mentions: 12 },
    { country: 'US', name: 'United States', items: 1, releases: 1, events: 0, mentions: null },
  ])
  expect((await api.call('/geo/health', { key: null })).json).toEqual({
    as_of: '2026-10-31T23:59:00Z',
    sources: [
      { source: 'desk', newest_known_at: '2026-10-28T18:00:00Z' },
      { source: 'fred', newest_known_at: null },
      { source: 'gdelt', newest_known_at: '2026-10-31T12:00:00Z' },
    ],
  })
})

test('a cursor goes on with its own question, and never into the future', async () => {
  const first = (await api.call('/geo/v1/items?limit=1', { key })).json
  const next = (cursor: string, more = '') =>
    api.call(`/geo/v1/items?limit=1${more}&cursor=${cursor}`, { key })
  const second = (await next(first.next_cursor)).json
  expect(second.items[0].id).not.toBe(first.items[0].id)
  expect(second.as_of).toBe(first.as_of)
  expect((await next(first.next_cursor, '&kind=event')).status).toBe(400)
  expect((await next('x')).status).toBe(400)
  const index = JSON.parse(Buffer.from(first.next_cursor, 'base64url').toString())
  const ahead = Buffer.from(JSON.stringify({ ...index, at: MONTH_END_MS + 1 }))
  expect((await next(ahead.toString('base64url'))).status).toBe(400)
})

test.each([
  ['week=2026-42', /^week is "2026-42"; give an ISO week such as week=2026-W42\.$/],
  ['week=2026-W60', /^week is "2026-W60"; /],
  ['week=2026-W42&from=2026-10-12', /^week is given with from; /],
  ['from=2026-02-30', /^from is "2026-02-30"; give a day written YYYY-MM-DD, /],
  ['from=2026-10-14&to=2026-10-13', /^from is "2026-10-14", which is after to, "2026-10-13"; /],
  ['country=ZZ', /^country is "ZZ"; give a code of ISO 3166, /],
  ['country=', /^country is ""; /],
  ['kind=war', /^kind is "war"; give event or release, /],
  ['limit=0', /^limit is "0"; give a whole number from 1 to 1000, /],
  ['limit=1001', /^limit is "1001"; /],
  ['limit=1e2', /^limit is "1e2"; /],
  ['cursor=a', /^cursor is "a", which is not of this question; /],
])('%s is refused in one sentence', async (query, sentence) => {
  for (const path of ['/geo/items', '/geo/v1/items']) {
    const { status, json } = await api.call(`${path}?${query}`, { key })
    expect([path, status, json.error]).toEqual([path, 400, expect.stringMatching(sentence)])
    expect(Object.keys(json)).toEqual(['error'])
  }
})

test('ranges are bounded: 366 days of items, 92 of an export', async () => {
  const query = async (path: string) => (await api.call(path, { key })).status
  expect(await query('/geo/v1/items?from=2025-10-31&to=2026-10-31')).toBe(200)
  expect(await query('/geo/v1/items?from=2025-10-30&to=2026-10-31')).toBe(400)
  expect(await query('/geo/v1/export.csv?from=2026-08-01&to=2026-10-31')).toBe(200)
  expect(await query('/geo/v1/export.csv?from=2026-07-31&to=2026-10-31')).toBe(400)
})

test('calls of geo. and the host of the server are those below /geo', async () => {
  const at = (path: string, host: string, own: string | null = null) =>
    api.call(path, { key: own, headers: { host } })
  const raw = (path: string, host: string, more = '') =>
    sendRaw(
      api.port,
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`,
      true,
    )
  expect((await at('/geo/health', 'tapefold.example')).status).toBe(200)
  const health = await raw('/health', 'geo.tapefold.example:443')
  expect(health).toContain('"newest_known_at"')
  const used = await raw('/v1/usage', 'GEO.tapefold.example', `Authorization: Bearer ${key}\r\n`)
  expect(used).toContain('"month":"2026-10"')
  expect(await raw('/v1/usage', 'geo.tapefold.example')).toMatch(/^HTTP\/1.1 401 /)
  // another host is this server by its other name
  expect(await raw('/health', 'geo.other.example')).not.toContain('newest_known_at')
  expect(await raw('/nothing', 'geo.tapefold.example')).toContain(
    '{"error":"there is no endpoint \\"/nothing\\"; see /docs."}',
  )
})
