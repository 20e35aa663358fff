import express, { type Response, type Router } from 'express'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { JSON_TYPE } from './http/answer.ts'
import { errorResponses, UNKEYED_ERRORS } from './http/openapi.ts'
import { reading } from './http/request.ts'
import { publicStatus } from './publicStatus.ts'
import { statusPage } from './statusPage.ts'
import { StatusAnswer } from './statusSchema.ts'
import { judgeStatus, type Status, type StatusDeps } from './store/status.ts'

/**
 * `/status` and `/status.json`: the state of the data, made of the manifests when it is asked for,
 * so that they answer without a key, an account store or DuckDB. Always 200: `/health` is what a
 * monitor asks.
 */
export function statusRouter(deps: StatusDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  router.all(
    '/status',
    reading((_req, res) => {
      send(res, 'text/html; charset=utf-8', statusPage(publicStatus(judgeStatus(deps))))
    }),
  )
  router.all(
    '/status.json',
    reading((_req, res) => {
      send(res, JSON_TYPE, JSON.stringify(wireStatus(publicStatus(judgeStatus(deps)))))
    }),
  )
  return router
}

/** What is told of a status: all but the name of its alarm. */
const wireStatus = ({ alarm: _, ...told }: Status) => told

function send(res: Response, contentType: string, text: string): void {
  const body = Buffer.from(text)
  res.setHeader('content-type', contentType)
  res.setHeader('content-length', body.byteLength)
  res.setHeader('cache-control', 'no-store')
  res.writeHead(200).end(body)
}

/** The status operation of the OpenAPI file. */
export const statusPaths: ZodOpenApiPathsObject = {
  '/status.json': {
    get: {
      operationId: 'readStatus',
      tags: ['Service'],
      summary: 'How old the data are, session by session',
      description:
        'Needs no key. What the page `/status` shows: the newest session with its last minute, ' +
        'lag, gaps and datasets, and each weekday of the last 90 days. Always 200.',
      security: [],
      responses: {
        '200': {
          description: 'The state of the data.',
          content: { 'application/json': { schema: StatusAnswer } },
        },
        ...errorResponses(UNKEYED_ERRORS),
      },
    },
  },
}
