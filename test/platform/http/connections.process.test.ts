import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { parseProxies } from '../../../src/platform/http/addresses.ts'
import { connectionLimits, holdConnections } from '../../../src/platform/http/connections.ts'
import { createHttpServer } from '../../../src/platform/http/server.ts'
import { sendRaw, startTestApi, type TestApi } from '../../support/api.ts'
import { type Client, openClient, readResponse, until } from '../../support/clients.ts'

let api: TestApi
let opened: Client[] = []

afterEach(async () => {
  for (const { socket } of opened) socket.destroy()
  opened = []
  await api.close()
})

type Limits = NonNullable<Parameters<typeof startTestApi>[0]>['connections'] & {}

async function start(connections: Limits): Promise<void> {
  api = await startTestApi({ connections })
}
async function open(options: Omit<Parameters<typeof openClient>[0], 'port'> = {}): Promise<Client> {
  const client = await openClient({ port: api.port, ...options })
  opened.push(client)
  return client
}
/** Response to a client that behaves. */
async function good(from?: string): Promise<string> {
  const says = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const client = await open({ says, ...(from === undefined ? {} : { from }) })
  await client.gone
  return client.heard()
}

/** Calls whose responses are too large for the buffers between two programs of a machine. */
const LARGE = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(12)

/** Headers that are those of a body, or of one response. */
const OWN_HEADERS = [
  'date',
  'etag',
  'content-type',
  'content-length',
  'cache-control',
  'x-request-id',
  'connection',
  'keep-alive',
  'vary',
]

function expectUsualHeaders(reported: Map<string, string>, usual: Map<string, string>): void {
  // a policy of transport without the setting of the server would replace the one a browser has
  const isOwn = (name: string) => [...OWN_HEADERS, 'strict-transport-security'].includes(name)
  const common = [...usual].filter(([name]) => !isOwn(name))
  expect(common.length).toBeGreaterThan(10)
  for (const [name, value] of common) expect([name, reported.get(name)]).toEqual([name, value])
}

const SILENT_LOG = { info: () => {}, error: () => {} }
const SILENT = undefined
const HALF_HEAD = 'GET / HTTP/1.1\r\nHost: a\r\n'
const HALF_BODY = () =>
  `POST /api/positions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.key}\r\n` +
  'Content-Length: 100\r\n\r\n{"op":'

test.each([
  ['silent', () => SILENT, 408],
  ['stuck in its head', () => HALF_HEAD, 408],
  ['stuck in its body', HALF_BODY, 408],
  ['no client of HTTP', () => 'hello\r\n\r\n', 400],
])(
  'a client that is %s gets that response, and its socket is free though it never closes',
  async (...row) => {
    const [, says, status] = row
    await start({ headMs: 200, requestMs: 400 })
    const text = says()
    const client = await open(text === undefined ? {} : { says: text })
    await client.gone
    const response = readResponse(client.heard())
    expect(response.status).toBe(status)
    expect(JSON.parse(response.body).error.code).toBe(
      status === 408 ? 'request_timeout' : 'bad_request',
    )
    await until(() => api.connectionCount() === 0)
  },
)

test('a client that drips its head byte by byte is cut off too', async () => {
  await start({ headMs: 300 })
  const client = await open({ says: 'GET / HTTP/1.1\r\nX: ' })
  const drip = setInterval(() => client.socket.write('x'), 20)
  await client.gone
  clearInterval(drip)
  expect(client.heard()).toMatch(/^HTTP\/1\.1 408 /)
})

test('a client that never reads its response is cut off, one that reads slowly is not', async () => {
  await start({ responseMs: 3_000 })
  const deaf = await open({ says: LARGE, isDeaf: true })
  const slow = await open({
    says: LARGE.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'),
  })
  const sip = setInterval(() => {
    slow.socket.resume()
    setTimeout(() => slow.socket.pause(), 1)
  }, 50)
  await slow.gone
  clearInterval(sip)
  const { headers } = readResponse(slow.heard())
  expect(slow.heard().length).toBeGreaterThan(12 * Number(headers.get('content-length')))
  await until(() => api.connectionCount() === 0)
  deaf.socket.resume()
  await deaf.gone
})

