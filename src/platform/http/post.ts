import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'

export type Post = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  readonly signal: AbortSignal
}

/**
 * Posts once, without following redirects, and resolves with the head of the final response: skips
 * interim responses (1xx), on which Node's `fetch` fails.
 */
export function post({ url, headers, body, signal }: Post): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? overHttps : overHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, signal }, resolve)
    // no other protocol was requested
    sent.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('switched protocols'))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
