// Faults, records of requests and streamed bodies, which all test servers share.

import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import {
  cutAfter,
  droppedConnection,
  emptyBody,
  endAfter,
  type Fault,
  htmlPage,
  redirectTo,
  serverError,
  slowTo,
  stallAfter,
  tooManyRequests,
} from './faults.ts'
import { receive } from './request.ts'
import { type Body, findClosedAddress, type Source, startServing } from './serve.ts'
import { compress } from './tables.ts'

let source: Source
afterEach(() => source.close())

const TEXT = 'abcdefghij'.repeat(1000)

/** A stream of the text in parts of 700 bytes. */
function* parts() {
  for (let at = 0; at < TEXT.length; at += 700) yield Buffer.from(TEXT.slice(at, at + 700))
}

async function open(faults: readonly Fault[], body: () => Body = () => TEXT) {
  source = await startServing({
    faults,
    secrets: ['api_key'],
    handle: () => ({ status: 200, headers: { 'content-type': 'text/csv' }, body: body() }),
  })
  return source.url
}

test.each([
  ['with a length', () => TEXT, 'content-length'],
  ['in chunks', parts, 'transfer-encoding'],
])('a body %s is cut after so many bytes, once', async (_, body, header) => {
  const url = await open([cutAfter(1234)], body)
  const cut = await receive(url)
  expect(cut).toMatchObject({ status: 200, isCut: true })
  expect(cut.headers).toHaveProperty(header)
  expect(cut.body.toString()).toBe(TEXT.slice(0, 1234))
  const whole = await receive(url)
  expect(whole).toMatchObject({ status: 200, isCut: false })
  expect(whole.body.toString()).toBe(TEXT)
  expect(source.requests).toMatchObject([
    { status: 200, bytes: 1234, isWhole: false },
    { status: 200, bytes: TEXT.length, isWhole: true },
  ])
})

test('the framing of a cut body can be chosen', async () => {
  const url = await open([
    { ...cutAfter(5), framing: 'chunked' },
    { ...cutAfter(5), framing: 'length' },
  ])
  const [chunked, fixed] = [await receive(url), await receive(url)]
  expect(chunked.headers).toMatchObject({ 'transfer-encoding': 'chunked' })
  expect(fixed.headers).toMatchObject({ 'content-length': String(TEXT.length) })
  for (const each of [chunked, fixed]) {
    expect(each).toMatchObject({ isCut: true, body: Buffer.from('abcde') })
  }
})

test.each([
  ['gzip', gunzipSync],
  ['zstd', zstdDecompressSync],
] as const)('a body in %s ends regularly in its middle', async (by, decompress) => {
  const url = await open([{ ...endAfter(20), after: 1 }], () => compress(parts(), by))
  const whole = await receive(url)
  expect(decompress(whole.body).toString()).toBe(TEXT)
  const cut = await receive(url)
  expect(cut).toMatchObject({ status: 200, isCut: false })
  expect(cut.body).toHaveLength(20)
  expect(() => decompress(cut.body)).toThrow()
})

test('other responses: empty, a web page, 429, 5xx, a redirect, no response', async () => {
  const date = new Date('2026-11-27T10:00:00Z')
  const url = await open([
    emptyBody(),
    htmlPage(),
    tooManyRequests(),
    tooManyRequests(7),
    tooManyRequests(date),
    { ...serverError(502), times: 2 },
    redirectTo('http://elsewhere.example/'),
    droppedConnection(),
  ])
  expect(await receive(url)).toMatchObject({ status: 200, body: Buffer.alloc(0), isCut: false })
  const page = await receive(url)
  expect(page.headers['content-type']).toBe('text/html; charset=UTF-8')
  expect(page.body.toString()).toMatch(/^<!DOCTYPE html>/)
  expect((await receive(url)).headers).not.toHaveProperty('retry-after')
  expect(await receive(url)).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
  const dated = { 'retry-after': 'Fri, 27 Nov 2026 10:00:00 GMT' }
  expect(await receive(url)).toMatchObject({ status: 429, headers: dated })
  expect([await receive(url), await receive(url)]).toMatchObject([{ status: 502 }, { status: 502 }])
  const redirect = { status: 302, headers: { location: 'http://elsewhere.example/' } }
  expect(await receive(url)).toMatchObject(redirect)
  await expect(receive(url)).rejects.toThrow(/hang up|ECONNRESET/)
  expect(await receive(url)).toMatchObject({ status: 200, isCut: false })
})

