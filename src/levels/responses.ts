import { gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'
import { sha256 } from '../core/disk/files.ts'
import { formatEtag } from '../data/published/manifest.ts'
import { CACHE_NEWEST, writeCaching } from '../platform/http/json.ts'
import {
  acceptedEncoding,
  COMPRESS_MIN_BYTES,
  sendRepresentation,
} from '../platform/http/response.ts'
import { openCache } from '../platform/pool/cache.ts'

/** Encoded responses, cached while they can be requested again. */

/** Response to a query. */
export type LevelsResponse = {
  readonly body: string | Uint8Array
  /** With its parameters. */
  readonly type: string
  readonly isSimulated: boolean
  /** Headers besides those of every response. */
  readonly headers?: Readonly<Record<string, string>>
  /** True when the same query has this response until something else is published. */
  readonly isLasting: boolean
}

type Encoded = { readonly bytes: Uint8Array; readonly etag: string }
type Ready = Pick<LevelsResponse, 'type' | 'isSimulated' | 'headers'> & {
  readonly plain: Encoded
  /** Null when compression is not worth it. */
  readonly gzip: Encoded | null
}

/** The responses to some thousand queries, or the histories of 60 sessions in every form. */
const RESPONSES_MAX_BYTES = 48 * 1024 * 1024
const CACHE_PAST = 'private, max-age=60'

export type Sending = {
  readonly req: Request
  readonly res: Response
  /** The query and everything its response depends on; null: not cacheable. */
  readonly key: string | null
  /** True for a requested day: it changes only by a correction. */
  readonly isPast: boolean
}

/** Sends the cached response to a query, or else that of `make`. */
export type SendLevels = (sending: Sending, make: () => Promise<LevelsResponse>) => Promise<void>

export function openLevelsResponses(): SendLevels {
  const cache = openCache<Ready>(RESPONSES_MAX_BYTES)
  const makeReady = async (
    key: string | null,
    make: () => Promise<LevelsResponse>,
  ): Promise<Ready> => {
    const response = await make()
    const ready = prepareResponse(response)
    const bytes = ready.plain.bytes.byteLength + (ready.gzip?.bytes.byteLength ?? 0)
    if (key !== null && response.isLasting) cache.put(key, ready, bytes)
    return ready
  }
  return async (sending, make) => {
    const { key } = sending
    const known = key === null ? undefined : cache.get(key)
    send(sending, known ?? (await makeReady(key, make)))
  }
}

function prepareResponse({ body, type, isSimulated, headers = {} }: LevelsResponse): Ready {
  const plain = typeof body === 'string' ? Buffer.from(body) : body
  const isWorth = plain.byteLength >= COMPRESS_MIN_BYTES
  const gzip = isWorth ? encoded(gzipSync(plain)) : null
  return { type, isSimulated, headers, plain: encoded(plain), gzip }
}

const encoded = (bytes: Uint8Array): Encoded => ({ bytes, etag: formatEtag(sha256(bytes)) })

/** Sends a response, or 304: its tag depends on its bytes alone, the same for every key. */
function send({ req, res, isPast }: Sending, ready: Ready): void {
  const { type, isSimulated, headers, plain, gzip } = ready
  // a response to a key in an address must not be cached
  const before = res.getHeader('cache-control')
  writeCaching(res, before === 'no-store' ? before : isPast ? CACHE_PAST : CACHE_NEWEST)
  if (isSimulated) res.setHeader('x-simulated', 'true')
  for (const [name, value] of Object.entries(headers!)) res.setHeader(name, value)
  const isZipped = gzip && acceptedEncoding(req.headers['accept-encoding'], ['gzip']) !== null
  const sent = isZipped ? ({ ...gzip, encoding: 'gzip' } as const) : plain
  sendRepresentation(req, res, { ...sent, contentType: type })
}
