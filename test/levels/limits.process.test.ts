// Limits of a key of the levels API: calls a minute and client addresses an hour over two
// servers of one account store, whose word about an address counts, and keys in addresses.

import { request } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseProxies } from '../../src/platform/http/addresses.ts'
import { accountFilePath } from '../../src/server/accountStore.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { publishLevels } from '../support/levels.ts'

const PATH = '/api/v1/levels?sym=SPX'
const TEXT = '/api/v1/levels.txt?sym=SPX'
const HOUR_MS = 3_600_000
const NOW_MS = Date.parse('2026-10-15T15:14:30Z')

let api: TestApi
let other: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await publishLevels(api.dataFolder, { day: '2026-10-14' })
  other = await startTestApi({ dataFolder: api.dataFolder })
  setClocks(NOW_MS)
})
afterAll(async () => {
  await other.close()
  await api.close()
})

function setClocks(atMs: number): void {
  api.clock.atMs = atMs
  other.clock.atMs = atMs
}

const newKey = async () => (await api.newKey('live', 'live')).key

type From = { readonly key: string; readonly from?: string; readonly forwarded?: string }

/** The code of an error, or ok, of a call that comes from an address of this machine. */
function callFrom({ port }: TestApi, { key, from = '127.0.0.1', forwarded }: From) {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
  }
  return new Promise<string>((done, failed) => {
    const path = '/api/v1/key'
    const options = { host: '127.0.0.1', port, path, headers, localAddress: from }
    const sent = request({ ...options, agent: false }, res => {
      let text = ''
      res.on('data', piece => {
        text += piece
      })
      res.on('end', () => done(JSON.parse(text).error?.code ?? 'ok'))
    })
    sent.on('error', failed)
    sent.end()
  })
}

test('of 150 calls at once on two servers 120 are served, in each minute', async () => {
  const key = await newKey()
  for (const minute of [0, 1]) {
    setClocks(NOW_MS + minute * 60_000)
    const responses = await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        (index % 3 === 0 ? other : api).call(PATH, { key }),
      ),
    )
    const ok = responses.filter(({ status }) => status === 200)
    expect(ok).toHaveLength(120)
    const left = ok.map(({ headers }) => /r=(\d+);t=30$/.exec(headers.get('ratelimit')!)![1])
    expect(left.map(Number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 120 }, (_, index) => index),
    )
    const refused = responses.filter(({ status }) => status === 429)
    const reported = refused.map(({ json, headers }) => {
      const { code, retry_after_s } = json.error
      return [code, retry_after_s, headers.get('retry-after'), headers.get('ratelimit')]
    })
    expect(reported).toEqual(Array(30).fill(['rate_limited', 30, '30', '"minute";r=0;t=30']))
    expect(await findCode(await newKey())).toBe('ok')
  }
})

const findCode = async (key: string) => (await api.call(PATH, { key })).json.error?.code ?? 'ok'

test('the minute is that of UTC, and what is left of it is what one waits', async () => {
  const key = await newKey()
  const startMs = Math.ceil(NOW_MS / 60_000) * 60_000
  for (const [beforeMs, wait] of [
    [59_999, 60],
    [30_001, 31],
    [1, 1],
  ] as const) {
    setClocks(startMs - beforeMs)
    const { headers } = await api.call(PATH, { key })
    expect(headers.get('ratelimit')).toMatch(new RegExp(`;t=${wait}$`))
  }
  setClocks(startMs)
  expect((await api.call(PATH, { key })).headers.get('ratelimit')).toBe('"minute";r=119;t=60')
})

test('every response to a good key is counted, whatever its status', async () => {
  const key = await newKey()
  setClocks(NOW_MS)
  const paths = [PATH, '/api/v1/nothing', '/api/v1/levels', `${PATH}&day=2020-01-01`]
  for (const path of paths) await api.call(path, { key })
  await api.call(PATH, { key, method: 'POST' })
  await api.call(TEXT.replace('SPX', 'QQQ'), { key })
  const { json } = await api.call('/api/v1/key', { key })
  expect(json.minute).toEqual({ limit: 120, used: 7, reset_s: 30 })
  expect(json.places).toEqual({ limit: 3, used: 1 })
})

test('three addresses stay good for an hour on both servers, and a fourth is refused', async () => {
  const key = await newKey()
  setClocks(NOW_MS)
  const call = (server: TestApi, last: number) => callFrom(server, { key, from: `127.0.0.${last}` })
  expect(await call(api, 1)).toBe('ok')
  expect(await call(other, 2)).toBe('ok')
  expect(await call(api, 3)).toBe('ok')
  for (const server of [api, other]) {
    expect(await call(server, 4)).toBe('too_many_places')
    for (const last of [1, 2, 3]) expect(await call(server, last)).toBe('ok')
  }
  expect((await api.call('/api/v1/key', { key })).json.minute.used).toBe(10)
  setClocks((Math.floor(NOW_MS / HOUR_MS) + 1) * HOUR_MS)
  expect(await call(other, 4)).toBe('ok')
  for (const last of [1, 2]) expect(await call(api, last)).toBe('ok')
  expect(await call(api, 3)).toBe('too_many_places')
  setClocks(NOW_MS)
})

