// The headers that are the same for every response are sent once each, whatever else is sent.

import { expect, test } from 'vitest'
import {
  OPEN_HEADERS,
  POLICY_OF_DOCS,
  PRIVATE_HEADERS,
  SECURITY_HEADERS,
} from '../../../src/platform/http/headers.ts'
import { startTestApi } from '../../support/api.ts'

const YEAR = ['strict-transport-security', 'max-age=31536000'] as const
const byName = (headers: ReadonlyMap<string, string>) =>
  new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]))
const COMMON = new Map([...byName(SECURITY_HEADERS), YEAR])
const OPEN = new Map([...COMMON, ...OPEN_HEADERS])
const DOCS = new Map([...OPEN, ['content-security-policy', POLICY_OF_DOCS]])
const PRIVATE = new Map([...COMMON, ...PRIVATE_HEADERS])

test.each([
  ['GET', '/health', OPEN],
  ['HEAD', '/openapi.json', OPEN],
  ['OPTIONS', '/orders/api/day', OPEN],
  ['GET', '/orders/api/day', OPEN],
  ['POST', '/orders/api/day', OPEN],
  ['GET', '/none', OPEN],
  ['GET', '/docs', DOCS],
  ['GET', '/sessions/none', PRIVATE],
])('%s %s sends each of them once, and a handler may replace one', async (method, path, wanted) => {
  const api = await startTestApi()
  const { headers } = await api.call(path, { method, key: null })
  // a name that is sent twice has both values here
  const names = new Set([...OPEN.keys(), ...wanted.keys()])
  const sent = [...names].flatMap(name => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  expect(new Map(sent)).toEqual(wanted)
  await api.close()
})

test('a response that the client has already sends them too', async () => {
  const api = await startTestApi()
  const first = await api.call('/openapi.json', { key: null })
  const etag = first.headers.get('etag')!
  const again = await api.call('/openapi.json', { key: null, headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
  for (const [name, value] of OPEN) expect([name, again.headers.get(name)]).toEqual([name, value])
  await api.close()
})
