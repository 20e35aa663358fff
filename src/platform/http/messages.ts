import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express, Response } from 'express'
import { OPEN_HEADERS, SECURITY_HEADERS } from './headers.ts'
import { requestContext } from './request.ts'

/** Headers by their lower-case names, as Node passes them on to be written. */
type Written = Readonly<Record<string, unknown>>

/** Node's own writer of a head: its status line, and the headers of the response. */
type HeadWriter = { readonly _storeHeader: (statusLine: string, headers: Written) => void }

/**
 * Gives an app its own classes of messages. Express would replace the prototypes of both messages
 * of every call. And the headers that are the same for every response are one text, which takes
 * less than a tenth of the time of setting and writing each: a header that a handler sets under
 * the same name replaces its line, and those for pages of other origins are not in private
 * responses. `transportSecurity` is the value of `Strict-Transport-Security`.
 */
export function adoptMessages(app: Express, transportSecurity: string): void {
  const writeConstants = constantHeaders(transportSecurity)
  const { _storeHeader: writeHead } = app.response as unknown as HeadWriter
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {
    _storeHeader(statusLine: string, headers: Written = {}): void {
      const isPrivate = requestContext(this as unknown as Response).isPrivate ?? false
      writeHead.call(this, statusLine + writeConstants(headers, isPrivate), headers)
    }
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
}

/** Returns a writer of the lines of the constant headers. */
function constantHeaders(transportSecurity: string) {
  const constants = new Map([
    ...SECURITY_HEADERS,
    ['strict-transport-security', transportSecurity],
    ...OPEN_HEADERS,
  ])
  const lines = [...constants].map(([name, value]) => {
    return { name: name.toLowerCase(), text: `${name}: ${value}\r\n` }
  })
  const all = lines.map(({ text }) => text).join('')
  return (headers: Written, isPrivate: boolean): string => {
    let isReplaced = false
    for (const { name } of lines) if (name in headers) isReplaced = true
    if (!isPrivate && !isReplaced) return all
    const sent = lines.filter(
      ({ name }) => !(name in headers) && !(isPrivate && OPEN_HEADERS.has(name)),
    )
    return sent.map(({ text }) => text).join('')
  }
}
