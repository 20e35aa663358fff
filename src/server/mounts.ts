import express, { type RequestHandler } from 'express'

/** Handlers of paths and of what is below them. */
export type Mounts = {
  /** Adds handlers of a path, which see the rest of the URL, as with `use` of Express. */
  readonly use: (path: string, ...handlers: readonly RequestHandler[]) => void
  /** Runs the handlers of all paths above a request's path, in the order in which they were added. */
  readonly handle: RequestHandler
}

/**
 * Opens mounts that are found by the path itself: with some fifty paths, comparing a request with
 * the pattern of each took as long as a short call itself.
 */
export function openMounts(): Mounts {
  const routers = new Map<string, { readonly order: number; readonly router: express.Router }>()
  return {
    use: (path, ...handlers) => {
      const known = routers.get(path)
      const router = known?.router ?? express.Router({ caseSensitive: true, strict: true })
      router.use(path, ...handlers)
      if (!known) routers.set(path, { order: routers.size, router })
    },
    handle: (req, res, next) => {
      const found = listPrefixes(req.path).flatMap(prefix => routers.get(prefix) ?? [])
      found.sort((a, b) => a.order - b.order)
      const run = (index: number) => {
        const mount = found[index]
        if (!mount) return next()
        mount.router(req, res, (error?: unknown) => (error ? next(error) : run(index + 1)))
      }
      run(0)
    },
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
