import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createHttpServer } from '../../../src/platform/http/server.ts'

const unused = (_req: IncomingMessage, _res: ServerResponse) => {
  throw new Error('no request gets this far')
}
const open = () => createHttpServer(unused, pino({ level: 'silent' }))

test.each([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'GET /', '408 Request Timeout', 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 'GET /', '431 Request Header Fields Too Large', 'headers_too_large'],
  ['HPE_INVALID_URL', 'GET /', '400 Bad Request', 'bad_request'],
])('the parser error %s is returned in the envelope', async (code, packet, status, expected) => {
  const socket = new PassThrough()
  const cause = Object.assign(new Error(code), { code, rawPacket: Buffer.from(packet) })
  open().emit('clientError', cause, socket)
  const [head, body] = (await text(socket)).split('\r\n\r\n') as [string, string]
  expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`)
  expect(head).toContain('Connection: close')
  expect(JSON.parse(body).error.code).toBe(expected)
})

test('a refused HEAD has the length of the body, and no body', async () => {
  const socket = new PassThrough()
  const rawPacket = Buffer.from('HEAD /\xff HTTP/1.1\r\n\r\n', 'latin1')
  const cause = Object.assign(new Error('x'), { code: 'HPE_INVALID_URL', rawPacket })
  open().emit('clientError', cause, socket)
  const response = await text(socket)
  expect(response).toMatch(/Content-Length: [1-9]/)
  expect(response.endsWith('\r\n\r\n')).toBe(true)
})

test('a socket that its client left, or that has half a response, is dropped', () => {
  const left = new PassThrough()
  open().emit('clientError', Object.assign(new Error('x'), { code: 'ECONNRESET' }), left)
  const responding = Object.assign(new PassThrough(), { _httpMessage: { headersSent: true } })
  open().emit('clientError', Object.assign(new Error('x'), { code: 'HPE_X' }), responding)
  expect([left.destroyed, responding.destroyed]).toEqual([true, true])
  expect(responding.read()).toBeNull()
})
