import type { Request, RequestHandler, Response } from 'express'
import { formatEtag } from '../data/published/manifest.ts'
import { ApiError } from '../platform/http/error.ts'
import { createCachedPage, type Page, sendPage } from '../platform/http/page.ts'
import { readQuery } from '../platform/http/query.ts'
import { reading, shown } from '../platform/http/request.ts'
import { hasEtag, JSON_TYPE } from '../platform/http/response.ts'
import { openCache } from '../platform/pool/cache.ts'
import { datasetError } from './errors.ts'
import type { Snapshots, TreeFile } from './snapshots.ts'

export const PARQUET_TYPE = 'application/vnd.apache.parquet'
const SUMS_TYPE = 'text/plain; charset=utf-8'
const VIEWS_TYPE = 'application/sql; charset=utf-8'

/** Immutable: the name of a Parquet file contains the hash of its content. */
const CACHE_FILE = 'max-age=31536000, immutable'
/** A list changes with every session that is published. */
const CACHE_LIST = 'no-cache'
/** Cached lists, in each of their encodings. */
const PAGES_MAX_BYTES = 32 * 1024 * 1024

export type SnapshotDeps = {
  readonly snapshots: Snapshots
  /** Path at which they are served. */
  readonly path: string
  /** Folder of the files. */
  readonly folder: string
  /** Fails with `damaged` when a file differs from its hash. */
  readonly prove: (found: TreeFile) => Promise<void>
  /** Public: they need no key, so any cache may store them. */
  readonly audience: 'private' | 'public'
}

/** The files below a path; the caller authenticates. */
export function snapshotFiles(deps: SnapshotDeps): RequestHandler {
  const { snapshots, path, audience } = deps
  const cachePage = openPageCache(audience)
  const renderList = (name: string, req: Request): (() => Page) | null => {
    if (name === 'index.json') return () => cachePage(name, JSON_TYPE, snapshots.index())
    if (name === 'SHA256SUMS') return () => cachePage(name, SUMS_TYPE, snapshots.sums())
    if (name === 'views.sql')
      return () => cachePage(name, VIEWS_TYPE, snapshots.views(`${readOrigin(req)}${path}/`))
    const manifest = snapshots.manifest(name)
    return manifest === null ? null : () => cachePage(name, JSON_TYPE, manifest)
  }
  return (req, res, next) => {
    // not decoded: no character of a name needs an escape
    const name = req.url.split('?')[0]!.slice(1)
    const list = renderList(name, req)
    const found = list ? null : snapshots.find(name)
    if (!list && !found) throw noFile(path, name)
    const send = reading(async () => {
      readQuery(req, res, [])
      return list ? sendPage(req, res, list()) : sendSnapshot(req, res, deps, found!)
    })
    return send(req, res, next)
  }
}

const noFile = (path: string, name: string) =>
  datasetError('not_found', {
    message: `there is no file ${shown(name)}; ${path}/index.json lists them.`,
  })

/** Caches pages by their text: each is compressed once. */
function openPageCache(
  audience: SnapshotDeps['audience'],
): (name: string, contentType: string, text: string) => Page {
  const pages = openCache<{ readonly text: string; readonly page: Page }>(PAGES_MAX_BYTES)
  return (name, contentType, text) => {
    const cached = pages.get(name)
    if (cached?.text === text) return cached.page
    const headers = { 'cache-control': `${audience}, ${CACHE_LIST}` }
    const page = createCachedPage({ content: text, contentType, headers })
    pages.put(name, { text, page }, 3 * text.length)
    return page
  }
}

/** The address of the server, as the client wrote it. */
function readOrigin(req: Request): string {
  const { host = '' } = req.headers
  if (!/^[\w.:[\]-]{1,255}$/.test(host)) {
    const message = `Host is ${shown(host)}; views.sql needs one such as example.com:8080.`
    throw new ApiError('bad_request', { message })
  }
  // a proxy that terminates TLS sets it; a client that forges it misleads only itself
  const scheme = req.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  return `${scheme}://${host}`
}

