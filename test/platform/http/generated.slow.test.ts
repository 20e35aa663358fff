import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeApiKey } from '../../../src/accounts/apiKey.ts'
import { sendRaw, startTestApi, type TestApi } from '../../support/api.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../../support/published.ts'

// Every call checks its response against the OpenAPI file: status, headers, type and body.

const SEED = 20261014
const REQUEST_COUNT = 20_000
const RAW_COUNT = 1_000
const CONNECTIONS = 32

let api: TestApi
let key: string

beforeAll(async () => {
  api = await startTestApi()
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS))
  key = (await api.newKey('orders_team')).key
})
afterAll(() => api.close())

const METHODS = 'GET HEAD OPTIONS POST PUT PATCH DELETE TRACE PROPFIND M-SEARCH PURGE'.split(' ')
const DAYS = ['2026-10-14', '2026-10-13', '2026-02-30', '0000-00-00', '9999-12-31', '']
const PATHS = [
  '/orders/api/day',
  '/orders/api/latest',
  '/orders/api/sessions',
  '/orders/api',
  '/health',
  '/openapi.json',
  '/',
]
const ACCEPTS = [
  '*/*',
  'application/json',
  'text/csv',
  'application/vnd.apache.parquet',
  'application/vnd.apache.arrow.stream',
  'text/html;q=0.1, */*;q=0.01',
  'application/json;q=0',
  ';;;,,q=',
]
const ENCODINGS = ['gzip', 'br', 'gzip, br', 'identity;q=0', '*', 'br;q=nan', 'zstd', ',;,']

/** Text of the characters that a client can send in a path or a header. */
const latin = (from: number, to: number) =>
  fc
    .array(fc.integer({ min: from, max: to }), { maxLength: 30 })
    .map(codes => String.fromCharCode(...codes))
const pathText = latin(0x21, 0xff)
const headerText = latin(0x20, 0x7e)
const oddity = fc.constantFrom(
  '%',
  '%zz',
  '%00',
  '%ff',
  '%2f',
  '%C3%28',
  '..',
  '//',
  ';',
  '&&',
  '=',
)

const path = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PATHS) },
  fc.tuple(fc.constantFrom(...PATHS), fc.oneof(pathText, oddity)).map(parts => parts.join('')),
  fc.array(fc.oneof(pathText, oddity), { maxLength: 4 }).map(parts => `/${parts.join('/')}`),
)
const pair = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constant('day') }, pathText, oddity),
    fc.oneof(fc.constantFrom(...DAYS), pathText, oddity),
  )
  .map(([name, value]) => `${name}=${value}`)
const query = fc.oneof(
  fc.constant(''),
  fc.constant('?day=2026-10-14'),
  fc.array(pair, { maxLength: 4 }).map(pairs => `?${pairs.join('&')}`),
)
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const headers = fc.record({
  accept: optional(fc.oneof(fc.constantFrom(...ACCEPTS), headerText)),
  'accept-encoding': optional(fc.oneof(fc.constantFrom(...ENCODINGS), headerText)),
  'if-none-match': optional(fc.oneof(fc.constantFrom('*', '"x"', 'W/"x", "y"', '"'), headerText)),
  'x-request-id': optional(headerText),
  range: optional(fc.constantFrom('bytes=0-1', 'bytes=x')),
  origin: optional(headerText),
  expect: optional(fc.constant('a-miracle')),
  upgrade: optional(fc.constant('h2c')),
  'content-type': optional(headerText),
})
const authorization = fc.oneof(
  { weight: 6, arbitrary: fc.constant('good' as const) },
  fc.constantFrom('none' as const, 'unknown' as const),
  headerText,
)
const requests = fc.record({
  method: fc.oneof({ weight: 4, arbitrary: fc.constant('GET') }, fc.constantFrom(...METHODS)),
  path,
  query,
  headers,
  authorization,
})

test('20,000 generated requests: each response is described, none is a 5xx', async () => {
  const sample = fc.sample(requests, { seed: SEED, numRuns: REQUEST_COUNT })
  const unknown = makeApiKey('orders')
  const statuses: Record<number, number> = {}
  const client = async () => {
    for (let next = sample.pop(); next; next = sample.pop()) {
      const target = next.path + next.query
      const { authorization: sent } = next
      const bearer = sent === 'good' ? key : sent === 'unknown' ? unknown : null
      const own = bearer || sent === 'none' ? {} : { authorization: sent }
      const given = Object.entries(next.headers).filter(([, value]) => value !== undefined)
      const { status } = await api.call(target, {
        method: next.method,
        key: bearer,
        headers: { ...own, ...(Object.fromEntries(given) as Record<string, string>) },
      })
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status >= 500) throw new Error(`${next.method} ${target} answered ${status}`)
      const isOpen = sent === 'good' || next.method === 'OPTIONS'
      if (!isOpen && /^\/orders\/api([/?]|$)/.test(target)) expect([400, 401]).toContain(status)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  const count = Object.values(statuses).reduce((sum, calls) => sum + calls, 0)
  expect(count).toBe(REQUEST_COUNT)
  // the generator reaches every response that a request alone can cause
  expect(Object.keys(statuses)).toEqual(
    expect.arrayContaining(['200', '204', '304', '400', '401', '404', '405', '406']),
  )
})

test('1,000 broken byte streams: each gets 4xx in the envelope, or is closed', async () => {
  const valid = `GET /orders/api/latest HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const flaw = fc.record({
    at: fc.nat(valid.length),
    cut: fc.integer({ min: 0, max: 6 }),
    put: fc.uint8Array({ maxLength: 12 }),
  })
  const sample = fc.sample(fc.array(flaw, { minLength: 1, maxLength: 3 }), {
    seed: SEED,
    numRuns: RAW_COUNT,
  })
  let refused = 0
  const client = async () => {
    for (let flaws = sample.pop(); flaws; flaws = sample.pop()) {
      let text = Buffer.from(valid)
      for (const { at, cut, put } of flaws) {
        text = Buffer.concat([text.subarray(0, at), put, text.subarray(at + cut)])
      }
      const response = await sendRaw(api.port, text)
      if (response === '') continue
      const [head, body] = response.split('\r\n\r\n') as [string, string]
      expect(head, text.toString('latin1')).toMatch(/^HTTP\/1\.1 (200|4\d\d) /)
      if (!head.startsWith('HTTP/1.1 4')) continue
      refused++
      const length = Number(/content-length: (\d+)/i.exec(head)![1])
      expect(JSON.parse(body.slice(0, length)).error.code).toMatch(/^[a-z_]+$/)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  expect(refused).toBeGreaterThan(RAW_COUNT / 2)
  expect((await api.call('/orders/api/latest')).status).toBe(200)
})