test('a response that took long to make may wait for its client no longer than others', async () => {
  await start({})
  const connections = holdConnections(connectionLimits({ responseMs: 400 }), SILENT_LOG)
  const make = (_req: unknown, res: ServerResponse) => {
    setTimeout(() => res.end(Buffer.alloc(64 * 2 ** 20)), 1_000)
  }
  const server = createHttpServer(make as never, SILENT_LOG, connections)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const deaf = await openClient({ port, isDeaf: true, says: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n' })
  await until(() => connections.count().open === 0)
  deaf.socket.destroy()
  await new Promise(closed => server.close(closed))
})

test('a connection that waits for its next request is closed', async () => {
  await start({ idleMs: 200 })
  const client = await open({ says: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n' })
  await client.gone
  expect(client.heard()).toMatch(/^HTTP\/1\.1 200 /)
})

test('beyond the bound the longest waiting one is dropped, silent ones first', async () => {
  await start({ connections: 4, headMs: 60_000 })
  const idle = await open({ says: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n' })
  await until(() => idle.heard() !== '')
  const silent = [await open(), await open(), await open({ says: HALF_HEAD })]
  for (const one of silent) {
    expect(one.isGone()).toBe(false)
    expect(await good()).toMatch(/^HTTP\/1\.1 200 /)
    await one.gone
    await until(() => api.connectionCount() === 3)
    await open()
  }
  expect(idle.isGone()).toBe(false)
  expect(silent.map(one => one.heard())).toEqual(['', '', ''])
})

test('one address takes the connections of its own alone', async () => {
  await start({ connections: 100, ofAddress: 3, headMs: 60_000 })
  const other = await open({ from: '127.0.0.2' })
  const own = [await open(), await open(), await open()]
  await open()
  await own[0]!.gone
  expect([other, own[1]!, own[2]!].map(one => one.isGone())).toEqual([false, false, false])
})

test('half requests and unread responses are dropped as well, after a while', async () => {
  await start({ connections: 2, headMs: 60_000, requestMs: 60_000, responseMs: 60_000 })
  const deaf = await open({ says: LARGE, isDeaf: true })
  const half = await open({ says: HALF_BODY() })
  await until(async () => (await good()).startsWith('HTTP/1.1 200 '))
  deaf.socket.resume()
  await Promise.race([deaf.gone, half.gone])
})

test('where all are at work a new connection is refused, with the usual headers', async () => {
  await start({})
  const usual = readResponse(await good())
  const connections = holdConnections(connectionLimits({ connections: 1 }), SILENT_LOG)
  const server = createHttpServer(() => {}, SILENT_LOG, connections)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const working = await openClient({ port, says: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n' })
  await new Promise(begun => server.once('request', begun))
  const responses = await Promise.all([
    sendRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
    sendRaw(port, 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n'),
  ])
  const [get, head] = responses.map(readResponse)
  for (const { status, headers } of [get!, head!]) {
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expectUsualHeaders(headers, usual.headers)
  }
  expect(JSON.parse(get!.body).error).toEqual({
    code: 'unavailable',
    message: 'all connections of the server are taken; ask again in a second.',
    retry_after_s: 1,
  })
  expect(head!.body).toBe('')
  expect(connections.count()).toEqual({ open: 1, shed: 0, refused: 2 })
  working.socket.destroy()
  await new Promise(closed => server.close(closed))
})

test.each([
  ['hello\r\n\r\n', 400],
  [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('a response of the parser has the headers of all others', async (says, status) => {
  await start({})
  const usual = readResponse(await good())
  const client = await open({ says })
  await client.gone
  const response = readResponse(client.heard())
  expect(response.status).toBe(status)
  expectUsualHeaders(response.headers, usual.headers)
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.:-]{1,64}$/)
})

test('behind a trusted proxy calls are bounded by client, and connections are not', async () => {
  await start({
    ofAddress: 2,
    headMs: 60_000,
    requestMs: 60_000,
    proxies: parseProxies('127.0.0.1')!,
  })
  const from = (client: string) =>
    HALF_BODY().replace('Host: a', `Host: a\r\nX-Forwarded-For: ${client}`)
  const held = [await open({ says: from('192.0.2.1') }), await open({ says: from('192.0.2.1') })]
  await until(() => api.connectionCount() === 2)
  await open()
  const third = await open({ says: from('192.0.2.1') })
  await until(() => third.heard() !== '')
  const { status, headers, body } = readResponse(third.heard())
  expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  expect(JSON.parse(body).error.message).toMatch(/^2 calls from this address are under way;/)
  const other = await open({
    says: 'GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.2\r\n\r\n',
  })
  await until(() => other.heard() !== '')
  expect(other.heard()).toMatch(/^HTTP\/1\.1 200 /)
  expect(held.map(one => one.isGone())).toEqual([false, false])
})
