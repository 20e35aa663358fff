import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallOptions, sendRaw, startTestApi, type TestApi } from '../support/api.ts'

// Bodies that the positions API refuses, in words.

let api: TestApi
const PATH = '/api/positions'
const STRANGLE = { kind: 'strangle', legs: { sp: 5950, sc: 6050 }, entry: '10:30' }

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const send = (body: string, options: CallOptions = {}) =>
  api.call(PATH, { method: 'POST', body, ...options })
const added = JSON.stringify({ op: 'add', position: STRANGLE })

test.each([
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

test('a body that ends before its length changes nothing and is no failure of ours', async () => {
  const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.key}\r\n`
  const response = await sendRaw(api.port, `${head}Content-Length: 900\r\n\r\n${added}`)
  expect(response === '' || /^HTTP\/1\.1 400 /.test(response)).toBe(true)
  expect((await api.call(PATH)).json.positions).toEqual([])
  expect(api.logged.filter(line => line.message === 'internal')).toEqual([])
})
