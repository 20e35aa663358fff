import type { RequestHandler } from 'express'

/**
 * Maps calls of a subdomain to a path: when the public address is https://tapefold.example, those
 * of geo.tapefold.example go to `/geo`. `paths` has the path of each name. Without a public address
 * there are no subdomains.
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
