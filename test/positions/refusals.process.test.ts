import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CallOptions, sendRaw, startTestApi, type TestApi } from '../support/api.ts'

// Every way a call of the positions API is refused, and in which order.

let api: TestApi
const PATH = '/api/positions'
const STRANGLE = { kind: 'strangle', legs: { sp: 5950, sc: 6050 }, entry: '10:30' }

beforeEach(async () => {
  api = await startTestApi()
})
afterEach(() => api.close())

const send = (body: string, options: CallOptions = {}) =>
  api.call(PATH, { method: 'POST', body, ...options })
const added = JSON.stringify({ op: 'add', position: STRANGLE })

test.each([
  ['', 'bad_json', 'the body is empty; send an object such as {"op": "remove", "position": {'],
  ['{"op": "add",', 'bad_json', 'the body is not JSON; send an object such as'],
  ['[]', 'bad_json', 'the body is an empty list; send an object such as'],
  ['12', 'bad_json', 'the body is 12; send an object such as'],
  ['{"op": "add"} {}', 'bad_json', 'the body is not JSON;'],
  ['{}', 'bad_op', 'op is missing; give one of add, update, remove.'],
  ['{"op": "Add"}', 'bad_op', 'op is "Add"; give one of add, update, remove.'],
  ['{"op": ["add"]}', 'bad_op', 'op is a list; give one of'],
  ['{"op": "add"}', 'invalid', 'position is missing; give an object such as {"kind":'],
  ['{"op": "add", "position": []}', 'invalid', 'position is an empty list; give an object such as'],
  [
    '{"op": "add", "position": {}, "x": 1}',
    'invalid',
    'x is unknown; the fields are op, position.',
  ],
  ['{"op": "update", "position": {}}', 'invalid', 'position.id is missing; give the id that add'],
  ['{"op": "remove", "position": {"id": 7}}', 'invalid', 'position.id is 7; give the id that add'],
  ['{"op": "remove", "position": {"id": ""}}', 'not_found', 'this account keeps no position with'],
  [
    '{"op": "update", "position": {"id": "p_0"}}',
    'not_found',
    'this account keeps no position with',
  ],
])('the body %s is refused: %s', async (body, code, message) => {
  const { status, json } = await send(body)
  expect(json.error.code).toBe(code)
  expect(json.error.message.slice(0, message.length)).toBe(message)
  expect(status).toBe(code === 'not_found' ? 404 : 400)
})

test('a body that is no UTF-8 is no JSON; one over 16 KiB is 413, however large', async () => {
  const broken = await api.call(PATH, { method: 'POST', body: Buffer.from([0x7b, 0xff, 0x7d]) })
  expect(broken.json.error).toEqual({
    code: 'bad_json',
    message: 'the body is not UTF-8; send JSON as UTF-8.',
  })
  const padded = (size: number) => added + ' '.repeat(size - added.length)
  expect((await send(padded(16_384))).status).toBe(200)
  for (const size of [16_385, 900_000]) {
    const { status, json } = await send(padded(size))
    expect([status, json.error.code]).toEqual([413, 'body_too_large'])
  }
  const deep = await send('['.repeat(8_000) + ']'.repeat(8_000))
  expect(deep.json.error.code).toBe('bad_json')
  const inside = `{"op": "add", "position": {"legs": ${'{"lp":'.repeat(2000)}1${'}'.repeat(2000)}}}`
  expect((await send(inside)).json.error).toEqual({
    code: 'bad_json',
    message: expect.stringMatching(
      /^the body is nested over 64 levels deep; send an object such as/,
    ),
  })
})

test.each(['HEAD', 'PUT', 'PATCH', 'DELETE'])('%s is 405 and names GET and POST', async method => {
  const { status, headers, json } = await api.call(PATH, { method })
  expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS'])
  if (method !== 'HEAD') {
    expect(json.error).toEqual({
      code: 'method',
      message: `this endpoint takes GET and POST, not ${method}.`,
    })
  }
})

test('a browser may send POST with a key of its own; the preflight needs none', async () => {
  const { status, headers } = await api.call(PATH, { method: 'OPTIONS', key: null })
  expect([status, headers.get('access-control-allow-methods')]).toEqual([204, 'GET, POST, OPTIONS'])
  for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key']) {
    expect(headers.get('access-control-allow-headers')).toContain(name)
  }
})

