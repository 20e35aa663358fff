import type { Request, RequestHandler, Response } from 'express'
import { requestContext } from './request.ts'

/** Bytes of an unread body that are received and discarded: they may be in transit already. */
const REST_MAX_BYTES = 1_048_576
/** A client with a key may have sent a whole file by mistake, and should read why it is refused. */
const KEYED_REST_MAX_BYTES = 16 * 1_048_576
/** Time the client may be silent, or continue to send, before its connection is closed. */
const IDLE_MS = 2_000
const LINGER_MS = 10_000

/** Requests whose client was sent 100 Continue. */
const requested = new WeakSet<Request>()

/**
 * Limits how much of a body is received after its response. Sends the response at once, then
 * discards the rest of the body, up to a limit, before the connection is closed or reused: an
 * immediate close would be reset by incoming data, and the client might never see the response.
 */
export const boundUnread: RequestHandler = (req, res, next) => {
  if (!hasBody(req)) return next()
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => Response
  res.writeHead = ((...args: unknown[]) => {
    if (!req.complete && !isShort(req, res)) res.setHeader('connection', 'close')
    return writeHead(...args)
  }) as typeof res.writeHead
  const end = res.end.bind(res)
  res.end = ((chunk?: Uint8Array | string, encoding: BufferEncoding = 'utf8') => {
    if (req.complete) return end(chunk, encoding)
    // complete for the client, which knows its length
    if (chunk !== undefined) res.write(chunk, encoding)
    res.flushHeaders()
    discard(req, restMaxBytes(res), hasEnded => end(hasEnded ? undefined : () => leave(req)))
    return res
  }) as typeof res.end
  next()
}

/** Lets a client that waits for it (`Expect: 100-continue`) send its body. */
export function requestBody(req: Request): void {
  if (requested.has(req) || !waitsToSend(req)) return
  requested.add(req)
  req.res!.writeContinue()
}

/** Returns the length of a request body; null when it is sent in chunks. */
export function bodyLength(req: Request): number | null {
  if (req.headers['transfer-encoding'] !== undefined) return null
  return Number(req.headers['content-length'] ?? 0)
}

const hasBody = (req: Request): boolean => bodyLength(req) !== 0

const waitsToSend = (req: Request): boolean =>
  req.headers.expect?.trim().toLowerCase() === '100-continue'

/** True when all of a body will be received, so that the connection can be reused. */
function isShort(req: Request, res: Response): boolean {
  // a body that was not requested may or may not follow: the start of the next request is unknown
  if (waitsToSend(req) && !requested.has(req)) return false
  const length = bodyLength(req)
  return length !== null && length <= restMaxBytes(res)
}

const restMaxBytes = (res: Response): number =>
  requestContext(res).accountId === undefined ? REST_MAX_BYTES : KEYED_REST_MAX_BYTES

/** Discards a body up to a limit; reports once, with true when it ended. */
function discard(req: Request, maxBytes: number, done: (hasEnded: boolean) => void): void {
  let size = 0
  const finish = () => {
    for (const timer of [idle, linger]) clearTimeout(timer)
    req.off('data', count).off('close', finish).off('end', finish)
    done(req.complete)
  }
  const count = (chunk: Buffer) => {
    size += chunk.byteLength
    // the response is out: stopping is up to the client until its time is over
    if (size > maxBytes) req.pause()
    else idle.refresh()
  }
  const idle = setTimeout(finish, IDLE_MS)
  const linger = setTimeout(finish, LINGER_MS)
  req.on('data', count).on('close', finish).on('end', finish)
  req.resume()
}

/** Closes the connection of a client that did not send the announced body, or sent too much. */
const leave = (req: Request): void => {
  req.socket.destroy()
}
