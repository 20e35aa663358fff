// A plain HTTP client for tests: the bytes that came, and whether the response ended.

import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'

export type Received = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** True when the connection ended before the response did. */
  readonly isCut: boolean
}

export type Sent = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Milliseconds after which the client leaves. */
  readonly leaveAfterMs?: number
}

/** Sends a request and reads its response to the end, or to where it breaks off. */
export function receive(url: string, sent: Sent = {}): Promise<Received> {
  const { method = 'GET', headers = {}, body, leaveAfterMs } = sent
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, incoming => {
      const chunks: Buffer[] = []
      const finish = () =>
        resolve({
          status: incoming.statusCode!,
          headers: incoming.headers as Record<string, string>,
          body: Buffer.concat(chunks),
          isCut: !incoming.complete,
        })
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', () => {})
      incoming.on('close', finish)
      if (leaveAfterMs !== undefined) setTimeout(() => outgoing.destroy(), leaveAfterMs)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** The body as text, decompressed where it says so. */
export const textOf = ({ headers, body }: Received): string =>
  (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8')

/** Status and the body of a response whose body is JSON. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads fields of any response
export async function receiveJson(url: string, sent: Sent = {}): Promise<[number, any]> {
  const received = await receive(url, sent)
  return [received.status, JSON.parse(textOf(received))]
}
