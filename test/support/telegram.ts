// Replacement of Telegram's servers: it stores what it is sent, and responds as a test wants.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SentMessage = {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly atMs: number
}

export type TestTelegram = {
  /** As an operator sets it: with the bot's token. */
  readonly url: string
  readonly messages: readonly SentMessage[]
  readonly close: () => Promise<void>
}

/** Responses to a message; those left out are the usual ones. */
export type Responding = (message: SentMessage, res: ServerResponse) => boolean

export const TOKEN = '987654321:AAcanary-Token_of_a-Bot'

export const respondJson = (res: ServerResponse, status: number, body: object): true => {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  return true
}

export async function startTelegram(responding: Responding = () => false): Promise<TestTelegram> {
  const messages: SentMessage[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const message = { path: req.url!, body, atMs: performance.now() }
      messages.push(message)
      if (!responding(message, res)) respondJson(res, 200, { ok: true, result: {} })
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/bot${TOKEN}`,
    messages,
    close: () => {
      server.closeAllConnections()
      return new Promise(done => server.close(() => done()))
    },
  }
}
