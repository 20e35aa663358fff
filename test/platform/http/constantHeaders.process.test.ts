// The headers that are the same for every response are sent once each, whatever else is sent.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConnectionLimits } from '../../../src/platform/http/connections.ts'
import { ERRORS } from '../../../src/platform/http/error.ts'
import {
  OPEN_HEADERS,
  POLICY_OF_DOCS,
  PRIVATE_HEADERS,
  SECURITY_HEADERS,
} from '../../../src/platform/http/headers.ts'
import { sendRaw, startTestApi, type TestApi } from '../../support/api.ts'
import { readResponse } from '../../support/clients.ts'

const YEAR = ['strict-transport-security', 'max-age=31536000'] as const
const byName = (headers: ReadonlyMap<string, string>) =>
  new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]))
const COMMON = new Map([...byName(SECURITY_HEADERS), YEAR])
const OPEN = new Map([...COMMON, ...OPEN_HEADERS])
const DOCS = new Map([...OPEN, ['content-security-policy', POLICY_OF_DOCS]])
const PRIVATE = new Map([...COMMON, ...PRIVATE_HEADERS])

let api: TestApi
let covering: TestApi
beforeAll(async () => {
  api = await startTestApi()
  covering = await startTestApi({ coversSubdomains: true })
})
afterAll(async () => {
  await api.close()
  await covering.close()
})

test.each([
  ['GET', '/health', OPEN],
  ['HEAD', '/openapi.json', OPEN],
  ['OPTIONS', '/orders/api/day', OPEN],
  ['GET', '/orders/api/day', OPEN],
  ['POST', '/orders/api/day', OPEN],
  ['GET', '/none', OPEN],
  ['GET', '/docs', DOCS],
  ['GET', '/sessions/none', PRIVATE],
  ['GET', '/openapi.json', OPEN, 304],
])('%s %s sends each of them once, and a handler may replace one', async (...row) => {
  const [method, path, wanted, unchanged] = row
  const cached: Record<string, string> = unchanged ? { 'if-none-match': '*' } : {}
  const { status, headers } = await api.call(path, { method, key: null, headers: cached })
  if (unchanged) expect(status).toBe(unchanged)
  // a name that is sent twice has both values here
  const names = new Set([...OPEN.keys(), ...wanted.keys()])
  const sent = [...names].flatMap(name => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  expect(new Map(sent)).toEqual(wanted)
})

const HOST = 'Host: a\r\n'
const LONG = 'x'.repeat(20_000)
type Way = readonly [string, string, number, Partial<ConnectionLimits> | null]

// every way a response leaves the server: the app, the parser, and connections that reach neither
test.each<Way>([
  ['a page', `GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`, 200, null],
  ['HEAD', `HEAD /openapi.json HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`, 200, null],
  ['HTTP/1.0', 'GET /openapi.json HTTP/1.0\r\n\r\n', 200, null],
  [
    'a preflight',
    `OPTIONS /orders/api/day HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    204,
    null,
  ],
  [
    'an upgrade',
    `GET / HTTP/1.1\r\n${HOST}Connection: upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
    200,
    null,
  ],
  ['no HTTP', 'HELO mail.example\r\n\r\n', 400, null],
  ['the start of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, null],
  ['a HEAD that is no HTTP', 'HEAD / HTTP/1.1\r\nbad header\r\n\r\n', 400, null],
  ['a long head', `GET / HTTP/1.1\r\n${HOST}X: ${LONG}\r\n\r\n`, 431, null],
  ['CONNECT', `CONNECT b:443 HTTP/1.1\r\n${HOST}\r\n`, 400, null],
  ['half a head', `GET / HTTP/1.1\r\n${HOST}`, 408, { headMs: 200 }],
  ['no capacity', `GET / HTTP/1.1\r\n${HOST}\r\n`, 503, { connections: 0 }],
])(
  '%s has Date, Strict-Transport-Security and all other constant headers',
  async (_what, text, status, connections) => {
    const limited = connections && (await startTestApi({ connections, coversSubdomains: true }))
    const { port } = limited ?? covering
    const response = readResponse(await sendRaw(port, text, true))
    expect(response.status).toBe(status)
    if (status >= 400 && !text.startsWith('HEAD')) {
      const { code } = JSON.parse(response.body).error
      expect(ERRORS.find(row => row.code === code)!.status).toBe(status)
    }
    const covered = new Map([...OPEN, [YEAR[0], `${YEAR[1]}; includeSubDomains`]])
    for (const [header, value] of covered) {
      expect([header, response.headers.get(header)]).toEqual([header, value])
    }
    const date = response.headers.get('date')!
    expect(date).toBe(new Date(Date.parse(date)).toUTCString())
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    await limited?.close()
  },
)
