import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'

// Unread bodies: the response always arrives, and little of them is taken.

const MIB = 1_048_576
const PIECE = Buffer.alloc(65_536, ' ')
const PATH = '/api/positions'
const REMOVAL = '{"op": "remove", "position": {"id": "p_0"}}'

let api: TestApi
const sockets = new Set<Socket>()

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await api.close()
})

type Sent = {
  readonly method?: string
  readonly path?: string
  readonly isKeyed: boolean
  readonly length: number
  readonly isChunked?: boolean
  readonly headers?: string
}

const findHead = ({ method = 'POST', path = PATH, isKeyed, length, isChunked, headers }: Sent) => {
  const key = isKeyed ? `Authorization: Bearer ${api.key}\r\n` : ''
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  return `${method} ${path} HTTP/1.1\r\nHost: a\r\n${key}${headers ?? ''}${framing}\r\n\r\n`
}

type Heard = {
  readonly text: () => string
  readonly closed: Promise<void>
  readonly socket: Socket
}

/** A connection, and what was heard on it so far. */
async function open({ isDeaf }: { isDeaf: boolean }): Promise<Heard> {
  const socket = connect(api.port, '127.0.0.1')
  sockets.add(socket)
  await new Promise(resolve => socket.once('connect', resolve))
  const chunks: Buffer[] = []
  if (isDeaf) socket.pause()
  socket.on('data', chunk => chunks.push(chunk))
  if (isDeaf) socket.pause()
  const closed = new Promise<void>(resolve => socket.on('close', () => resolve()))
  socket.on('error', () => {})
  return { socket, closed, text: () => Buffer.concat(chunks).toString('latin1') }
}

/** Resolves once the system has taken the bytes; false when the connection ended. */
const write = (socket: Socket, bytes: Buffer | string): Promise<boolean> =>
  new Promise(resolve => {
    if (socket.destroyed) return resolve(false)
    const end = () => resolve(false)
    socket.once('close', end)
    socket.write(bytes, error => {
      socket.off('close', end)
      resolve(!error)
    })
  })

/** Sends a body in pieces until it is whole or the connection ends; the bytes that were taken. */
async function writeBody(socket: Socket, { length, isChunked }: Sent): Promise<number> {
  let taken = 0
  while (taken < length) {
    const piece = PIECE.subarray(0, Math.min(PIECE.byteLength, length - taken))
    const size = `${piece.byteLength.toString(16)}\r\n`
    const bytes = isChunked ? Buffer.concat([Buffer.from(size), piece, Buffer.from('\r\n')]) : piece
    if (!(await write(socket, bytes))) return taken
    taken += piece.byteLength
  }
  if (isChunked) await write(socket, '0\r\n\r\n')
  return taken
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 10))
}

const isWhole = (text: string): boolean => {
  const [head, body] = text.split('\r\n\r\n')
  const length = /^content-length: (\d+)/im.exec(head!)?.[1]
  return body !== undefined && body.length >= Number(length ?? 0)
}
const listStatus = (text: string): number => Number(/^HTTP\/1\.1 (\d+) /.exec(text)?.[1])
const findCode = (text: string): string => JSON.parse(text.split('\r\n\r\n')[1]!).error.code

// a client that first sends all of its body and only then looks for a response
test.each<[number, string, Sent]>([
  [401, 'no_key', { isKeyed: false, length: 300 }],
  [401, 'no_key', { isKeyed: false, length: 20_000 }],
  [401, 'no_key', { isKeyed: false, length: MIB }],
  [401, 'no_key', { isKeyed: false, length: MIB / 2, isChunked: true }],
  [401, 'no_key', { isKeyed: false, length: MIB, path: '/orders/api/latest', method: 'GET' }],
  [404, 'no_route', { isKeyed: false, length: MIB, path: '/nothing' }],
  [405, 'method', { isKeyed: false, length: MIB, path: '/health', method: 'PUT' }],
  [405, 'method', { isKeyed: true, length: 2 * MIB, method: 'PUT' }],
  [413, 'body_too_large', { isKeyed: true, length: 16_385 }],
  [413, 'body_too_large', { isKeyed: true, length: 16_385, isChunked: true }],
  [413, 'body_too_large', { isKeyed: true, length: MIB + 1 }],
  [413, 'body_too_large', { isKeyed: true, length: 2 * MIB, isChunked: true }],
  [413, 'body_too_large', { isKeyed: true, length: 5 * MIB }],
  [413, 'body_too_large', { isKeyed: true, length: 12 * MIB }],
  [413, 'body_too_large', { isKeyed: true, length: 12 * MIB, isChunked: true }],
  [
    415,
    'unsupported_media_type',
    { isKeyed: true, length: 5 * MIB, headers: 'Content-Encoding: gzip\r\n' },
  ],
])('%i %s comes to a client that sends all of %o first', async (status, code, sent) => {
  for (let again = 0; again < 5; again++) {
    const { socket, text } = await open({ isDeaf: true })
    await write(socket, findHead(sent))
    expect(await writeBody(socket, sent)).toBe(sent.length)
    socket.resume()
    await until(() => isWhole(text()))
    expect([listStatus(text()), findCode(text())]).toEqual([status, code])
    socket.destroy()
  }
})

