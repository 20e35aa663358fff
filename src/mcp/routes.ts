import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Request, RequestHandler, Response } from 'express'
import { readBody } from '../http/body.ts'
import { ApiError } from '../http/error.ts'
import { isExpected } from '../http/errors/catalogue.ts'
import { sendJson } from '../http/json.ts'
import { contextOf, reading, refuseRoute, shown } from '../http/request.ts'
import { refusalOfHost } from './hosts.ts'
import { REVISIONS } from './protocol.ts'

/** MCP over HTTP: one POST a message, nothing kept between two of them. */

export const MCP_METHODS = 'POST, OPTIONS'

/** Where the metadata of a protected resource lies (RFC 9728, 3.1). */
export const metadataPath = (path: string): string => `/.well-known/oauth-protected-resource${path}`

export type Resource = {
  readonly path: string
  readonly scope: string
  readonly title: string
  readonly publicUrl: string | null
  readonly oauthIssuer: string | null
}

/** Refuses calls of other sites' pages, before anything else is looked at. */
export function guardHosts(publicUrl: string | null): RequestHandler {
  return (req, res, next) => {
    const refusal = refusalOfHost(req.headers, publicUrl)
    if (refusal === null) return next()
    tellProtocol(res, 403, { code: -32_000, message: refusal })
  }
}

/** What `WWW-Authenticate` says to who has no key. */
export const challengeOf =
  (resource: Resource) =>
  (req: Request): string => {
    const metadata = `${originOf(req, resource)}${metadataPath(resource.path)}`
    return `Bearer scope="${resource.scope}", resource_metadata="${metadata}"`
  }

/** The metadata of the resource: an issuer is named only where there is one. */
export function answerMetadata(resource: Resource): RequestHandler {
  const { path, scope, title, oauthIssuer } = resource
  return reading((req, res, next) => {
    if (!isItself(req)) return refuseRoute(req, res, next)
    const refusal = refusalOfHost({ host: req.headers.host }, resource.publicUrl)
    if (refusal !== null) return tellProtocol(res, 403, { code: -32_000, message: refusal })
    const origin = originOf(req, resource)
    const metadata = {
      resource: `${origin}${path}`,
      ...(oauthIssuer === null ? {} : { authorization_servers: [oauthIssuer] }),
      scopes_supported: [scope],
      bearer_methods_supported: ['header'],
      resource_name: title,
      resource_documentation: `${origin}/docs`,
    }
    sendJson(req, res, JSON.stringify(metadata))
  })
}

/** Whether a call is of a path, and not of one below it. */
const isItself = ({ originalUrl, baseUrl }: Request) => originalUrl.split('?')[0] === baseUrl

// a Host that is not one of this server was refused before
const originOf = ({ headers }: Request, { publicUrl }: Resource): string =>
  publicUrl ?? `http://${headers.host}`

export type McpRoute = {
  readonly handle: RequestHandler
  readonly close: () => Promise<void>
}

/**
 * Answers messages of both revisions, each by a server of its own from the factory. `tools/call`
 * counts one call, anything else none.
 */
export function openRoute(factory: McpServerFactory): McpRoute {
  const modern = createMcpHandler(factory, { legacy: 'reject', maxSubscriptions: 0 })
  const fetch = async (request: globalThis.Request, options: McpHandlerRequestOptions = {}) =>
    (await isLegacyRequest(request, options.parsedBody))
      ? answerLegacy(factory, request, options)
      : modern.fetch(request, options)
  const answer = toNodeHandler({ fetch })
  return {
    handle: async (req, res, next) => {
      if (!isItself(req)) return refuseRoute(req, res, next)
      if (req.method !== 'POST') throw wrongMethod(req.method)
      const version = req.headers['mcp-protocol-version']
      const message = parsed(await readBody(req))
      if (message === null) {
        const say = 'the body is not JSON; send one JSON-RPC message, such as tools/list.'
        return tellProtocol(res, 400, { code: -32_700, message: say })
      }
      if (Array.isArray(message)) {
        const say = 'the body is a list; send one JSON-RPC message at a time.'
        return tellProtocol(res, 400, { code: -32_600, message: say })
      }
      if (version !== undefined && !REVISIONS.some(known => known === version)) {
        return tellProtocol(res, 400, unsupported(String(version)), idOf(message))
      }
      const refusal = isCall(message) ? await countCall(res) : null
      const auth = authOf(res, refusal)
      await answer(Object.assign(req, { auth }), res, message)
    },
    close: modern.close,
  }
}

/** Answers a message of 2025: as JSON, by a server that ends with it. */
async function answerLegacy(
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
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody, ...(authInfo && { authInfo }) })
  } finally {
    await server.close()
  }
}

/** What the handlers of a message are told of the call. */
export type CallFacts = { readonly res: Response; readonly refusal: string | null }

/** The facts of a call, as the SDK hands them on: it knows of none but those of a token. */
export const factsOf = (auth: AuthInfo | undefined): CallFacts =>
  (auth as AuthInfo & { readonly extra: CallFacts }).extra

const authOf = (res: Response, refusal: string | null): AuthInfo => ({
  token: '',
  clientId: contextOf(res).keyId!,
  scopes: [],
  extra: { res, refusal } satisfies CallFacts,
})

/** Counts a call; answers why it cannot be taken, where the day has none left. */
async function countCall(res: Response): Promise<string | null> {
  try {
    await contextOf(res).countCall!()
    return null
  } catch (error) {
    if (!isExpected(error) || !(error instanceof ApiError) || error.code !== 'rate') throw error
    res.setHeaders(new Map(Object.entries(error.headers)))
    return error.message
  }
}

const isCall = (message: object): boolean => 'method' in message && message.method === 'tools/call'

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

const unsupported = (requested: string) => ({
  code: -32_022,
  message: `the revision is ${shown(requested)}; this server speaks ${REVISIONS.join(' and ')}.`,
  data: { supported: [...REVISIONS], requested: requested.slice(0, 40) },
})

const idOf = (message: object): string | number | null => {
  const id = 'id' in message ? message.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

const wrongMethod = (method: string) =>
  new ApiError('method', {
    message: `this endpoint takes POST, not ${method}.`,
    headers: { allow: MCP_METHODS },
  })

type ProtocolFault = { readonly code: number; readonly message: string; readonly data?: object }

/** A refusal in the words of JSON-RPC. */
function tellProtocol(
  res: Response,
  status: number,
  error: ProtocolFault,
  id: string | number | null = null,
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error, id })
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(body)
}
