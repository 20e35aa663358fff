// A language model on loopback, as far as the API of chat completions goes.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Content of the one choice; or a whole body with its status; or no response at all. */
export type ModelTurn =
  | { readonly content: unknown }
  | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
  | 'silence'

// biome-ignore lint/suspicious/noExplicitAny: what the server was sent
type Sent = { readonly path: string; readonly key: string | undefined; readonly body: any }

export type ModelServer = {
  readonly url: string
  /** Requests so far. */
  readonly sent: readonly Sent[]
  /** Sets what every further request gets. */
  readonly respond: (turn: ModelTurn) => void
  readonly close: () => Promise<void>
}

export async function startModelServer(): Promise<ModelServer> {
  const sent: Sent[] = []
  let turn: ModelTurn = 'silence'
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString())
      sent.push({ path: req.url!, key: req.headers.authorization, body })
      if (turn === 'silence') return
      if ('status' in turn) return res.writeHead(turn.status, turn.headers).end(turn.body)
      const { content } = turn
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      const message = { role: 'assistant', content: text }
      const choices = [{ index: 0, finish_reason: 'stop', message }]
      const type = { 'content-type': 'application/json' }
      res
        .writeHead(200, type)
        .end(
          JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices }),
        )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>(resolve => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    sent,
    respond: next => {
      turn = next
    },
    close,
  }
}

/** A server for one test. */
export async function modelServer(): Promise<ModelServer> {
  const server = await startModelServer()
  onTestFinished(server.close)
  return server
}
