import { createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openConnection } from '../../../../pipelines/measure/bench/client.ts'

let server: Server
afterEach(() => server.close())

/** A server that responds to every request with these pieces, one after the other. */
function responding(...pieces: string[]): Promise<number> {
  server = createServer({ noDelay: true }, socket => {
    socket.on('error', () => {})
    socket.on('data', async () => {
      for (const piece of pieces) {
        await new Promise(sent => socket.write(piece, () => setImmediate(sent)))
      }
    })
  })
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'

test.each([
  ['in one piece', [`${HEAD}0123456789`]],
  ['head and body apart', [HEAD, '0123456789']],
  ['cut anywhere', [HEAD.slice(0, 30), `${HEAD.slice(30)}012`, '3456', '789']],
])('a response %s is one response, and so is the next', async (_how, pieces) => {
  const connection = openConnection(await responding(...pieces))
  for (let call = 0; call < 3; call++) {
    expect(await connection.send(Buffer.from('x'))).toEqual({ status: 200, bodyBytes: 10 })
  }
  connection.close()
})

test('another status is reported, an empty body is a response', async () => {
  const port = await responding('HTTP/1.1 429 Too Many\r\ncontent-length: 0\r\n\r\n')
  const connection = openConnection(port)
  expect(await connection.send(Buffer.from('x'))).toEqual({ status: 429, bodyBytes: 0 })
  connection.close()
})

test.each([
  ['longer than it says', `${HEAD}0123456789!`, /longer than its content-length/],
  ['without a length', 'HTTP/1.1 200 OK\r\n\r\n', /no content-length/],
])('a response %s fails: it would be counted wrongly', async (_how, text, reason) => {
  const connection = openConnection(await responding(text))
  await expect(connection.send(Buffer.from('x'))).rejects.toThrow(reason)
})

test('a server that closes before the last byte fails the request', async () => {
  const port = await responding(`${HEAD}012`)
  server.on('connection', socket => socket.on('data', () => setTimeout(() => socket.end(), 20)))
  const connection = openConnection(port)
  await expect(connection.send(Buffer.from('x'))).rejects.toThrow('closed the connection')
})
