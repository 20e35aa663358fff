import {
  type AuthInfo,
  type McpHandlerRequestOptions,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Response } from 'express'
import { isObject } from '../platform/http/changeBody.ts'
import { requestContext } from '../platform/http/request.ts'
import { agreedRevision, inRevision, type Revision, UNNAMED_REVISION } from './revisions.ts'

/** Messages of 2024 and 2025 over HTTP, with the context of their call. */

/** Replies to a list of messages with a list of replies, in their order. */
export async function respondToBatch(
  factory: McpServerFactory,
  request: globalThis.Request,
  { authInfo, parsedBody }: McpHandlerRequestOptions,
): Promise<globalThis.Response> {
  const { res, refusals } = (authInfo as Authorized).extra
  const responses: unknown[] = []
  for (const [index, message] of (parsedBody as unknown[]).entries()) {
    const refusal = refusalInBatch(message)
    if (refusal !== null) {
      responses.push({ jsonrpc: '2.0', error: { code: -32_600, message: refusal }, id: null })
      continue
    }
    const own = { authInfo: readAuth(res, [refusals[index]!]), parsedBody: message }
    const text = await (await respondToLegacy(factory, request, own)).text()
    if (text !== '') responses.push(JSON.parse(text))
  }
  if (responses.length === 0) return new globalThis.Response(null, { status: 202 })
  return globalThis.Response.json(responses)
}

/** Reason why a message is not allowed in a list; null when it is. */
function refusalInBatch(message: unknown): string | null {
  if (!isObject(message)) return 'a message of the list is no object; send JSON-RPC messages.'
  if (message.method === 'initialize') return 'initialize is in a list; send it alone.'
  return null
}

/** Replies to a message of 2024 or 2025: as JSON, by a server created for this request. */
export async function respondToLegacy(
  factory: McpServerFactory,
  request: globalThis.Request,
  { authInfo, parsedBody }: McpHandlerRequestOptions,
): Promise<globalThis.Response> {
  const server = await factory({
    era: 'legacy',
    requestInfo: request,
    ...(authInfo && { authInfo }),
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const send = transport.send.bind(transport)
  const named = request.headers.get('mcp-protocol-version') as Revision | null
  transport.send = (message, options) => {
    const revision = agreedRevision(message) ?? named ?? UNNAMED_REVISION
    return send(inRevision(message, revision), options)
  }
  await server.connect(transport)
  // the transport requires a client that accepts streams too, though none is sent here
  const headers = new globalThis.Headers(request.headers)
  headers.set('accept', 'application/json, text/event-stream')
  const { url, method, signal } = request
  const rebuilt = new globalThis.Request(url, { method, headers, signal })
  try {
    return await transport.handleRequest(rebuilt, { parsedBody, ...(authInfo && { authInfo }) })
  } finally {
    await server.close()
  }
}

/** Context of a call for the handlers of a message. */
export type CallFacts = { readonly res: Response; readonly refusal: string | null }

/** The context of a call, as the SDK passes it on: it only knows that of a token. */
export function readFacts(auth: AuthInfo | undefined): CallFacts {
  const { res, refusals } = (auth as Authorized).extra
  return { res, refusal: refusals[0] ?? null }
}

/** For each message the reason why it is refused, or null. */
type Authorized = AuthInfo & {
  readonly extra: { readonly res: Response; readonly refusals: readonly (string | null)[] }
}

export const readAuth = (res: Response, refusals: readonly (string | null)[]): Authorized => ({
  token: '',
  clientId: requestContext(res).keyId!,
  scopes: [],
  extra: { res, refusals },
})
