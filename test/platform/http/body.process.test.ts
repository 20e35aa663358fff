import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'

// Headers of a body.

let api: TestApi
const REMOVAL = '{"op": "remove", "position": {"id": "p_0"}}'

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const send = (headers: Record<string, string>, body: string | Buffer = REMOVAL) =>
  api.call('/api/positions', { method: 'POST', body, headers })

test.each([
  ['identity', false],
  ['Identity', false],
  ['identity, identity', false],
  [' ', false],
  ['gzip', true],
  ['GZIP', true],
  ['x-gzip', true],
  ['br', true],
  ['deflate', true],
  ['zstd', true],
  ['compress', true],
  ['aes128gcm', true],
  ['nothing-of-the-kind', true],
  ['identity, gzip', true],
  ['*', true],
])('a body of Content-Encoding "%s" is refused: %s', async (encoding, isRefused) => {
  const { status, json, headers } = await send({ 'content-encoding': encoding })
  if (!isRefused) return expect(json.error.code).toBe('not_found')
  expect(status).toBe(415)
  expect(json.error).toEqual({
    code: 'unsupported_media_type',
    message: `Content-Encoding is "${encoding}"; send the body uncompressed, without it.`,
  })
  expect(headers.get('accept-encoding')).toBe('identity')
})

test.each([
  ['application/json', false],
  ['application/json; charset=utf-8', false],
  ['APPLICATION/JSON;CHARSET="UTF-8"', false],
  ['application/json;charset=utf8', false],
  ['application/json;', false],
  // curl and browsers send these when nobody says what the body is
  ['application/x-www-form-urlencoded', false],
  ['text/plain;charset=UTF-8', false],
  ['x', false],
  ['application/json;version=2', true],
  ['application/json; charset=utf-8; version=2', true],
  ['application/json; charset=utf-16', true],
  ['application/json; charset=latin1', true],
  ['application/json; profile="x"', true],
])('a body of Content-Type %s is refused: %s', async (type, isRefused) => {
  const { status, json } = await send({ 'content-type': type })
  if (!isRefused) return expect(json.error.code).toBe('not_found')
  expect(status).toBe(415)
  expect(json.error).toEqual({
    code: 'unsupported_media_type',
    message: `Content-Type is ${quoted(type)}; send application/json, which is UTF-8.`,
  })
})

test('a body without a Content-Type is JSON', async () => {
  expect((await send({})).json.error.code).toBe('not_found')
})

test('how a body is sent is judged before its size, and that before what it says', async () => {
  const large = 'x'.repeat(20_000)
  const encoded = { 'content-encoding': 'gzip' }
  const findCode = async (headers: Record<string, string>, body: string | Buffer) =>
    (await send(headers, body)).json.error.code
  expect(await findCode(encoded, large)).toBe('unsupported_media_type')
  expect(await findCode(encoded, gzipSync(REMOVAL))).toBe('unsupported_media_type')
  expect(await findCode({}, large)).toBe('body_too_large')
  expect(await findCode({}, 'x')).toBe('bad_json')
})

test('the encoding of a request that has no use for a body does not matter', async () => {
  const headers = { 'content-encoding': 'gzip', 'content-length': '1' }
  expect((await api.call('/api/positions', { headers, body: 'x' })).status).toBe(200)
  expect((await api.call('/health', { headers, body: 'x' })).status).toBe(200)
})

const quoted = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
