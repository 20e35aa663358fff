// A receiver of webhooks on this machine, over TLS, that responds in any way a bad one can.

import { once } from 'node:events'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'

export type Received = {
  /** Header names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly head: string
  readonly body: Buffer
}

/** Response of a receiver to a call; it may also send nothing, or go on for ever. */
export type Say = (socket: TLSSocket, received: Received, at: number) => void

export type Receiver = {
  readonly port: number
  /** PEM of its certificate, which signs itself. */
  readonly ca: string
  /** Calls that came whole, in their order. */
  readonly received: Received[]
  /** Connections so far. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/** A whole response without a body. */
export const saying =
  (status: number, headers = ''): Say =>
  socket =>
    socket.write(`HTTP/1.1 ${status} Said\r\nContent-Length: 0\r\n${headers}\r\n`)

let made: Promise<{ private: string; cert: string }> | null = null

/** A certificate for `localhost`, `hooks.example` and 127.0.0.1; made once a process. */
export function certificate(): Promise<{ private: string; cert: string }> {
  made ??= generate([{ name: 'commonName', value: 'hooks.example' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'hooks.example' },
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  return made
}

export async function openReceiver(say: Say = saying(204)): Promise<Receiver> {
  const { private: key, cert } = await certificate()
  const received: Received[] = []
  const sockets = new Set<TLSSocket>()
  const server: Server = createServer({ key, cert }, socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let bytes = Buffer.alloc(0)
    socket.on('data', chunk => {
      bytes = Buffer.concat([bytes, chunk])
      for (let call = readCall(bytes); call; call = readCall(bytes)) {
        bytes = bytes.subarray(call.length)
        received.push(call.received)
        say(socket, call.received, received.length)
      }
    })
  })
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    ca: cert,
    received,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The first whole call of some bytes, and how long it is. */
function readCall(bytes: Buffer): { received: Received; length: number } | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end)
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map(line => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
  )
  const length = end + 4 + Number(headers['content-length'] ?? 0)
  if (bytes.length < length) return null
  return { received: { headers, head, body: bytes.subarray(end + 4, length) }, length }
}
