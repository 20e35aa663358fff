import { isIP } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type McpServerFactory,
} from '@modelcontextprotocol/server'
import type { Request, RequestHandler, Response } from 'express'
import { callContext } from '../accounts/callContext.ts'
import { jsonFault, parseJson } from '../core/disk/json.ts'
import { readBody } from '../platform/http/body.ts'
import { isObject } from '../platform/http/changeBody.ts'
import { ApiError } from '../platform/http/error.ts'
import { isExpected } from '../platform/http/errors/catalogue.ts'
import { sendJson } from '../platform/http/json.ts'
import { reading, refuseRoute, shown } from '../platform/http/request.ts'
import { acceptedType } from '../platform/http/response.ts'
import { readAuth, respondToBatch, respondToLegacy } from './legacy.ts'
import { batchRefusal, isRevision, REVISIONS, UNNAMED_REVISION } from './revisions.ts'

/** MCP over HTTP: one POST per message, no state between two of them. */

export const MCP_METHODS = 'POST, OPTIONS'

/** Path of the metadata of a protected resource (RFC 9728, 3.1). */
export const metadataPath = (path: string): string => `/.well-known/oauth-protected-resource${path}`

export type Resource = {
  readonly path: string
  readonly scope: string
  readonly title: string
  readonly publicUrl: string | null
  readonly oauthIssuer: string | null
}

/** Refuses calls from pages of other sites, before any other check. */
export function guardHosts(publicUrl: string | null): RequestHandler {
  return (req, res, next) => {
    const refusal = refusalOfHost(req.headers, publicUrl)
    if (refusal === null) return next()
    checkProtocol(res, 403, { code: -32_000, message: refusal })
  }
}

/** Value of `WWW-Authenticate` for clients without a key. */
export const challengeFormatter =
  (resource: Resource) =>
  (req: Request): string => {
    const metadata = `${readOrigin(req, resource)}${metadataPath(resource.path)}`
    return `Bearer scope="${resource.scope}", resource_metadata="${metadata}"`
  }

