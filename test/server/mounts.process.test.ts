import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Express, type RequestHandler } from 'express'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openMounts } from '../../src/server/mounts.ts'
import { runs } from '../support/runs.ts'

const PATHS = ['/a', '/a/b', '/a/b/c', '/A', '/ab', '/b', '/a.b']
const TARGETS = [
  '/',
  '/a',
  '/a/',
  '/a//',
  '//a',
  '/a/b',
  '/a/b/',
  '/a/b/c/d',
  '/a//b',
  '/ab',
  '/a.b',
  '/axb',
  '/A',
  '/A/b',
  '/%61',
  '/a%2Fb',
  '/a/%2e',
  '/a?b',
  '/a/b?x=/b',
  '/b/a',
  '/c',
  '/a/b;x',
]

/** Names the mount, and what a handler sees of the URL. */
const record =
  (name: string): RequestHandler =>
  (req, res, next) => {
    res.locals.seen = [...(res.locals.seen ?? []), [name, req.baseUrl, req.url, req.originalUrl]]
    next(name.endsWith('fails') ? new Error(name) : undefined)
  }

function newApp(use: (app: Express) => void): Express {
  const app = express()
  app.enable('case sensitive routing')
  app.enable('strict routing')
  use(app)
  app.use((_req, res) => res.json(res.locals.seen ?? []))
  app.use(((error, _req, res, _next) => {
    res.json([...(res.locals.seen ?? []), (error as Error).message])
  }) as express.ErrorRequestHandler)
  return app
}

async function readAll(app: Express): Promise<unknown[]> {
  const server = createServer(app)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const seen: unknown[] = []
  for (const target of TARGETS)
    seen.push(await (await fetch(`http://127.0.0.1:${port}${target}`)).json())
  await new Promise(closed => server.close(closed))
  return seen
}

test('mounts of any paths see what those of Express see, in the same order', async () => {
  const mount = fc.record({ path: fc.constantFrom(...PATHS), fails: fc.boolean() })
  const paths = fc.uniqueArray(mount, { selector: ({ path }) => path, maxLength: PATHS.length })
  await fc.assert(
    fc.asyncProperty(paths, async mounted => {
      const handlers = mounted.map(({ path, fails }, index) => {
        return [path, record(`${index}${fails ? ' fails' : ''}`)] as const
      })
      const own = newApp(app => {
        const mounts = openMounts()
        for (const [path, handler] of handlers) mounts.use(path, handler)
        app.use(mounts.handle)
      })
      const theirs = newApp(app => {
        for (const [path, handler] of handlers) app.use(path, handler)
      })
      expect(await readAll(own)).toEqual(await readAll(theirs))
    }),
    { numRuns: runs(40) },
  )
})
