// Bytes on the wire, message by message, for both revisions.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRaw, startTestApi, type TestApi } from '../support/api.ts'
import { type Json, modern, PATH } from '../support/mcp.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

type Sent = {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: string | null
  readonly method?: string
  readonly path?: string
}
const send = async ({ body = {}, headers = {}, key = api.key, path = PATH, ...sent }: Sent) => {
  const { method = 'POST' } = sent
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    answer: response,
    status: response.status,
    json: text === '' ? null : (JSON.parse(text) as Json),
  }
}

const old = (method: string, params: object = {}, version: string | null = '2025-11-25') => ({
  body: { jsonrpc: '2.0', id: 1, method, params },
  headers: (version === null ? {} : { 'mcp-protocol-version': version }) as Record<string, string>,
})
const hello = (protocolVersion: string) =>
  old(
    'initialize',
    { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    null,
  )

test('2026-07-28: discovery, list and call need no session and are typed', async () => {
  const found = await send(modern('server/discover'))
  expect([found.status, found.answer.headers.get('mcp-session-id')]).toEqual([200, null])
  expect(found.json.result).toMatchObject({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
  })
  const list = (await send(modern('tools/list'))).json.result
  expect(list).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' })
  expect(list.tools[0]).toMatchObject({
    name: 'orders_sessions',
    annotations: { readOnlyHint: true },
  })
  for (const tool of list.tools) {
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(tool.outputSchema.required).toEqual(
      expect.arrayContaining(['summary', 'total', 'next_cursor']),
    )
  }
  const called = await send(modern('tools/call', { name: 'orders_sessions', arguments: {} }))
  expect(called.json.result).toMatchObject({
    resultType: 'complete',
    structuredContent: { total: 0 },
  })
  expect(called.answer.headers.get('ratelimit')).toMatch(/r=19999/)
})

test('2025-11-25: handshake, ping, list and call are served without a session', async () => {
  const begun = await send(hello('2025-11-25'))
  expect([begun.status, begun.answer.headers.get('mcp-session-id')]).toEqual([200, null])
  expect(begun.answer.headers.get('content-type')).toContain('application/json')
  expect(begun.json.result).toMatchObject({
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'tapefold-orders' },
  })
  expect(
    (await send({ body: { jsonrpc: '2.0', method: 'notifications/initialized' } })).status,
  ).toBe(202)
  expect((await send(old('ping'))).json.result).toEqual({})
  expect((await send(old('tools/list'))).json.result.tools).toHaveLength(8)
  const called = await send(old('tools/call', { name: 'orders_sessions', arguments: {} }))
  expect(called.json.result.structuredContent.total).toBe(0)
})

test('another revision is refused with -32022 and the list of those spoken', async () => {
  const supported = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
  for (const version of ['2024-10-07', '2025-06-19', '2027-01-01', 'x'.repeat(99)]) {
    for (const sent of [old('tools/list', {}, version), modern('tools/list', {}, version)]) {
      const { status, json } = await send(sent)
      expect([status, json.error.code, json.error.data.supported]).toEqual([400, -32022, supported])
      expect([json.id, json.error.message.includes('this server speaks')]).toEqual([1, true])
    }
  }
  // the older handshake is one of choosing: another revision gets the newest that has it
  for (const version of ['2024-10-07', '2026-07-28', '2027-01-01']) {
    expect((await send(hello(version))).json.result.protocolVersion).toBe('2025-11-25')
  }
})

const TITLED = ['annotations', 'description', 'inputSchema', 'name', 'outputSchema', 'title']
const OLDEST = ['description', 'inputSchema', 'name']

test.each([
  ['2025-06-18', TITLED, ['content', 'structuredContent'], ['name', 'title', 'version']],
  ['2025-03-26', ['annotations', ...OLDEST], ['content'], ['name', 'version']],
  ['2024-11-05', OLDEST, ['content'], ['name', 'version']],
])('%s is agreed on, then taken in the header, with what it has', async (version, ...wanted) => {
  const [toolKeys, resultKeys, infoKeys] = wanted
  for (const [path, key, tool] of [
    [PATH, api.key, 'orders_sessions'],
    ['/mcp', (await api.newKey('lab', 'lab')).key, 'lab_vocabulary'],
  ] as const) {
    const begun = (await send({ ...hello(version), path, key })).json.result
    expect([begun.protocolVersion, Object.keys(begun.serverInfo).toSorted()]).toEqual([
      version,
      infoKeys,
    ])
    const listed = (await send({ ...old('tools/list', {}, version), path, key })).json.result
    for (const one of listed.tools) expect(Object.keys(one).toSorted()).toEqual(toolKeys)
    const call = old('tools/call', { name: tool, arguments: {} }, version)
    const { result } = (await send({ ...call, path, key })).json
    expect(Object.keys(result).toSorted()).toEqual(resultKeys)
    expect(JSON.parse(result.content[0].text).total).toEqual(expect.any(Number))
  }
})

