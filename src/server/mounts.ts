import type { NextFunction, Request, RequestHandler, Response } from 'express'

/** Handlers of paths and of what is below them. */
export type Mounts = {
  /** Adds handlers of a path, which see the rest of the URL, as with `use` of Express. */
  readonly use: (path: string, ...handlers: readonly RequestHandler[]) => void
  /** Runs the handlers of all paths above a request's path, in the order in which they were added. */
  readonly handle: RequestHandler
}

type Mount = { readonly order: number; readonly path: string; readonly handler: RequestHandler }

/**
 * Opens mounts that are found by the path itself: with some fifty paths, comparing a request with
 * the pattern of each took as long as a short call itself. A router of Express for each path would
 * pass a request on a turn of the event loop later.
 */
export function openMounts(): Mounts {
  const mounts = new Map<string, Mount[]>()
  let order = 0
  return {
    use: (path, ...handlers) => {
      const added = handlers.map(handler => ({ order: order++, path, handler }))
      mounts.set(path, [...(mounts.get(path) ?? []), ...added])
    },
    handle: (req, res, next) => {
      const found = listPrefixes(req.path).flatMap(prefix => mounts.get(prefix) ?? [])
      found.sort((a, b) => a.order - b.order)
      const { url, baseUrl } = req
      const run = (index: number) => {
        const mount = found[index]
        if (!mount) return next()
        const rest = url.slice(mount.path.length)
        req.baseUrl = baseUrl + mount.path
        req.url = rest.startsWith('/') ? rest : `/${rest}`
        callHandler(mount.handler, req, res, (error?: unknown) => {
          Object.assign(req, { url, baseUrl })
          if (error) next(error)
          else run(index + 1)
        })
      }
      run(0)
    },
  }
}

/** Calls a handler; what it throws, and a promise of it that fails, are errors of the request. */
function callHandler(handler: RequestHandler, req: Request, res: Response, next: NextFunction) {
  try {
    Promise.resolve(handler(req, res, next)).catch(error => next(error ?? new Error('no reason')))
  } catch (error) {
    next(error)
  }
}

/** Lists the paths that a path is below, the shortest first, and itself: `/a`, `/a/b`, `/a/b/c`. */
function listPrefixes(path: string): string[] {
  const prefixes: string[] = []
  for (let at = path.indexOf('/', 1); at >= 0; at = path.indexOf('/', at + 1)) {
    prefixes.push(path.slice(0, at))
  }
  if (!path.endsWith('/')) prefixes.push(path)
  return prefixes
}
