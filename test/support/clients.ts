// Clients of a server that behave as no good one does, on plain sockets.

import { connect, type Socket } from 'node:net'

export type Client = {
  readonly socket: Socket
  /** Bytes sent to it, until it ends; a client that reads nothing has nothing. */
  readonly heard: () => string
  /** Settles when the connection is over, by whichever side. */
  readonly gone: Promise<void>
  readonly isGone: () => boolean
}

export type ClientOptions = {
  readonly port: number
  /** Sent as soon as it is connected. */
  readonly says?: string
  /** From which address of this machine; all of 127.0.0.0/8 are. */
  readonly from?: string
  /** True when it never reads, and so never learns that the server has ended. */
  readonly isDeaf?: boolean
}

/** Opens a connection; settles when it is there. It never closes its side by itself. */
export function openClient(options: ClientOptions): Promise<Client> {
  const { port, says, from, isDeaf = false } = options
  const socket = connect({
    port,
    host: '127.0.0.1',
    allowHalfOpen: true,
    ...(from === undefined ? {} : { localAddress: from }),
  })
  const chunks: Buffer[] = []
  let isGone = false
  const gone = new Promise<void>(resolve => {
    const end = () => {
      isGone = true
      resolve()
    }
    socket.on('close', end)
    // the other side has gone, or says no more
    socket.on('error', end)
    socket.on('end', end)
  })
  if (!isDeaf) socket.on('data', chunk => chunks.push(chunk))
  const client = {
    socket,
    gone,
    isGone: () => isGone,
    heard: () => Buffer.concat(chunks).toString('latin1'),
  }
  return new Promise(resolve => {
    socket.once('connect', () => {
      if (says !== undefined) socket.write(says)
      resolve(client)
    })
    gone.then(() => resolve(client))
  })
}

/** Waits until something holds; a test that waits in vain ends by the limit of all tests. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 20))
}

/** The head and the envelope of a response, with the headers by their names in lower case. */
export function readResponse(heard: string) {
  const [head, body] = heard.split('\r\n\r\n') as [string, string]
  const [first, ...lines] = head.split('\r\n') as [string, ...string[]]
  const headers = new Map(
    lines.map(line => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
    }),
  )
  return { status: Number(first.split(' ')[1]), headers, body }
}
