import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { JSON_TYPE } from './answer.ts'
import { ApiError, errorBody, errorRow } from './error.ts'
import type { Log } from './request.ts'

/** Longest wait for a whole request; the API takes no bodies worth waiting for. */
const REQUEST_TIMEOUT_MS = 30_000
const HEADERS_TIMEOUT_MS = 15_000
/** How often Node looks for requests that are past their time. */
const TIMEOUT_CHECK_MS = 5_000
/** Above the idle time of common load balancers (60 s), so that they close first. */
const KEEP_ALIVE_MS = 65_000

/** An HTTP server whose parser errors are answered in the envelope too. Does not listen yet. */
export function createHttpServer(app: RequestListener, log: Log): Server {
  const listener = (req: IncomingMessage, res: ServerResponse) => {
    req.url = originForm(req.url!)
    app(req, res as never)
  }
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // checked by refuseMalformed: Node would answer with an empty body
      requireHostHeader: false,
    },
    listener,
  )
  server.on('clientError', (cause: ParserError, socket: Duplex) => {
    // the client is gone, or half an answer is out: there is nobody to tell
    if (cause.code === 'ECONNRESET' || !socket.writable || hasAnswerUnderWay(socket)) {
      socket.destroy()
      return
    }
    // an answer to HEAD has no body, or the client reads it as the next answer
    const isHead = cause.rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD '
    refuseOnSocket({ socket, error: parserError(cause.code), isHead, log })
  })
  // a value of Expect that is not 100-continue is ignored, as RFC 9110 (10.1.1) allows
  server.on('checkExpectation', listener)
  server.on('connect', (_req, socket: Duplex) => {
    const error = new ApiError('bad_request', { message: 'this is not a proxy.' })
    refuseOnSocket({ socket, error, isHead: false, log })
  })
  return server
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

type Refusal = {
  readonly socket: Duplex
  readonly error: ApiError
  readonly isHead: boolean
  readonly log: Log
}

function refuseOnSocket({ socket, error, isHead, log }: Refusal): void {
  const requestId = randomUUID()
  const { status } = errorRow(error.code)
  const body = errorBody(error)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  log.info({ requestId, status }, 'refused')
  socket.on('error', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${isHead ? '' : body}`)
}

/** Node keeps the answer being sent on its socket (nodejs.org/api/http.html, 'clientError'). */
function hasAnswerUnderWay(socket: Duplex & { _httpMessage?: { headersSent?: boolean } }): boolean {
  return socket._httpMessage?.headersSent === true
}
