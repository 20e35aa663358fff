// Access to the session of today: the archive opens it to everybody after midnight in New York.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseProxies } from '../../src/platform/http/addresses.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'
import { newCode, signedIn } from '../support/visitor.ts'

const DAY = '2026-10-15'
const PAGE = `/sessions/${DAY}`
/** In New York noon of the day after, and half an hour after the close of the day. */
const AFTER_MS = Date.parse('2026-10-16T16:00:00Z')
const EVENING_MS = Date.parse('2026-10-15T20:45:00Z')

let built: BuiltSession
let api: TestApi
let oid: string

beforeAll(async () => {
  built = await buildSmallSession(DAY)
  const proxies = parseProxies('127.0.0.1')!
  api = await startTestApi({ dataFolder: built.dataFolder, connections: { proxies } })
  api.clock.atMs = AFTER_MS
  const { json } = await api.call(`/orders/api/day?day=${DAY}`)
  oid = json.orders[0].oid
})
beforeEach(() => {
  api.clock.atMs = AFTER_MS
})
afterAll(async () => {
  await api.close()
  built.remove()
})

const get = async (path: string) => {
  const response = await fetch(api.url + path, { headers: { accept: 'text/html' } })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

/** Response to a program that requests no page, with the cookie of a browser or none. */
const refusedTo = async (cookie: string | null, wanted: readonly unknown[]) => {
  const pictures = ['/picture.png', `/orders/${oid}/picture.png`]
  for (const path of ['/orders.csv', ...pictures, '/curves', '/strikes', '/now']) {
    for (const accept of ['*/*', 'text/csv', 'image/avif,image/webp,*/*;q=0.8']) {
      const headers = { accept, ...(cookie && { cookie }) }
      const response = await fetch(api.url + PAGE + path, { headers, redirect: 'manual' })
      const { error } = (await response.json()) as { error: { code: string; message: string } }
      const reported = [response.status, error.code, response.headers.get('www-authenticate')]
      expect([path, accept, ...reported]).toEqual([path, accept, ...wanted])
      expect(error.message).toMatch(
        /^2026-10-15 is of today, and free after midnight in New York; /,
      )
    }
  }
}

test('a day of today is a locked card, and open to who is signed in with a plan', async () => {
  api.clock.atMs = EVENING_MS
  const paths = [
    '',
    '/orders',
    `/orders/${oid}`,
    '/orders.csv',
    '/tape',
    '/curves',
    '/strikes',
    '/now',
  ].map(path => PAGE + path)
  for (const path of paths) {
    const { status, headers, html } = await get(path)
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(html).toContain('Free after midnight in New York')
    expect(html).not.toContain(oid)
  }
  await refusedTo(null, [401, 'no_key', 'Bearer'])
  expect((await get('/sessions')).html).toContain('Today, Thu 2026-10-15')
  const visitor = await signedIn(api)
  api.clock.atMs = EVENING_MS
  const open = await visitor.get(PAGE)
  expect([open.status, open.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  expect(open.html).toContain(oid)
  expect((await visitor.get(`${PAGE}/orders`)).html).toContain(oid)
  // built in the evening: its evidence is there
  const order = await visitor.get(`${PAGE}/orders/${oid}`)
  expect(order.headers.get('cache-control')).toBe('private, no-store')
  for (const part of ['legs', 'prints', 'revisions']) {
    expect(order.html).toContain(`id="${part}-title"`)
  }
  // its scrubber draws the archive's values after midnight
  const curves = JSON.parse((await visitor.get(`${PAGE}/curves?book=vol`)).html)
  const ladders = JSON.parse((await visitor.get(`${PAGE}/strikes?book=vol&time=11:14`)).html)
  const { minute } = JSON.parse((await visitor.get(`${PAGE}/now`)).html)
  expect(minute).toBe(curves.minutes.at(-1))
  api.clock.atMs = AFTER_MS
  const half = await api.call(`/api/session/${DAY}/strikes?book=vol&time=11:14`, { key: null })
  const { minutes, strikes, calls, puts } = half.json
  expect(ladders).toEqual({ minutes, strikes, calls, puts })
  const { json } = await api.call(`/api/session/${DAY}/gamma?book=vol`, { key: null })
  expect([curves.minutes, curves.net]).toEqual([json.minutes, json.net])
  for (const path of ['/curves?book=vol', '/strikes', '/now']) {
    expect((await get(PAGE + path)).status).toBe(404)
  }
  // an account without a plan sees the card
  const { id } = await api.accounts.addAccount({ name: 'bare', plan: null, createdAtMs: 1 })
  const bare = await signedIn(api, id)
  api.clock.atMs = EVENING_MS
  expect((await bare.get(PAGE)).html).toContain('Free after midnight')
  await refusedTo(bare.cookie(), [403, 'plan', null])
  // what was made for one is nobody else's
  expect((await get(PAGE)).html).toContain('Free after midnight')
})

test('to sign in for a session leads back to it, and nowhere else', async () => {
  const code = await newCode(api)
  for (const [to, index] of [
    [PAGE, PAGE],
    ['https://example.com/', '/account'],
    ['//example.com', '/account'],
    ['/sessions/..//example.com', '/account'],
  ] as const) {
    const again = to === PAGE ? code : await newCode(api)
    const response = await fetch(`${api.url}/account/enter`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        origin: api.url,
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      body: new URLSearchParams({ code: again, to }).toString(),
    })
    expect([response.status, response.headers.get('location')]).toEqual([303, index])
  }
})
