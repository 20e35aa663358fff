import type { RequestHandler, Response } from 'express'
import { ApiError } from '../platform/http/error.ts'

/** A handler for each method; any other is 405 `method`. */
export function taking(handlers: Readonly<Record<string, RequestHandler>>): RequestHandler {
  return (req, res, next) => {
    const handler = Object.hasOwn(handlers, req.method) ? handlers[req.method]! : null
    if (handler) return handler(req, res, next)
    throw new ApiError('method', { headers: { allow: Object.keys(handlers).join(', ') } })
  }
}

/** Redirects after a form, so that a reload sends nothing twice. */
export const redirect = (res: Response, path: string): void => {
  res.writeHead(303, { location: path, 'content-length': 0 }).end()
}