test.each<[number, Sent]>([
  [401, { isKeyed: false, length: 100 * MIB }],
  [401, { isKeyed: false, length: 100 * MIB, isChunked: true }],
  [404, { isKeyed: false, length: 100 * MIB, path: '/nothing' }],
  [204, { isKeyed: false, length: 100 * MIB, method: 'OPTIONS' }],
  [413, { isKeyed: true, length: 100 * MIB }],
  [413, { isKeyed: true, length: 100 * MIB, isChunked: true }],
  [200, { isKeyed: true, length: 100 * MIB, path: '/orders/api/sessions', method: 'GET' }],
])('%i is answered before %o is sent, of which little is taken', async (status, sent) => {
  const { socket, text, closed } = await open({ isDeaf: false })
  await write(socket, findHead(sent))
  await write(socket, sent.isChunked ? `${(20_000).toString(16)}\r\n${' '.repeat(20_000)}\r\n` : '')
  await until(() => isWhole(text()))
  expect(listStatus(text())).toBe(status)
  expect(text()).toMatch(/^connection: close\r$/im)
  // a client that goes on all the same: the buffers of both systems take more than the server
  expect(await writeBody(socket, sent)).toBeLessThan(60 * MIB)
  await closed
})

test('a client that does not send what it announced is refused, and not waited for', async () => {
  const { socket, text, closed } = await open({ isDeaf: false })
  await write(socket, findHead({ isKeyed: false, length: 1000 }))
  await until(() => isWhole(text()))
  expect(listStatus(text())).toBe(401)
  await closed
})

test('after a small body that was refused the connection takes the next call', async () => {
  const { socket, text } = await open({ isDeaf: false })
  const refused = { isKeyed: false, length: 300 }
  await write(socket, findHead(refused))
  await writeBody(socket, refused)
  await until(() => isWhole(text()))
  expect(text()).not.toMatch(/^connection: close\r$/im)
  await write(socket, findHead({ isKeyed: true, length: 0, method: 'GET' }))
  await until(() => /\r\n\r\n\{.+HTTP\/1\.1 200 OK\r\n/s.test(text()))
})

test('a client that waits to send its body gets 100, or its response at once', async () => {
  const headers = 'Expect: 100-continue\r\n'
  const good = await open({ isDeaf: false })
  await write(good.socket, findHead({ isKeyed: true, length: REMOVAL.length, headers }))
  await until(() => good.text().includes('HTTP/1.1 100 Continue\r\n\r\n'))
  await write(good.socket, REMOVAL)
  await until(() => good.text().includes('HTTP/1.1 404 Not Found'))
  expect(good.text().match(/100 Continue/g)).toHaveLength(1)
  for (const [isKeyed, length, status] of [
    [false, REMOVAL.length, 401],
    [true, 20_000, 413],
  ] as const) {
    const refused = await open({ isDeaf: false })
    await write(refused.socket, findHead({ isKeyed, length, headers }))
    await until(() => isWhole(refused.text()))
    // nobody knows whether the body still comes: the connection is not used again
    expect([listStatus(refused.text()), refused.text()]).toEqual([
      status,
      expect.stringMatching(/^connection: close\r$/im),
    ])
    await refused.closed
  }
})
