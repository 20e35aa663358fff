import type { Server } from 'node:http'
import { createServer, IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Express } from 'express'
import { markArrival } from '../../core/turn.ts'
import { nameClient } from './addresses.ts'
import { type Connections, connectionLimits, holdConnections } from './connections.ts'
import { ApiError } from './error.ts'
import type { Log } from './request.ts'
import { isHeadRequest } from './socketResponse.ts'

/** Longest interval of Node's checks for requests that have timed out. */
const TIMEOUT_CHECK_MS = 2_000

/**
 * Creates an HTTP server whose parser errors use the envelope too, and whose connections are
 * limited. Does not listen yet; its owner calls `connections.sweep` every second.
 */
export function createHttpServer(
  app: RequestListener & Partial<Pick<Express, 'request' | 'response'>>,
  log: Log,
  connections: Connections = holdConnections(connectionLimits(), log),
): Server {
  const { limits } = connections
  const listener = (req: IncomingMessage, res: ServerResponse) => {
    markArrival()
    req.url = originForm(req.url!)
    nameClient(req, limits.proxies)
    connections.begin(req, res)
    app(req, res as never)
  }
  const server = createServer(
    {
      // the app's own classes of messages, if it has some
      IncomingMessage: (app.request?.constructor ?? IncomingMessage) as typeof IncomingMessage,
      ServerResponse: (app.response?.constructor ?? ServerResponse) as typeof ServerResponse,
      requestTimeout: Math.max(limits.requestMs, limits.headMs),
      headersTimeout: limits.headMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, limits.headMs),
      keepAliveTimeout: limits.idleMs,
      // checked by refuseMalformed: Node would send an empty body
      requireHostHeader: false,
    },
    listener,
  )
  // while output is blocked, Node emits the timeout only in the second period without progress
  server.setTimeout(limits.responseMs / 2, connections.quiet)
  takeConnections(server, connections)
  server.on('clientError', (cause: ParserError, socket: Duplex) => {
    // the client is gone, or half a response is out: nobody can be notified
    if (cause.code === 'ECONNRESET' || !socket.writable || hasResponseUnderWay(socket)) {
      socket.destroy()
      return
    }
    const isHead = isHeadRequest(cause.rawPacket)
    connections.respond({ socket, error: parserError(cause.code), isHead })
  })
  // a value of Expect other than 100-continue is ignored, as RFC 9110 (10.1.1) allows
  server.on('checkExpectation', listener)
  // the reader of a body requests it: a refused one need not be sent
  server.on('checkContinue', listener)
  server.on('connect', (_req, socket: Duplex) => {
    const error = new ApiError('bad_request', { message: 'this is not a proxy.' })
    connections.respond({ socket, error, isHead: false })
  })
  return server
}

/** Passes on the connections there is capacity for. */
function takeConnections(server: Server, connections: Connections): void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (!connections.take(socket)) return
    for (const serve of listeners) serve.call(server, socket)
  })
}

/** Path of a target; a server must accept `GET http://host/path` too (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  const path = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1]
  if (path === undefined) return target
  return path.startsWith('/') ? path : `/${path}`
}

/** Error Node emits with 'clientError', with the bytes it failed on. */
type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

function parserError(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout')
  return new ApiError('bad_request', { message: 'the request is not valid HTTP/1.1.' })
}

/** Node stores the current response on its socket (nodejs.org/api/http.html, 'clientError'). */
function hasResponseUnderWay(
  socket: Duplex & { _httpMessage?: { headersSent?: boolean } },
): boolean {
  return socket._httpMessage?.headersSent === true
}
