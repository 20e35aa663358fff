import type { NextFunction, Request, RequestHandler, Response } from 'express'

/** Handlers of paths and of what is below them. */
export type Mounts = {
  /** Adds handlers of a path, which see the rest of the URL, as with `use` of Express. */
  readonly use: (path: string, ...handlers: readonly RequestHandler[]) => void
  /** Runs the handlers of all paths above a request's path, in the order in which they were added. */
  readonly handle: RequestHandler
}

type Mount = { readonly order: number; readonly path: string; readonly handler: RequestHandler }

/** Runs handlers one after the other, as `use` of Express for each, but without its router. */
export function inOrder(handlers: readonly RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    let index = 0
    const run = (error?: unknown): void => {
      const handler = handlers[index++]
      if (error) next(error)
      else if (handler) callHandler(handler, req, res, run)
      else next()
    }
    run()
  }
}

/**
 * Opens mounts that are found by the path itself: with some fifty paths, comparing a request with
 * the pattern of each took as long as a short call itself. A router of Express for each path would
 * pass a request on a turn of the event loop later.
 */
export function openMounts(): Mounts {
  const mounts = new Map<string, Mount[]>()
  /** By the longest path above a request's: all paths above that one are above the request's too. */
  const chains = new Map<string, readonly Mount[]>()
  let order = 0

  const listChain = (path: string): readonly Mount[] => {
    const known = chains.get(path)
    if (known) return known
    const chain = listPrefixes(path).flatMap(prefix => mounts.get(prefix) ?? [])
    chain.sort((a, b) => a.order - b.order)
    chains.set(path, chain)
    return chain
  }
  return {
    use: (path, ...handlers) => {
      const added = handlers.map(handler => ({ order: order++, path, handler }))
      mounts.set(path, [...(mounts.get(path) ?? []), ...added])
      chains.clear()
    },
    handle: (req, res, next) => {
      const longest = listPrefixes(req.path).findLast(prefix => mounts.has(prefix))
      if (longest === undefined) return next()
      const chain = listChain(longest)
      const { url, baseUrl } = req
      let index = 0
      const run = (error?: unknown): void => {
        const mount = error ? undefined : chain[index++]
        const rest = mount ? url.slice(mount.path.length) : url
        req.baseUrl = mount ? baseUrl + mount.path : baseUrl
        req.url = !mount || rest.startsWith('/') ? rest : `/${rest}`
        if (mount) callHandler(mount.handler, req, res, run)
        else next(error)
      }
      run()
    },
  }
}

/** Calls a handler; what it throws, and a promise of it that fails, are errors of the request. */
function callHandler(handler: RequestHandler, req: Request, res: Response, next: NextFunction) {
  try {
    const handled: unknown = handler(req, res, next)
    if (!(handled instanceof Promise)) return
    handled.catch(error => next(error ?? new Error('no reason')))
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
