import type { RequestHandler } from 'express'

/**
 * Calls of a host of its own are those below a path: where people reach this server at
 * https://tapefold.example, those of geo.tapefold.example are below `/geo`. `paths` has the path of
 * each name. Where nobody says how it is reached, there are no such hosts.
 */
export function mountHosts(
  publicUrl: string | null,
  paths: Readonly<Record<string, string>>,
): RequestHandler {
  if (publicUrl === null) return (_req, _res, next) => next()
  const { hostname } = new URL(publicUrl)
  const byHost = new Map<string, string>(
    Object.entries(paths).map(([name, path]) => [`${name}.${hostname}`, path]),
  )
  return (req, _res, next) => {
    const host = req.headers.host?.toLowerCase().replace(/:\d+$/, '')
    const path = host === undefined ? undefined : byHost.get(host)
    if (path !== undefined && req.url.startsWith('/')) req.url = `${path}${req.url}`
    next()
  }
}
