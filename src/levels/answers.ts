import { gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'
import { sha256 } from '../disk/files.ts'
import { openCache } from '../fair/cache.ts'
import { acceptedEncoding, COMPRESS_MIN_BYTES, sendRepresentation } from '../http/answer.ts'
import { CACHE_NEWEST, writeCaching } from '../http/json.ts'
import { formatEtag } from '../published/manifest.ts'

/** Answers as they are sent, kept while they can be asked for again. */

/** What is answered to a question. */
export type LevelsResponse = {
  readonly body: string | Uint8Array
  /** With its parameters. */
  readonly type: string
  readonly isSimulated: boolean
  /** Beside those of every answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the same question has this answer until something else is published. */
  readonly isLasting: boolean
}

type Encoded = { readonly bytes: Uint8Array; readonly etag: string }
type Ready = Pick<LevelsResponse, 'type' | 'isSimulated' | 'headers'> & {
  readonly plain: Encoded
  /** Null where it is not worth it. */
  readonly gzip: Encoded | null
}

/** The answers to some thousand questions, or the histories of 60 sessions in every form. */
const RESPONSES_MAX_BYTES = 48 * 1024 * 1024
const CACHE_PAST = 'private, max-age=60'

export type Sending = {
  readonly req: Request
  readonly res: Response
  /** The question and all that its answer depends on; null: it is never the same again. */
  readonly key: string | null
  /** Of a day that was asked for: it changes only by a correction. */
  readonly isPast: boolean
}

/** Sends the answer to a question, that of `make` where none is kept. */
export type SendLevels = (sending: Sending, make: () => Promise<LevelsResponse>) => Promise<void>

export function openLevelsResponses(): SendLevels {
  const cache = openCache<Ready>(RESPONSES_MAX_BYTES)
  const readyFor = async (
    key: string | null,
    make: () => Promise<LevelsResponse>,
  ): Promise<Ready> => {
    const known = key === null ? undefined : cache.get(key)
    if (known) return known
    const response = await make()
    const ready = prepareResponse(response)
    const bytes = ready.plain.bytes.byteLength + (ready.gzip?.bytes.byteLength ?? 0)
    if (key !== null && response.isLasting) cache.put(key, ready, bytes)
    return ready
  }
  return async (sending, make) => send(sending, await readyFor(sending.key, make))
}

function prepareResponse({ body, type, isSimulated, headers = {} }: LevelsResponse): Ready {
  const plain = typeof body === 'string' ? Buffer.from(body) : body
  const isWorth = plain.byteLength >= COMPRESS_MIN_BYTES
  const gzip = isWorth ? encoded(gzipSync(plain)) : null
  return { type, isSimulated, headers, plain: encoded(plain), gzip }
}

const encoded = (bytes: Uint8Array): Encoded => ({ bytes, etag: formatEtag(sha256(bytes)) })

/** Sends an answer, or 304: its tag is of its bytes alone, the same for every key. */
function send({ req, res, isPast }: Sending, ready: Ready): void {
  const { type, isSimulated, headers, plain, gzip } = ready
  // an answer to a key in an address is kept by nobody
  const before = res.getHeader('cache-control')
  writeCaching(res, before === 'no-store' ? before : isPast ? CACHE_PAST : CACHE_NEWEST)
  if (isSimulated) res.setHeader('x-simulated', 'true')
  for (const [name, value] of Object.entries(headers!)) res.setHeader(name, value)
  const isZipped = gzip && acceptedEncoding(req.headers['accept-encoding'], ['gzip']) !== null
  const sent = isZipped ? ({ ...gzip, encoding: 'gzip' } as const) : plain
  sendRepresentation(req, res, { ...sent, contentType: type })
}
