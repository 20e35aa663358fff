import type { Request, RequestHandler, Response } from 'express'
import { createCachedPage, type Page, sendPage } from '../platform/http/page.ts'
import { readQuery } from '../platform/http/query.ts'
import { reading, refuseRoute, routePaths, useErrors } from '../platform/http/request.ts'
import {
  acceptedEncoding,
  acceptedType,
  JSON_TYPE,
  sendRepresentation,
} from '../platform/http/response.ts'
import { DATASET_ERRORS } from './errors.ts'
import { type Archive, type ArchiveBytes, parseBook, parseHalfHour } from './finished.ts'

/** A finished session changes only by a correction. */
const CACHE = 'public, max-age=300'

/** The archive without a key, by path; `limit` bounds the calls of an address. */
export function archiveRoutes(
  archive: Archive,
  limit: RequestHandler,
): Readonly<Record<string, readonly RequestHandler[]>> {
  const before = [useErrors(DATASET_ERRORS), limit]
  return {
    '/api/days': [...before, listRouter(archive.days)],
    '/api/grades': [...before, listRouter(archive.grades)],
    '/api/session': [...before, sessionRouter(archive)],
  }
}

/** One list as JSON, without parameters. */
function listRouter(read: () => object | Promise<object>): RequestHandler {
  const renderList = listPage()
  const readList = reading(async (req, res) => {
    readQuery(req, res, [])
    acceptedType(req, ['application/json'])
    return sendPage(req, res, renderList(await read()))
  })
  const serveRoot = routePaths({ '/': readList })
  return (req, res, next) => {
    // when mounted, a path with a trailing slash looks like the one without
    const isRoot = !readPath(req.originalUrl).endsWith('/')
    return (isRoot ? serveRoot : refuseRoute)(req, res, next)
  }
}

/** Caches the page of a list until the list changes. */
function listPage(): (list: object) => Page {
  let last: { readonly list: object; readonly text: string; readonly page: Page } | null = null
  return list => {
    if (last?.list === list) return last.page
    const text = JSON.stringify(list)
    const headers = { 'cache-control': CACHE }
    const page =
      last?.text === text
        ? last.page
        : createCachedPage({ content: text, contentType: JSON_TYPE, headers })
    last = { list, text, page }
    return page
  }
}

/** `/{day}`, `/{day}/gamma` and `/{day}/strikes`. */
function sessionRouter(archive: Archive): RequestHandler {
  const readSession = reading(async (req, res) => {
    readQuery(req, res, [])
    const session = archive.find(splitPath(req)[0]!)
    const encoding = chooseEncoding(req)
    return send(req, res, await archive.session(session, encoding), encoding)
  })
  const readGamma = reading(async (req, res) => {
    const book = parseBook(readQuery(req, res, ['book']).book)
    const session = archive.find(splitPath(req)[0]!)
    const encoding = chooseEncoding(req)
    return send(req, res, await archive.gamma(session, book, encoding), encoding)
  })
  const readStrikes = reading(async (req, res) => {
    const query = readQuery(req, res, ['book', 'time'])
    const wanted = { book: parseBook(query.book), half: parseHalfHour(query.time) }
    const session = archive.find(splitPath(req)[0]!)
    const encoding = chooseEncoding(req)
    return send(req, res, await archive.strikes(session, wanted, encoding), encoding)
  })
  const parts = new Map([
    ['gamma', readGamma],
    ['strikes', readStrikes],
  ])
  return (req, res, next) => {
    const [day, part, ...more] = splitPath(req)
    if (!day || more.length > 0) return refuseRoute(req, res, next)
    if (part === undefined) return readSession(req, res, next)
    return (parts.get(part) ?? refuseRoute)(req, res, next)
  }
}

/** The parts of the path below the mount, not decoded: an escaped day is not valid. */
const splitPath = (req: Request): string[] => readPath(req.url).slice(1).split('/')

const readPath = (url: string): string => url.split('?')[0]!

function chooseEncoding(req: Request) {
  acceptedType(req, ['application/json'])
  return acceptedEncoding(req.headers['accept-encoding'], ['br', 'gzip'])
}

function send(
  req: Request,
  res: Response,
  { bytes, etag }: ArchiveBytes,
  encoding: 'br' | 'gzip' | null,
): void {
  res.setHeader('cache-control', CACHE)
  res.setHeader('vary', 'Accept-Encoding')
  const encoded = encoding ? { encoding } : {}
  sendRepresentation(req, res, { bytes, etag, contentType: JSON_TYPE, ...encoded })
}
