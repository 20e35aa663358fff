import express, { type RequestHandler, type Router } from 'express'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import { readIdempotencyKey, sendChanged } from '../accounts/repeatKey.ts'
import { readBody } from '../platform/http/body.ts'
import { ApiError } from '../platform/http/error.ts'
import { sendJson } from '../platform/http/json.ts'
import { onlyOne, readQuery } from '../platform/http/query.ts'
import { reading, refuseRoute } from '../platform/http/request.ts'
import { acceptedType } from '../platform/http/response.ts'
import { type ChatDeps, chatOnce, type LabDeps, type LabRequester, state, thread } from './ask.ts'
import { vocabulary } from './language/vocabulary.ts'
import { badRequest, parseChat } from './parseChat.ts'
import { readRequester } from './requester.ts'
import { addRunRoutes, POST_METHODS, type RunRouteDeps } from './runRoutes.ts'

/** The LAB API, to be mounted under `/api/lab` behind a key. */
export function labRouter(deps: RunRouteDeps & ChatDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const read = (createBody: (requester: LabRequester) => Promise<object>): RequestHandler =>
    reading(async (req, res) => {
      readQuery(req, res, [])
      const body = JSON.stringify(
        await refuseWhileUnavailable(() => createBody(readRequester(res, deps))),
      )
      acceptedType(req, ['application/json'])
      sendJson(req, res, body)
    })
  router.all('/chat', takeChat(deps))
  addRunRoutes(router, deps)
  router.all(
    '/state',
    read(requester => state(deps, requester)),
  )
  router.all('/thread', readThread(deps))
  // built from the parser's own table, which is constant while the server runs
  const words = JSON.stringify(vocabulary())
  router.all(
    '/vocabulary',
    reading((req, res) => {
      readQuery(req, res, [])
      acceptedType(req, ['application/json'])
      sendJson(req, res, words)
    }),
  )
  router.use(refuseRoute)
  return router
}

function takeChat(deps: ChatDeps): RequestHandler {
  return async (req, res) => {
    if (req.method !== 'POST') {
      throw new ApiError('method', {
        message: `this endpoint takes POST, not ${req.method}.`,
        headers: { allow: POST_METHODS },
      })
    }
    readQuery(req, res, [])
    const input = parseChat(await readBody(req))
    const repeat = readIdempotencyKey(req, input)
    const requester = readRequester(res, deps)
    const { taken, headers } = await refuseWhileUnavailable(() =>
      chatOnce(deps, requester, input, repeat),
    )
    for (const header of Object.entries(headers)) res.setHeader(...header)
    sendChanged(res, taken)
  }
}

function readThread(deps: LabDeps): RequestHandler {
  return reading(async (req, res) => {
    const id = onlyOne('id', readQuery(req, res, ['id']).id)
    if (id === null) {
      throw badRequest('id is missing; give an idea, such as ?id=i_4fQ8sK2mZx0T.')
    }
    const body = JSON.stringify(
      await refuseWhileUnavailable(() => thread(deps, readRequester(res, deps), id)),
    )
    acceptedType(req, ['application/json'])
    sendJson(req, res, body)
  })
}