test('a fault applies to the requests that it matches, after those that pass', async () => {
  const url = await open([
    { ...serverError(), match: /^GET \/day\?date=2$/, after: 1 },
    { ...serverError(500), match: request => request.path === '/other', times: 2 },
  ])
  const paths = ['/day?date=2', '/day?date=1', '/day?date=2', '/day?date=2', '/other', '/other']
  const statuses: number[] = []
  for (const path of [...paths, '/other']) statuses.push((await receive(url + path)).status)
  expect(statuses).toEqual([200, 200, 503, 200, 500, 500, 200])
  source.addFault({ headers: { etag: '"new"' } })
  expect((await receive(url)).headers.etag).toBe('"new"')
})

test('a slow body takes its time, and a stalled one ends when the client leaves', async () => {
  const url = await open([slowTo(40_000), stallAfter(100)])
  const from = performance.now()
  expect((await receive(url)).body).toHaveLength(TEXT.length)
  expect(performance.now() - from).toBeGreaterThan(180)
  const stalled = await receive(url, { leaveAfterMs: 50 })
  expect(stalled).toMatchObject({ isCut: true, body: Buffer.from(TEXT.slice(0, 100)) })
})

test('requests are recorded without secrets, and how many were in flight at once', async () => {
  const url = await open([{ delayMs: 50, times: 3 }])
  const headers = { authorization: 'Basic secret', 'x-mine': '1' }
  const target = `${url}/path?api_key=secret&day=1`
  await Promise.all([1, 2, 3].map(() => receive(target, { headers })))
  await receive(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'api_key=secret&symbols=SPX.OPT',
  })
  expect(source.maxInFlight()).toBe(3)
  expect(source.requests[0]).toMatchObject({
    method: 'GET',
    path: '/path',
    query: { day: '1' },
    headers: { 'x-mine': '1' },
  })
  expect(source.requests[3]).toMatchObject({ method: 'POST', form: { symbols: 'SPX.OPT' } })
  expect(JSON.stringify(source.requests)).not.toContain('secret')
})

test('a limit queues requests and refuses those above the queue', async () => {
  const gates: (() => void)[] = []
  source = await startServing({
    limit: { running: 1, queued: 1, refusal: { status: 429 } },
    handle: async () => {
      await new Promise<void>(go => gates.push(go))
      return { status: 200 }
    },
  })
  const first = receive(source.url)
  const second = receive(source.url)
  while (source.requests.length < 2) await new Promise(setImmediate)
  expect((await receive(source.url)).status).toBe(429)
  expect(gates).toHaveLength(1)
  gates[0]!()
  expect((await first).status).toBe(200)
  while (gates.length < 2) await new Promise(setImmediate)
  gates[1]!()
  expect((await second).status).toBe(200)
})

test('a failure of the server itself is no response of a source: closing reports it', async () => {
  const failing = await startServing({
    handle: () => {
      throw new Error('a fault of the test server')
    },
  })
  expect((await receive(failing.url)).status).toBe(500)
  await expect(failing.close()).rejects.toThrow('a fault of the test server')
  await open([])
  await expect(receive(await findClosedAddress())).rejects.toThrow('ECONNREFUSED')
})

test('a body of 100 MB is made while it is sent, not before', async () => {
  const part = Buffer.alloc(256 * 1024, 'x')
  let made = 0
  const url = await open([], function* () {
    for (let count = 0; count < 400; count++) {
      made += part.length
      yield part
    }
  })
  const response = await fetch(url)
  let received = 0
  let mostAhead = 0
  for await (const chunk of response.body!) {
    mostAhead = Math.max(mostAhead, made - received)
    received += chunk.length
  }
  expect(received).toBe(400 * part.length)
  // buffers of the system and of the client
  expect(mostAhead).toBeLessThan(20e6)
})