/** Metadata of the resource: includes an issuer only when there is one. */
export function sendMetadata(resource: Resource): RequestHandler {
  const { path, scope, title, oauthIssuer } = resource
  return reading((req, res, next) => {
    if (!isItself(req)) return refuseRoute(req, res, next)
    const refusal = refusalOfHost({ host: req.headers.host }, resource.publicUrl)
    if (refusal !== null) return checkProtocol(res, 403, { code: -32_000, message: refusal })
    const origin = readOrigin(req, resource)
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

/** True for calls of a path itself, not of one below it. */
const isItself = ({ originalUrl, baseUrl }: Request) => originalUrl.split('?')[0] === baseUrl

// a foreign Host has already been refused
const readOrigin = ({ headers }: Request, { publicUrl }: Resource): string =>
  publicUrl ?? `http://${headers.host}`

export type McpRoute = {
  readonly handle: RequestHandler
  readonly close: () => Promise<void>
}

/**
 * Serves messages of both revisions, each by a server of its own from the factory. `tools/call`
 * counts one call, anything else none.
 */
export function openRoute(factory: McpServerFactory): McpRoute {
  const modern = createMcpHandler(factory, { legacy: 'reject', maxSubscriptions: 0 })
  const fetch = async (request: globalThis.Request, options: McpHandlerRequestOptions = {}) => {
    if (Array.isArray(options.parsedBody)) return respondToBatch(factory, request, options)
    return (await isLegacyRequest(request, options.parsedBody))
      ? respondToLegacy(factory, request, options)
      : modern.fetch(request, options)
  }
  const handle = toNodeHandler({ fetch })
  return {
    handle: async (req, res, next) => {
      if (!isItself(req)) return refuseRoute(req, res, next)
      if (req.method !== 'POST') throw wrongMethod(req.method)
      const text = await readBody(req)
      try {
        const message = readMessages(text, req)
        const refusals: (string | null)[] = []
        for (const one of [message].flat()) refusals.push(isCall(one) ? await countCall(res) : null)
        const auth = readAuth(res, refusals)
        await handle(Object.assign(req, { auth }), res, message)
      } catch (error) {
        if (!(error instanceof ProtocolRefusal)) throw error
        checkProtocol(res, error.status, error.fault, error.id)
      }
    },
    close: modern.close,
  }
}

/** Returns the message of a body, or its list of messages. Fails with ProtocolRefusal. */
function readMessages(text: string, req: Request): object | unknown[] {
  const message = readObject(text)
  const version = req.headers['mcp-protocol-version'] ?? UNNAMED_REVISION
  if (typeof version !== 'string' || !isRevision(version)) {
    throw new ProtocolRefusal(400, unsupported(String(version)), readId(message))
  }
  const refusal = Array.isArray(message) ? batchRefusal(message, version) : null
  if (refusal !== null) throw new ProtocolRefusal(400, { code: -32_600, message: refusal })
  try {
    acceptedType(req, ['application/json'])
  } catch (error) {
    const fault = { code: -32_000, message: (error as ApiError).message }
    throw new ProtocolRefusal(406, fault, readId(message))
  }
  return message
}

/** Counts a call; returns the reason when the day has none left. */
async function countCall(res: Response): Promise<string | null> {
  try {
    await callContext(res).countCall!()
    return null
  } catch (error) {
    if (!isExpected(error) || !(error instanceof ApiError) || error.code !== 'rate') throw error
    res.setHeaders(new Map(Object.entries(error.headers)))
    return error.message
  }
}

const isCall = (message: unknown): boolean => isObject(message) && message.method === 'tools/call'

/** Parses a body as an object or list. Fails with ProtocolRefusal. */
function readObject(text: string): object {
  const refusal = (seen: string) =>
    new ProtocolRefusal(400, {
      code: -32_700,
      message: `the body is ${seen}; send one JSON-RPC message, such as tools/list.`,
    })
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw refusal(jsonFault(error))
  }
  if (typeof value === 'object' && value !== null) return value
  throw refusal('no object')
}

const unsupported = (requested: string) => ({
  code: -32_022,
  message: `the revision is ${shown(requested)}; this server speaks ${REVISIONS.join(', ')}.`,
  data: { supported: [...REVISIONS], requested: requested.slice(0, 40) },
})

const readId = (message: object): string | number | null => {
  const id = 'id' in message ? message.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

const wrongMethod = (method: string) =>
  new ApiError('method', {
    message: `this endpoint takes POST, not ${method}.`,
    headers: { allow: MCP_METHODS },
  })

type ProtocolFault = { readonly code: number; readonly message: string; readonly data?: object }

/** A refused body, as a JSON-RPC error. */
class ProtocolRefusal extends Error {
  readonly status: number
  readonly fault: ProtocolFault
  readonly id: string | number | null

  constructor(status: number, fault: ProtocolFault, id: string | number | null = null) {
    super(fault.message)
    this.status = status
    this.fault = fault
    this.id = id
  }
}

/** A refusal as a JSON-RPC error. */
function checkProtocol(
  res: Response,
  status: number,
  error: ProtocolFault,
  id: string | number | null = null,
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error, id })
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(body)
}

/**
 * Host names of a server. A page of another site must not reach a server of this machine or network
 * through a name that it has pointed there (DNS rebinding): its calls have that name as Host, and
 * its own origin as Origin.
 */

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Reason to refuse a call for its Host or Origin; null when it is allowed. */
function refusalOfHost(
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  publicUrl: string | null,
): string | null {
  const own = publicUrl === null ? LOOPBACK : [...LOOPBACK, new URL(publicUrl).hostname]
  const name = parseHostname(`http://${host ?? ''}`)
  // a literal address cannot be rebound
  if (name === null || !(own.includes(name) || isAddress(name))) {
    const say = 'TAPEFOLD_PUBLIC_URL says by which name this server is reached'
    return `Host is ${shown(host ?? '')}, which is no name of this server; ${say}.`
  }
  if (origin === undefined || isOwnOrigin(origin, own)) return null
  return `Origin is ${shown(origin)}; pages of other sites may not call this server.`
}

function isOwnOrigin(origin: string, own: readonly string[]): boolean {
  const name = /^https?:\/\//.test(origin) ? parseHostname(origin) : null
  return name !== null && own.includes(name)
}

const isAddress = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) !== 0

const parseHostname = (url: string): string | null => URL.parse(url)?.hostname || null
