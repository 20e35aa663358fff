import type { Request, RequestHandler, Response } from 'express'
import { requestContext } from './request.ts'

/** Of a body that nobody reads, so much is taken and thrown away: it may be under way already. */
const REST_MAX_BYTES = 1_048_576
/** A client with a key may have sent a whole file by mistake, and is to read why it is refused. */
const KEYED_REST_MAX_BYTES = 16 * 1_048_576
/** How long the client may send nothing, or go on sending, before its connection is closed. */
const IDLE_MS = 2_000
const LINGER_MS = 10_000

/** Requests whose client was told to send the body that it had announced. */
const requested = new WeakSet<Request>()

/**
 * Bounds what is taken of a body after its answer. The answer goes out at once; then the rest of
 * the body is thrown away, up to a bound, before the connection is closed or used again: closed at
 * once, it would be reset by what still comes, and the client might never see the answer.
 */
export const boundUnread: RequestHandler = (req, res, next) => {
  if (!hasBody(req)) return next()
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => Response
  res.writeHead = ((...args: unknown[]) => {
    if (!req.complete && !isShort(req, res)) res.setHeader('connection', 'close')
    return writeHead(...args)
  }) as typeof res.writeHead
  const end = res.end.bind(res)
  res.end = ((chunk?: Uint8Array | string) => {
    if (req.complete) return end(chunk)
    // whole for the client, which knows its length
    if (chunk !== undefined) res.write(chunk)
    res.flushHeaders()
    discard(req, restMaxBytes(res), hasEnded => end(hasEnded ? undefined : () => leave(req)))
    return res
  }) as typeof res.end
  next()
}

/** Tells a client that waits for it (`Expect: 100-continue`) to send its body. */
export function requestBody(req: Request): void {
  if (requested.has(req) || !waitsToSend(req)) return
  requested.add(req)
  req.res!.writeContinue()
}

/** The length that a request gives its body; null when it is sent in chunks. */
export function bodyLength(req: Request): number | null {
  if (req.headers['transfer-encoding'] !== undefined) return null
  return Number(req.headers['content-length'] ?? 0)
}

const hasBody = (req: Request): boolean => bodyLength(req) !== 0

const waitsToSend = (req: Request): boolean =>
  req.headers.expect?.trim().toLowerCase() === '100-continue'

/** Whether all of a body will be taken, so that the connection can be used again. */
function isShort(req: Request, res: Response): boolean {
  // what is not asked for may be sent or not: nobody knows where the next request begins
  if (waitsToSend(req) && !requested.has(req)) return false
  const length = bodyLength(req)
  return length !== null && length <= restMaxBytes(res)
}

const restMaxBytes = (res: Response): number =>
  requestContext(res).accountId === undefined ? REST_MAX_BYTES : KEYED_REST_MAX_BYTES

/** Throws a body away up to a bound; tells once whether it came to its end. */
function discard(req: Request, maxBytes: number, done: (hasEnded: boolean) => void): void {
  let size = 0
  const finish = () => {
    for (const timer of [idle, linger]) clearTimeout(timer)
    req.off('data', count).off('close', finish).off('end', finish)
    done(req.complete)
  }
  const count = (chunk: Buffer) => {
    size += chunk.byteLength
    // the answer has gone out: what is left is the client's to stop, until its time is over
    if (size > maxBytes) req.pause()
    else idle.refresh()
  }
  const idle = setTimeout(finish, IDLE_MS)
  const linger = setTimeout(finish, LINGER_MS)
  req.on('data', count).on('close', finish).on('end', finish)
  req.resume()
}

/** Closes the connection of a client that did not send what it announced, or sent too much. */
const leave = (req: Request): void => {
  req.socket.destroy()
}