test('a call without the header is of 2025-03-26, the last revision that had none', async () => {
  const [tool] = (await send(old('tools/list', {}, null))).json.result.tools
  expect([tool.title, tool.outputSchema]).toEqual([undefined, undefined])
  expect(tool.annotations).toMatchObject({
    title: 'Sessions that have a ledger',
    readOnlyHint: true,
  })
})

test('2025-03-26 takes a list of messages, each call of which counts', async () => {
  const ping = { jsonrpc: '2.0', id: 'a', method: 'ping' }
  const notice = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const params = { name: 'orders_sessions', arguments: {} }
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })
  const key = (await api.newKey('orders', 'orders')).key
  const sendList = (body: unknown, version: string | null = '2025-03-26') => {
    const headers: Record<string, string> =
      version === null ? {} : { 'mcp-protocol-version': version }
    return send({ body, key, headers })
  }
  for (const version of ['2025-03-26', null]) {
    const { status, json } = await sendList([ping, notice, call(7), [ping], 5, call(8)], version)
    expect(status).toBe(200)
    expect(json.map(({ id, error }: Json) => [id, error?.code])).toEqual([
      ['a', undefined],
      [7, undefined],
      [null, -32600],
      [null, -32600],
      [8, undefined],
    ])
    expect(json[1].result.content[0].text).toContain('"total":0')
  }
  const counted = await send({ ...old('tools/call', params), key })
  expect(counted.answer.headers.get('ratelimit')).toMatch(/r=19995/)
  const silent = await sendList([notice, notice])
  expect([silent.status, silent.json]).toEqual([202, null])
  const hidden = (await sendList([hello('2025-03-26').body, ping])).json
  expect([hidden[0].error.message, hidden[1].id]).toEqual([
    'initialize is in a list; send it alone.',
    'a',
  ])
  for (const [list, version] of [
    [[], '2025-03-26'],
    [Array(33).fill(ping), '2025-03-26'],
    ...['2026-07-28', '2025-11-25', '2025-06-18', '2024-11-05'].map(one => [[ping], one] as const),
  ] as const) {
    const { status, json } = await sendList(list, version)
    expect([version, status, json.error.code]).toEqual([version, 400, -32600])
  }
})

test('what a client accepts is judged by JSON alone: there are no streams', async () => {
  for (const message of [hello('2025-11-25'), old('tools/list'), modern('tools/list')]) {
    for (const accept of ['*/*', 'application/*', 'application/json', 'text/html, */*;q=0.1']) {
      const { status, answer: response } = await send({
        ...message,
        headers: { ...message.headers, accept },
      })
      expect([accept, status]).toEqual([accept, 200])
      expect(response.headers.get('content-type')).toContain('application/json')
    }
    for (const accept of ['text/event-stream', 'text/html', 'application/json;q=0']) {
      const { status, json } = await send({ ...message, headers: { ...message.headers, accept } })
      expect([accept, status, json.id]).toEqual([accept, 406, message.body.id])
      expect(json.error).toEqual({
        code: -32000,
        message: `Accept is "${accept}"; this endpoint answers application/json.`,
      })
    }
  }
})

test('a call without the header Accept is served', async () => {
  const text = JSON.stringify(old('tools/list').body)
  const lines = [
    `POST ${PATH} HTTP/1.1`,
    `Host: 127.0.0.1:${api.port}`,
    'Connection: close',
    `Authorization: Bearer ${api.key}`,
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
  ]
  const heard = await sendRaw(api.port, `${lines.join('\r\n')}\r\n\r\n${text}`)
  expect([heard.split(' ')[1], heard.includes('orders_sessions')]).toEqual(['200', true])
})

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

