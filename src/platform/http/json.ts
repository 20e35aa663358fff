import { gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'
import { sha256 } from '../../core/disk/files.ts'
import { formatEtag } from '../../data/published/manifest.ts'
import { openCache } from '../pool/cache.ts'
import { requestContext } from './request.ts'
import { acceptedEncoding, COMPRESS_MIN_BYTES, JSON_TYPE, sendRepresentation } from './response.ts'

/** For responses that change with the next minute: private caches only, revalidated each time. */
export const CACHE_NEWEST = 'private, no-cache'

/** Gzipped bodies by their hash, which takes a tenth of the time; another thread is no faster. */
const gzipped = openCache<Uint8Array>(8 * 1024 * 1024)

/** Sends a small body made for this request; gzipped when that pays. */
export function sendJson(req: Request, res: Response, text: string): void {
  writeCaching(res, CACHE_NEWEST)
  const plain = Buffer.from(text)
  const accepted = acceptedEncoding(req.headers['accept-encoding'], ['gzip'])
  const encoding = plain.byteLength >= COMPRESS_MIN_BYTES ? accepted : null
  const bytes = encoding ? gzipOnce(plain, requestContext(res).accountId) : plain
  const encoded = encoding ? { encoding } : {}
  const etag = formatEtag(sha256(bytes))
  sendRepresentation(req, res, { bytes, etag, contentType: JSON_TYPE, ...encoded })
}

function gzipOnce(plain: Uint8Array, accountId: string | undefined): Uint8Array {
  const key = sha256(plain)
  const known = gzipped.get(key)
  if (known) return known
  const bytes = gzipSync(plain)
  gzipped.put(key, bytes, bytes.byteLength, accountId)
  return bytes
}

/** Writes the cache policy of a response and the request headers it varies by. */
export function writeCaching(res: Response, cacheControl: string): void {
  res.setHeader('cache-control', cacheControl)
  res.setHeader('vary', 'Accept, Accept-Encoding, Authorization')
}