test.each([
  // the positions API has one code for what is not there
  ['/api/positions/', 'not_found'],
  ['/api/positions/x', 'not_found'],
  ['/api/positions/x/?id=p_1', 'not_found'],
  ['/api/positions/p_1/check', 'not_found'],
  ['/api/positions/check/', 'not_found'],
  ['/api/positions/Check', 'not_found'],
  ['/api/positions//', 'not_found'],
  ['/api/positionsx', 'no_route'],
  ['/api/Positions', 'no_route'],
  ['/api/', 'no_route'],
])('there is no endpoint %s: 404 %s, by any method', async (path, code) => {
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PROPFIND']) {
    const { status, json, headers } = await api.call(path, { method })
    expect([method, status, headers.has('allow')]).toEqual([method, 404, false])
    if (method === 'HEAD') continue
    const message = `there is no endpoint ${JSON.stringify(path.split('?')[0])}; see /docs.`
    expect(json.error).toEqual({ code, message })
  }
})

test('without a key nothing reveals which paths there are', async () => {
  for (const path of [PATH, `${PATH}/x`, `${PATH}/check`]) {
    expect((await api.call(path, { key: null })).status).toBe(401)
  }
})

test('the order of refusals: key, plan, count, path and method, body, id', async () => {
  const readCode = async (options: CallOptions) => {
    const response = await send('{', options)
    return [response.status, response.json.error.code]
  }
  const { key, accountId } = await api.newKey('none')
  expect(await readCode({ key: null, method: 'PUT' })).toEqual([401, 'no_key'])
  await api.accounts.countCalls([
    { accountId, product: 'orders', dayEt: '2026-10-14', calls: 20_000 },
  ])
  expect(await readCode({ key, method: 'PUT' })).toEqual([403, 'plan'])
  await api.setPlan(accountId, 'orders')
  expect(await readCode({ key, method: 'PUT' })).toEqual([429, 'rate'])
  api.clock.atMs += 86_400_000
  expect(await readCode({ key, method: 'PUT' })).toEqual([405, 'method'])
  expect(await readCode({ key })).toEqual([400, 'bad_json'])
  const lab = await api.newKey('orders', 'lab')
  expect((await api.call(PATH, { key: lab.key })).status).toBe(401)
})

test('calls of both APIs are counted together, refused ones too', async () => {
  const left = async (path: string) => {
    const { headers } = await api.call(path)
    return Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1])
  }
  const before = await left('/orders/api/sessions')
  await send('{')
  await send(added)
  await api.call(`${PATH}?id=p_0`)
  await api.call(PATH, { method: 'DELETE' })
  expect(before - (await left(PATH))).toBe(5)
  await api.call(PATH, { key: null })
  expect(before - (await left('/orders/api/sessions'))).toBe(6)
})

test.each([
  ['of no character', '', 0],
  ['of 256 characters', 'x'.repeat(256), 256],
  ['with a tab in it', 'a\tb', 3],
])('an Idempotency-Key %s is refused', async (_, repeatKey, length) => {
  const { status, json } = await send(added, { headers: { 'idempotency-key': repeatKey } })
  expect([status, json.error.code]).toEqual([400, 'invalid'])
  expect(json.error.message).toBe(
    `the Idempotency-Key header has ${length} characters; ` +
      'give 1 to 255 printable ones of ASCII, such as a UUID.',
  )
})

test('a body that ends before its length changes nothing and is no failure of ours', async () => {
  const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.key}\r\n`
  const response = await sendRaw(api.port, `${head}Content-Length: 900\r\n\r\n${added}`)
  expect(response === '' || /^HTTP\/1\.1 400 /.test(response)).toBe(true)
  expect((await api.call(PATH)).json.positions).toEqual([])
  expect(api.logged.filter(line => line.message === 'internal')).toEqual([])
})

test('a query that a change has is named as ignored', async () => {
  const { headers } = await api.call(`${PATH}?dry_run=1`, { method: 'POST', body: added })
  expect(headers.get('x-ignored-params')).toBe('dry_run')
})