/** Conditional headers handled here: `send` does not support strong validators. */
const JUDGED = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'] as const

async function sendSnapshot(req: Request, res: Response, deps: SnapshotDeps, found: TreeFile) {
  const { path, folder, prove, audience } = deps
  const { entry, simulated } = found
  await prove(found)
  const etag = formatEtag(entry.sha256)
  const { 'if-match': wanted, 'if-none-match': had, 'if-range': ifRange } = req.headers
  if (wanted !== undefined && !isStrongMatch(wanted, etag)) {
    throw datasetError('precondition_failed', {
      message: `If-Match does not name this version, ${etag}.`,
    })
  }
  writeHeaders(res, { etag, sha256: entry.sha256, simulated, audience })
  if (hasEtag(had, etag)) return void res.writeHead(304).end()
  for (const name of JUDGED) delete req.headers[name]
  // ranges apply to GET, and to the version of which the client has the rest (RFC 9110, 13.1.5,
  // 14.2)
  const isOther = ifRange !== undefined && String(ifRange).trim() !== etag
  if (isOther || req.method === 'HEAD') delete req.headers.range
  // a longer suffix means the whole file (RFC 9110, 14.1.2), which `send` refuses
  const last = /^\s*bytes=\s*-(\d+)\s*$/.exec(req.headers.range ?? '')?.[1]
  if (Number(last) >= entry.bytes) req.headers.range = 'bytes=0-'
  res.setHeader('content-type', PARQUET_TYPE)
  await sendPart(res, { root: folder, file: entry.file, path })
}

/** If-Match compares strongly: a weak validator never matches (RFC 9110, 13.1.1). */
const isStrongMatch = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some(listed => listed.trim() === etag)

type Described = {
  readonly etag: string
  readonly sha256: string
  readonly simulated: boolean
  readonly audience: SnapshotDeps['audience']
}

function writeHeaders(res: Response, { etag, sha256, simulated, audience }: Described): void {
  res.setHeader('etag', etag)
  res.setHeader('cache-control', `${audience}, ${CACHE_FILE}`)
  if (audience === 'private') res.setHeader('vary', 'Authorization')
  res.setHeader('accept-ranges', 'bytes')
  // of the whole file, whichever part of it is sent (RFC 9530)
  res.setHeader('repr-digest', `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`)
  if (simulated) res.setHeader('x-simulated', 'true')
}

/** Size of a read: the usual 64 KB cost a fifth more time for large files. */
const READ_BYTES = 256 * 1024

/** Error type of the callback of `send`. */
type SendError = NodeJS.ErrnoException & { readonly status?: number }

type Part = { readonly root: string; readonly file: string; readonly path: string }

/** Sends the file, or the requested part; a client that disconnects is no failure. */
function sendPart(res: Response, { root, file, path }: Part): Promise<void> {
  const options = { root, cacheControl: false, lastModified: false, highWaterMark: READ_BYTES }
  // a client that reads nothing until the response times out can resume from there; where it has
  // read everything, the disk is slow, and it may wait
  res.on('timeout', () => {
    if (res.writableLength > 0) res.destroy()
  })
  return new Promise((resolve, reject) => {
    res.sendFile(file, options, (error?: SendError) => {
      if (!error || error.code === 'ECONNABORTED' || error.syscall === 'write') return resolve()
      if (res.headersSent) return reject(error)
      const size = res.getHeader('content-range')
      for (const name of ['etag', 'repr-digest', 'accept-ranges', 'x-simulated']) {
        res.removeHeader(name)
      }
      if (error.status === 416) {
        const message = `Range names no byte of the file, which is ${size}; write bytes=0-1023.`
        const headers = { 'content-range': String(size) }
        return reject(datasetError('bad_range', { message, headers }))
      }
      // removed in the meantime: a newer version is listed
      if (error.status === 404) return reject(noFile(path, file.split('/').at(-1)!))
      reject(error)
    })
  })
}