test.each([
  ['a body that is no JSON', { body: '{' }, 400, -32700],
  ['a number', { body: '7' }, 400, -32700],
  ['an empty list of messages', { body: [] }, 400, -32600],
  ['lists in 5,000 lists', { body: nested(5_000) }, 400, -32700],
  ['a list in a list of 64', { body: nested(65) }, 400, -32700],
  ['lists in 64 lists', { body: nested(64) }, 200, undefined],
  ['a method there is not', modern('tools/burn'), 404, -32601],
  ['a tool there is not', modern('tools/call', { name: 'burn' }), 200, -32602],
  [
    'a header that says another revision',
    {
      ...modern('tools/list'),
      headers: { 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'tools/list' },
    },
    400,
    -32020,
  ],
  [
    'a header that says another method',
    {
      ...modern('tools/list'),
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
    },
    400,
    -32020,
  ],
] as [string, Sent, number, number | undefined][])(
  '%s is refused',
  async (_, sent, status, code) => {
    const response = await send(sent)
    expect([response.status, response.json.error?.code]).toEqual([status, code])
  },
)

test('what is below the path is not there, and no stream is opened', async () => {
  for (const path of [`${PATH}/`, `${PATH}/x`]) {
    const { status, json } = await api.call(path, { method: 'POST', body: '{}' })
    expect([status, json.error.code]).toEqual([404, 'no_route'])
  }
  const { json } = await send(modern('subscriptions/listen', { notifications: {} }))
  expect(json.error.code).toBe(-32603)
})

test('GET and DELETE are 405: there is no stream and no session', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, json, answer: response } = await send({ method })
    expect([status, json.error.code]).toEqual([405, 'method'])
    expect(response.headers.get('allow')).toBe('POST, OPTIONS')
  }
})

test('without a key of its scope: 401, our envelope, and where to read what it needs', async () => {
  const { key: live } = await api.newKey('live', 'live')
  for (const key of [null, 'ordk_x', live]) {
    const { status, json, answer: response } = await send({ ...modern('tools/list'), key })
    expect([status, json.error.code]).toEqual([401, 'no_key'])
    const challenge = response.headers.get('www-authenticate')!
    const url = `${api.url}/.well-known/oauth-protected-resource${PATH}`
    expect(challenge).toBe(`Bearer scope="orders", resource_metadata="${url}"`)
  }
  const { status } = await send({ ...modern('tools/list'), key: null, headers: { cookie: 'a=b' } })
  expect(status).toBe(401)
  // no key is read of an address
  const requested = await fetch(`${api.url}${PATH}?key=${api.key}`, { method: 'POST', body: '{}' })
  expect(requested.status).toBe(401)
})

test('the metadata name an issuer only where there is one', async () => {
  const read = async (url: string) =>
    (await (await fetch(`${url}/.well-known/oauth-protected-resource${PATH}`)).json()) as Json
  expect(await read(api.url)).toEqual({
    resource: `${api.url}${PATH}`,
    scopes_supported: ['orders'],
    bearer_methods_supported: ['header'],
    resource_name: 'Tapefold orders',
    resource_documentation: `${api.url}/docs`,
  })
  const oauthIssuer = 'https://login.example'
  const other = await startTestApi({ oauthIssuer, publicUrl: 'https://tapefold.example' })
  expect(await read(other.url)).toMatchObject({
    resource: `https://tapefold.example${PATH}`,
    authorization_servers: [oauthIssuer],
  })
  await other.close()
})

test('a Host or an Origin of another site is 403, before the key is looked at', async () => {
  const { body, headers } = modern('tools/list')
  const by = async (host: string, origin?: string, key: string | null = api.key) => {
    const text = JSON.stringify(body)
    const lines = [
      `POST ${PATH} HTTP/1.1`,
      `Host: ${host}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${text.length}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(key === null ? [] : [`Authorization: Bearer ${key}`]),
      ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    ]
    const heard = await sendRaw(
      api.port,
      `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${text}`,
    )
    return Number(heard.split(' ')[1])
  }
  const own = `127.0.0.1:${api.port}`
  for (const host of [own, 'localhost', 'localhost:8080', '[::1]:1', '10.0.0.7:8080']) {
    expect([host, await by(host)]).toEqual([host, 200])
  }
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a@b',
    'x y',
  ]) {
    expect([host, await by(host)]).toEqual([host, 403])
  }
  for (const origin of ['http://localhost:3000', `http://${own}`, 'https://[::1]']) {
    expect([origin, await by(own, origin)]).toEqual([origin, 200])
  }
  for (const origin of [
    'https://evil.example',
    'null',
    'http://10.0.0.7',
    'file://localhost',
    'x',
  ]) {
    expect([origin, await by(own, origin)]).toEqual([origin, 403])
  }
  expect(await by('evil.example', undefined, null)).toBe(403)
})
