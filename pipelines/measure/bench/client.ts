import { connect, type Socket } from 'node:net'

/** One keep-alive connection with one request at a time. */
export type BenchConnection = {
  /** Sends a request; resolves with the status and the body's byte count after the last byte. */
  readonly send: (request: Buffer) => Promise<BenchResponse>
  readonly close: () => void
}

export type BenchResponse = { readonly status: number; readonly bodyBytes: number }

const READ_BYTES = 256 * 1024
const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Opens a connection to a server of this machine. Bodies are counted, not stored: time that the
 * load spends on reading is taken from the servers, and a load tool that decodes every body as text
 * measures itself.
 */
export function openConnection(port: number): BenchConnection {
  let waiting: PromiseWithResolvers<BenchResponse> | null = null
  let head: Buffer = Buffer.alloc(0)
  let response: BenchResponse | null = null
  let missingBytes = 0

  const fail = (reason: string) => {
    waiting?.reject(new Error(reason))
    waiting = null
    socket.destroy()
  }
  const settle = () => {
    if (missingBytes < 0) return fail('an answer is longer than its content-length')
    waiting?.resolve(response!)
    waiting = null
    response = null
  }
  const take = (count: number, buffer: Uint8Array) => {
    if (response) {
      missingBytes -= count
      if (missingBytes <= 0) settle()
      return true
    }
    head = Buffer.concat([head, buffer.subarray(0, count)])
    const end = head.indexOf(HEAD_END)
    if (end < 0) return true
    const text = head.toString('latin1', 0, end)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
    if (length === undefined) {
      fail(`an answer has no content-length: ${text.slice(0, 200)}`)
      return true
    }
    response = { status, bodyBytes: Number(length) }
    missingBytes = Number(length) - (head.byteLength - end - HEAD_END.byteLength)
    head = Buffer.alloc(0)
    if (missingBytes <= 0) settle()
    return true
  }
  const socket: Socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer: Buffer.alloc(READ_BYTES), callback: take },
  })
  socket.on('error', error => fail(error.message))
  socket.on('close', () => fail('the server closed the connection'))
  return {
    send: request => {
      if (socket.destroyed) return Promise.reject(new Error('the connection is closed'))
      waiting = Promise.withResolvers()
      socket.write(request)
      return waiting.promise
    },
    close: () => socket.destroy(),
  }
}
