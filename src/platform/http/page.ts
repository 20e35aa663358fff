import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'
import { sha256 } from '../../core/disk/files.ts'
import { formatEtag } from '../../data/published/manifest.ts'
import {
  acceptedEncoding,
  COMPRESS_MIN_BYTES,
  type Encoding,
  type Representation,
  sendRepresentation,
} from './response.ts'

/** A body made before its requests: each encoding of it is compressed and hashed once. */
export type Page = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly form: (acceptEncoding: string | undefined) => Representation | Promise<Representation>
}

export type PageContent = {
  readonly content: string | Uint8Array
  readonly contentType: string
  /** Defaults to 200. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
}

/** A fourteenth of the highest quality's time, for a tenth more bytes. */
const CACHED_QUALITY = 9
/** For pages valid for one second: takes less time than gzip. */
const BRIEF_QUALITY = 4

/** A page valid for one second: compressed synchronously, since other threads may be busy. */
export function briefPage(page: PageContent): Page {
  return createPage(page, (bytes, encoding) =>
    encoding === 'gzip' ? gzipSync(bytes) : brotliCompressSync(bytes, quality(BRIEF_QUALITY)),
  )
}

/** A page that never changes in this process: compressed in the background, whatever its size. */
export function createCachedPage(page: PageContent): Page {
  return createPage(page, (bytes, encoding) =>
    encoding === 'gzip'
      ? promisify(gzip)(bytes, { level: CACHED_QUALITY })
      : promisify<Uint8Array, object, Buffer>(brotliCompress)(bytes, quality(CACHED_QUALITY)),
  )
}

const quality = (value: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: value } })

type Compress = (bytes: Uint8Array, encoding: Encoding) => Uint8Array | Promise<Uint8Array>

function createPage(page: PageContent, compress: Compress): Page {
  const { content, contentType, status = 200, headers } = page
  const plain = Buffer.from(content)
  const isText = !contentType.startsWith('image/')
  const offered: Encoding[] = isText && plain.byteLength >= COMPRESS_MIN_BYTES ? ['br', 'gzip'] : []
  const made = new Map<Encoding | null, Representation | Promise<Representation>>()

  const make = (encoding: Encoding | null) => {
    if (encoding === null) return { bytes: plain, etag: formatEtag(sha256(plain)), contentType }
    const encoded = (bytes: Uint8Array) => {
      return { bytes, etag: formatEtag(sha256(bytes)), contentType, encoding }
    }
    const compressed = compress(plain, encoding)
    if (!(compressed instanceof Promise)) return encoded(compressed)
    return compressed.then(bytes => {
      const form = encoded(bytes)
      // available synchronously from here on
      made.set(encoding, form)
      return form
    })
  }

  const form: Page['form'] = acceptEncoding => {
    const encoding = offered.length === 0 ? null : acceptedEncoding(acceptEncoding, offered)
    const known = made.get(encoding)
    if (known) return known
    const making = make(encoding)
    made.set(encoding, making)
    return making
  }
  const vary = offered.length > 0 ? { vary: 'Accept-Encoding' } : {}
  return { status, headers: { ...headers, ...vary }, form }
}

/** Sends a page in an encoding the client accepts; 304 when it has a page of status 200 already. */
export async function sendPage(req: Request, res: Response, page: Page): Promise<void> {
  const accepted = page.form(req.headers['accept-encoding'])
  const form = accepted instanceof Promise ? await accepted : accepted
  for (const [name, value] of Object.entries(page.headers)) res.setHeader(name, value)
  if (page.status === 200) return sendRepresentation(req, res, form)
  res.setHeader('content-type', form.contentType)
  if (form.encoding) res.setHeader('content-encoding', form.encoding)
  res.setHeader('content-length', form.bytes.byteLength)
  res.writeHead(page.status).end(form.bytes)
}
