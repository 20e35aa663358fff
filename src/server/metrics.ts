import type { Server } from 'node:net'
import type { RequestHandler } from 'express'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { SITE_PATHS } from '../platform/html/layout.ts'
import { docsPages, openApiDocument } from './docs.ts'

/** Prometheus metrics of a server, described in docs/metrics.md, without keys or accounts. */
export type Metrics = {
  /** Counts and times a call; must be the first handler. */
  readonly count: RequestHandler
  /** Counts the sockets of a server, and clients that do not send HTTP. */
  readonly watch: (server: Server) => void
  /** All metrics in the text format of Prometheus. */
  readonly text: () => Promise<string>
  readonly contentType: string
}

/** Registers the metrics of an area. */
type Measure = (registry: Registry) => void

/** Histogram range: from a cached page to an entry log of a thousand sessions. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS']

/**
 * Opens the metrics of one server: `measures` add those of its areas, and `waiting` returns the
 * number of waiting requests.
 */
export function openMetrics(measures: readonly Measure[], waiting: () => number): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const add of measures) add(registry)
  new Gauge({
    name: 'tapefold_queue_length',
    help: 'Questions that wait for their turn.',
    registers,
    collect() {
      this.set(waiting())
    },
  })
  return {
    count: callCounter(registry),
    watch: server => watchSockets(registry, server),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/**
 * Returns the route of a path: the path itself, or its template in the OpenAPI file, such as
 * `/api/session/{day}`; any other is `other`, so that clients cannot create labels.
 */
function routeNamer(): (path: string) => string {
  const paths = Object.keys(openApiDocument().paths ?? {})
  const routes = new Set([...paths, ...Object.keys(docsPages), ...SITE_PATHS])
  const templates = paths
    .filter(path => path.includes('{'))
    .map(path => [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const)
  return path =>
    routes.has(path) ? path : (templates.find(([, shape]) => shape.test(path))?.[0] ?? 'other')
}

function callCounter(registry: Registry): RequestHandler {
  const nameRoute = routeNamer()
  const registers = [registry]
  const calls = new Counter({
    name: 'tapefold_http_requests_total',
    help: 'Calls by route, method and status; none: the client left before its answer.',
    labelNames: ['route', 'method', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'tapefold_http_request_duration_seconds',
    help: 'From the head of a call to the end of its answer.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  })
  return (req, res, next) => {
    const route = nameRoute(req.url.split('?')[0]!)
    const method = METHODS.includes(req.method) ? req.method : 'other'
    const end = seconds.startTimer({ route })
    res.on('close', () => {
      calls.inc({ route, method, status: res.headersSent ? res.statusCode : 'none' })
      end()
    })
    next()
  }
}

function watchSockets(registry: Registry, server: Server): void {
  const registers = [registry]
  new Gauge({
    name: 'tapefold_sockets_open',
    help: 'Connections of clients that are open.',
    registers,
    async collect() {
      this.set(await openSockets(server))
    },
  })
  const errors = new Counter({
    name: 'tapefold_client_errors_total',
    help: 'Requests that were not valid HTTP, too large or too late: no call is counted for them.',
    registers,
  })
  server.on('clientError', () => errors.inc())
}

const openSockets = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
