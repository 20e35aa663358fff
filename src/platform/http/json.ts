import { gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'
import { sha256 } from '../../core/disk/files.ts'
import { formatEtag } from '../../data/published/manifest.ts'
import { openCache } from '../pool/cache.ts'
import { requestContext } from './request.ts'
import { acceptedEncoding, COMPRESS_MIN_BYTES, JSON_TYPE, sendRepresentation } from './response.ts'

/** For responses that change with the next minute: private caches only, revalidated each time. */
export const CACHE_NEWEST = 'private, no-cache'

type Encoded = { readonly bytes: Uint8Array; readonly etag: string }

/**
 * Gzipped bodies by their hash, some thousand: compressing one takes ten times as long as hashing
 * it, and in another thread as long as here.
 */
const gzipped = openCache<Encoded>(8 * 1024 * 1024)

/** Sends a small body made for this request; gzipped when that pays. */
export function sendJson(req: Request, res: Response, text: string): void {
  writeCaching(res, CACHE_NEWEST)
  const plain = Buffer.from(text)
  const accepted = acceptedEncoding(req.headers['accept-encoding'], ['gzip'])
  const encoding = plain.byteLength >= COMPRESS_MIN_BYTES ? accepted : null
  const { accountId } = requestContext(res)
  const body = encoding ? gzipOnce(plain, accountId) : encode(plain)
  sendRepresentation(req, res, {
    ...body,
    contentType: JSON_TYPE,
    ...(encoding ? { encoding } : {}),
  })
}

const encode = (bytes: Uint8Array): Encoded => ({ bytes, etag: formatEtag(sha256(bytes)) })

function gzipOnce(plain: Uint8Array, accountId: string | undefined): Encoded {
  const key = sha256(plain)
  const known = gzipped.get(key)
  if (known) return known
  const made = encode(gzipSync(plain))
  gzipped.put(key, made, made.bytes.byteLength, accountId)
  return made
}

/** Writes the cache policy of a response and the request headers it varies by. */
export function writeCaching(res: Response, cacheControl: string): void {
  res.setHeader('cache-control', cacheControl)
  res.setHeader('vary', 'Accept, Accept-Encoding, Authorization')
}
