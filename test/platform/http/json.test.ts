import { gunzipSync, gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'
import { afterEach, expect, test, vi } from 'vitest'
import { sha256 } from '../../../src/core/disk/files.ts'
import { sendJson } from '../../../src/platform/http/json.ts'

vi.mock('node:zlib', async original => {
  const real = await original<typeof import('node:zlib')>()
  return { ...real, gzipSync: vi.fn(real.gzipSync) }
})
afterEach(() => vi.clearAllMocks())

/** The response that a client of an account gets for a text, by its Accept-Encoding. */
async function send(text: string, acceptEncoding: string, accountId = 'a') {
  const headers: Record<string, string | number> = {}
  const ended = Promise.withResolvers<Buffer>()
  const res = {
    locals: { context: { accountId } },
    setHeader: (name: string, value: string | number) => {
      headers[name] = value
    },
    writeHead: () => {},
    end: (body: Uint8Array | string) => ended.resolve(Buffer.from(body as string, 'latin1')),
  }
  const req = { headers: { 'accept-encoding': acceptEncoding } }
  sendJson(req as unknown as Request, res as unknown as Response, text)
  return { headers, body: await ended.promise }
}

const bodyOf = (letter: string) => JSON.stringify({ text: letter.repeat(2_000) })

test('a body sent 300 times to 3 accounts is compressed once, to the bytes of gzip', async () => {
  const text = bodyOf('x')
  const responses = []
  for (let at = 0; at < 300; at++) responses.push(await send(text, 'gzip', `account ${at % 3}`))
  expect(gzipSync).toHaveBeenCalledTimes(1)
  const expected = gzipSync(Buffer.from(text))
  for (const { headers, body } of responses) {
    expect(body.equals(expected)).toBe(true)
    expect(headers).toMatchObject({
      etag: `"${sha256(expected).slice(0, 32)}"`,
      'content-encoding': 'gzip',
      'content-length': expected.byteLength,
      vary: 'Accept, Accept-Encoding, Authorization',
    })
  }
})

test('a client that takes no gzip gets the text, and another text has bytes of its own', async () => {
  const [plain, other] = [bodyOf('y'), bodyOf('z')]
  const packed = await send(plain, 'gzip')
  expect(gunzipSync((await send(other, 'gzip')).body).toString()).toBe(other)
  const { headers, body } = await send(plain, 'gzip;q=0')
  expect(body.toString()).toBe(plain)
  expect(headers['content-encoding']).toBeUndefined()
  expect(headers.etag).not.toBe(packed.headers.etag)
  expect(gzipSync).toHaveBeenCalledTimes(2)
})
