import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Refusal } from '../core/disk/refusal.ts'
import { ApiError } from '../platform/http/error.ts'
import { COMMON_ERRORS, toErrorResponse } from '../platform/http/errors/catalogue.ts'
import type { Log } from '../platform/http/request.ts'
import { sendError } from '../platform/http/response.ts'
import type { Metrics } from './metrics.ts'

/** Reachable only from this machine: the metrics are for its operator only. */
const HOST = '127.0.0.1'
const PATH = '/metrics'
/** One scraper needs one connection; a program that opens many takes nothing from calls. */
const MAX_CONNECTIONS = 16
const REQUEST_TIMEOUT_MS = 5_000

export type MetricsServer = {
  /** Such as http://127.0.0.1:9464/metrics. */
  readonly url: string
  readonly close: () => void
}

/** Serves metrics on a separate port; 0 takes any free one. Fails with one sentence. */
export async function serveMetrics(
  metrics: Metrics,
  { port, log }: { readonly port: number; readonly log: Log },
): Promise<MetricsServer> {
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (req, res) => {
      respond(metrics, req, res).catch(error => {
        log.error({ err: String(error) }, 'metrics')
        res.destroy()
      })
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  server.on('clientError', (_, socket) => socket.destroy())
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, HOST, listening)
  }).catch((error: NodeJS.ErrnoException) => {
    const seen = `port ${port} of ${HOST}, for metrics, cannot be had (${error.code})`
    throw new Refusal(`${seen}; give another as TAPEFOLD_METRICS_PORT.`)
  })
  // such as no descriptor for another connection: the next one may succeed
  server.on('error', error => log.error({ err: String(error) }, 'metrics'))
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}${PATH}`
  log.info({ url }, 'metrics')
  return {
    url,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function respond(metrics: Metrics, req: IncomingMessage, res: ServerResponse): Promise<void> {
  res.setHeader('connection', 'close')
  if (req.url !== PATH) {
    const message = `the only endpoint here is ${PATH}.`
    return sendError(
      res as never,
      toErrorResponse(new ApiError('no_route', { message }), COMMON_ERRORS),
    )
  }
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    const message = `this endpoint takes GET and HEAD.`
    const headers = { allow: 'GET, HEAD' }
    return sendError(
      res as never,
      toErrorResponse(new ApiError('method', { message, headers }), COMMON_ERRORS),
    )
  }
  const body = Buffer.from(await metrics.text())
  res.writeHead(200, {
    'content-type': metrics.contentType,
    'content-length': body.byteLength,
    'cache-control': 'no-store',
  })
  res.end(body)
}
