import express, { type RequestHandler, type Response, type Router } from 'express'
import { planAt } from '../accounts/products.ts'
import { acceptedType, JSON_TYPE } from '../http/answer.ts'
import { answering } from '../http/auth.ts'
import { readBody } from '../http/body.ts'
import { ApiError } from '../http/error.ts'
import { sendJson } from '../http/json.ts'
import { onlyOne, readQuery } from '../http/query.ts'
import { contextOf, reading, refuseRoute } from '../http/request.ts'
import { chat, type LabAsker, type LabDeps, state, thread } from './ask.ts'
import { vocabulary } from './language/vocabulary.ts'
import { badRequest, parseChat } from './parseChat.ts'

/** The methods that `/api/lab/chat` takes. */
export const CHAT_METHODS = 'POST, OPTIONS'

/** The LAB API, to be mounted under `/api/lab` behind a key. */
export function labRouter(deps: LabDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const read = (answer: (asker: LabAsker) => Promise<object>): RequestHandler =>
    reading(async (req, res) => {
      readQuery(req, res, [])
      const body = JSON.stringify(await answering(() => answer(askerOf(res, deps))))
      acceptedType(req, ['application/json'])
      sendJson(req, res, body)
    })
  router.all('/chat', takeChat(deps))
  router.all(
    '/state',
    read(asker => state(deps, asker)),
  )
  router.all('/thread', readThread(deps))
  // of the parser's own table, which a running server never changes
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

function takeChat(deps: LabDeps): RequestHandler {
  return async (req, res) => {
    if (req.method !== 'POST') {
      throw new ApiError('method', {
        message: `this endpoint takes POST, not ${req.method}.`,
        headers: { allow: CHAT_METHODS },
      })
    }
    readQuery(req, res, [])
    const input = parseChat(await readBody(req))
    const answer = await answering(() => chat(deps, askerOf(res, deps), input))
    const body = Buffer.from(JSON.stringify(answer))
    res.setHeader('content-type', JSON_TYPE)
    res.setHeader('content-length', body.byteLength)
    res.setHeader('cache-control', 'no-store')
    res.writeHead(200).end(body)
  }
}

function readThread(deps: LabDeps): RequestHandler {
  return reading(async (req, res) => {
    const id = onlyOne('id', readQuery(req, res, ['id']).id)
    if (id === null) {
      throw badRequest('id is missing; give an idea, such as ?id=i_4fQ8sK2mZx0T.')
    }
    const body = JSON.stringify(await answering(() => thread(deps, askerOf(res, deps), id)))
    acceptedType(req, ['application/json'])
    sendJson(req, res, body)
  })
}

/** The account of a call, and what its plan gives a month. */
function askerOf(res: Response, { nowMs }: LabDeps): LabAsker {
  const { accountId, holder } = contextOf(res)
  const plan = planAt(holder!.products, 'lab', nowMs())
  return { accountId: accountId!, monthlyCredits: plan?.monthlyCredits ?? null }
}
