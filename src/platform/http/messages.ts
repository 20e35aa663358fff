import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express, Response } from 'express'
import { OPEN_HEADERS, SECURITY_HEADERS } from './headers.ts'
import { requestContext } from './request.ts'

/**
 * Gives an app its own classes of messages: Express would replace the prototypes of both messages of
 * every call. A response has the headers that all have, but for those that its handler sets itself,
 * and for those for pages of other origins when it is private. `transportSecurity` is the value of
 * `Strict-Transport-Security`.
 */
export function adoptMessages(app: Express, transportSecurity: string): void {
  const shared = [
    ...SECURITY_HEADERS,
    ['Strict-Transport-Security', transportSecurity] as const,
    ...OPEN_HEADERS,
  ]
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {
    override writeHead(...head: unknown[]): this {
      const isPrivate = requestContext(this as unknown as Response).isPrivate ?? false
      for (const [name, value] of shared) {
        if (!this.hasHeader(name) && !(isPrivate && OPEN_HEADERS.has(name.toLowerCase()))) {
          this.setHeader(name, value)
        }
      }
      return super.writeHead(...(head as [number]))
    }
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
}
