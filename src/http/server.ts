import type { Server, ServerResponse } from 'node:http'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { nameClient } from './addresses.ts'
import { type Connections, connectionLimits, holdConnections } from './connections.ts'
import { ApiError } from './error.ts'
import type { Log } from './request.ts'
import { isHeadRequest, respondOnSocket } from './socketAnswer.ts'

/** How often Node looks for requests that are past their time, at least. */
const TIMEOUT_CHECK_MS = 2_000

/**
 * An HTTP server whose parser errors are answered in the envelope too, and whose connections are
 * bounded. Does not listen yet; whoever starts it calls `connections.sweep` every second.
 */
export function createHttpServer(
  app: RequestListener,
  log: Log,
  connections: Connections = holdConnections(connectionLimits(), log),
): Server {
  const { limits } = connections
  const listener = (req: IncomingMessage, res: ServerResponse) => {
    req.url = originForm(req.url!)
    nameClient(req, limits.proxies)
    connections.begin(req, res)
    app(req, res as never)
  }
  const server = createServer(
    {
      requestTimeout: Math.max(limits.requestMs, limits.headMs),
      headersTimeout: limits.headMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, limits.headMs),
      keepAliveTimeout: limits.idleMs,
      // checked by refuseMalformed: Node would answer with an empty body
      requireHostHeader: false,
    },
    listener,
  )
  // where bytes wait to be taken, Node tells at the second time that none were
  server.setTimeout(limits.responseMs / 2, connections.quiet)
  takeConnections(server, connections)
  server.on('clientError', (cause: ParserError, socket: Duplex) => {
    // the client is gone, or half an answer is out: there is nobody to tell
    if (cause.code === 'ECONNRESET' || !socket.writable || hasResponseUnderWay(socket)) {
      socket.destroy()
      return
    }
    const isHead = isHeadRequest(cause.rawPacket)
    respondOnSocket({ socket, error: parserError(cause.code), isHead, log })
  })
  // a value of Expect that is not 100-continue is ignored, as RFC 9110 (10.1.1) allows
  server.on('checkExpectation', listener)
  // a body is asked for by who reads it: one that is refused need not be sent
  server.on('checkContinue', listener)
  server.on('connect', (_req, socket: Duplex) => {
    const error = new ApiError('bad_request', { message: 'this is not a proxy.' })
    respondOnSocket({ socket, error, isHead: false, log })
  })
  return server
}

/** Gives the server the connections that there is room for. */
function takeConnections(server: Server, connections: Connections): void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (!connections.take(socket)) return
    for (const serve of listeners) serve.call(server, socket)
  })
}

/** The path of a target; a server must take `GET http://host/path` too (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  const path = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1]
  if (path === undefined) return target
  return path.startsWith('/') ? path : `/${path}`
}

/** What Node gives with 'clientError': the bytes it failed on. */
type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

function parserError(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout')
  return new ApiError('bad_request', { message: 'the request is not valid HTTP/1.1.' })
}

/** Node keeps the answer being sent on its socket (nodejs.org/api/http.html, 'clientError'). */
function hasResponseUnderWay(
  socket: Duplex & { _httpMessage?: { headersSent?: boolean } },
): boolean {
  return socket._httpMessage?.headersSent === true
}