test('of 8 addresses that come at once to two servers three are let in', async () => {
  const key = await newKey()
  const indexes = Array.from({ length: 16 }, (_, index) => index)
  const codes = await Promise.all(
    indexes.map(index =>
      callFrom(index % 2 === 0 ? api : other, { key, from: `127.0.0.${1 + (index >> 1)}` }),
    ),
  )
  const letIn = indexes.filter(index => codes[index] === 'ok').map(index => index >> 1)
  expect(new Set(letIn).size).toBe(3)
  expect(letIn).toHaveLength(6)
})

test.each([
  // trusted, headers of proxies and clients, count of these addresses
  ['off', ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'], 1],
  ['127.0.0.0/8', ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'], 4],
  ['127.0.0.0/8', ['::ffff:192.0.2.1', '192.0.2.1', '[::ffff:c000:201]:4711'], 1],
  ['127.0.0.0/8', ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:DB8:1:2::', 'x'], 2],
  ['127.0.0.0/8', ['2001:db8:1:2::', '2001:db8:1:3::', '2001:db8:2:2::', '2001:db9::'], 4],
] as const)(
  'trusting %s, calls forwarded for %j are of as many addresses as %i',
  async (...row) => {
    const [trusted, forwarded, count] = row
    const connections = { proxies: parseProxies(trusted)! }
    const server = await startTestApi({ connections })
    server.clock.atMs = NOW_MS
    const { key } = await server.newKey('live', 'live')
    const codes: string[] = []
    for (const text of forwarded) codes.push(await callFrom(server, { key, forwarded: text }))
    expect(codes.filter(code => code !== 'ok')).toEqual(count > 3 ? ['too_many_places'] : [])
    const headers = { 'x-forwarded-for': forwarded[0] }
    const { json } = await server.call('/api/v1/key', { key, headers })
    expect(json.places.used).toBe(Math.min(count, 3))
    await server.close()
  },
)

test('no address is stored, nor what is the same for another key or hour', async () => {
  const listRows = () => {
    const database = new DatabaseSync(accountFilePath(api.dataFolder))
    const rows = database.prepare('select place_1, place_2, place_3 from key_uses').all()
    database.close()
    return rows.flatMap(row => Object.values(row)).filter(index => index !== null)
  }
  const before = listRows()
  const keys = [await newKey(), await newKey()]
  for (const key of keys) await callFrom(api, { key, from: '127.0.0.77' })
  setClocks(NOW_MS + HOUR_MS)
  const hourLater = await newKey()
  await callFrom(api, { key: hourLater, from: '127.0.0.77' })
  setClocks(NOW_MS)
  const added = listRows().filter(index => !before.includes(index))
  expect(added).toHaveLength(3)
  for (const index of added) expect(index).toMatch(/^[\w-]{22}$/)
})

test('a key for addresses opens two paths from the address alone and is in no log', async () => {
  const { accountId } = await api.newKey('live', 'live')
  const made = { accountId, scope: 'live', name: 'notes', createdAtMs: 0 } as const
  const { apiKey } = (await api.accounts.addKey({ ...made, isForAddresses: true }))!
  const usual = await newKey()
  const loggedBefore = api.logged.length
  const query = async (path: string, key: string | null) => {
    const { status, json, headers } = await api.call(path, { key })
    return [status === 200 ? 'ok' : json.error.code, headers.get('cache-control')]
  }
  for (const path of [TEXT, '/api/v1/bookmap.csv?sym=SPX&map=DXFEED', `${TEXT}&style=lines`]) {
    expect(await query(`${path}&key=${apiKey}`, null)).toEqual(['ok', 'no-store'])
    expect(await query(`${path}&day=2026-10-14&key=${apiKey}`, null)).toEqual(['ok', 'no-store'])
    // neither kind of key is taken where the other belongs
    expect(await query(path, apiKey)).toEqual(['bad_key', 'no-store'])
    expect(await query(`${path}&key=${usual}`, null)).toEqual(['bad_key', 'no-store'])
    expect(await query(`${path}&key=${apiKey}&key=${apiKey}`, null)).toEqual(['no_key', 'no-store'])
    expect((await query(`${path}&key=${apiKey}`, usual))[0]).toBe('ok')
    expect((await query(`${path}&key=${apiKey}x&errors=200`, null))[0]).toBe('ok')
  }
  for (const path of ['levels', 'gamma', 'expected_move', 'history', 'symbols', 'key', 'none']) {
    expect(await query(`/api/v1/${path}?sym=SPX&key=${apiKey}`, null)).toEqual([
      'no_key',
      'no-store',
    ])
    expect(await query(`/api/v1/${path}?sym=SPX`, apiKey)).toEqual(['bad_key', 'no-store'])
  }
  expect((await query(`/orders/api/latest?key=${apiKey}`, null))[0]).toBe('no_key')
  await api.accounts.revokeKey((await api.accounts.findHolder(apiKey))!.keyId, 1)
  expect(await query(`${TEXT}&key=${apiKey}`, null)).toEqual(['bad_key', 'no-store'])

  const logged = JSON.stringify(api.logged.slice(loggedBefore))
  expect(api.logged.length - loggedBefore).toBeGreaterThan(30)
  expect(logged).toContain(`ftpl_…${apiKey.slice(-4)}`)
  for (const key of [apiKey, usual]) expect(logged).not.toContain(key.slice(5, -4))
})
