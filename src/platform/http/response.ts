import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import { atEndOfTurn } from '../../core/turn.ts'
import { ApiError } from './error.ts'
import type { ErrorResponse } from './errors/catalogue.ts'
import { maskedStart } from './mask.ts'

/** Bytes below which compression does not pay for its headers. */
export const COMPRESS_MIN_BYTES = 1024
export const JSON_TYPE = 'application/json; charset=utf-8'
export const HTML_TYPE = 'text/html; charset=utf-8'
const SHOWN_ACCEPT_LENGTH = 80
/** Bytes that Node copies behind the head of a response, so that both are one write. */
const TEXT_MAX_BYTES = 8_192

/** One representation of a resource, ready to be sent. */
export type Representation = {
  readonly bytes: Uint8Array
  /** Strong and quoted: equal bytes have equal tags for every client. */
  readonly etag: string
  readonly contentType: string
  readonly encoding?: Encoding
}

/** Sends a representation, or 304 when the client has it; only the headers for HEAD. */
export function sendRepresentation(
  req: Request,
  res: Response,
  { bytes, etag, contentType, encoding }: Representation,
): void {
  res.setHeader('etag', etag)
  if (hasEtag(req.headers['if-none-match'], etag)) {
    if (res.hasHeader('x-service-status')) res.setHeader('x-service-status', '304')
    res.writeHead(304).end()
    return
  }
  res.setHeader('content-type', contentType)
  if (encoding) res.setHeader('content-encoding', encoding)
  res.setHeader('content-length', bytes.byteLength)
  res.writeHead(200)
  const text =
    bytes.byteLength > TEXT_MAX_BYTES
      ? null
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  atEndOfTurn(() => (text === null ? res.end(bytes) : res.end(text, 'latin1')))
}

/** Sends an error in its product's format, whatever the client accepts. */
export function sendError(res: Response, { status, headers, body }: ErrorResponse): void {
  res.setHeader('content-type', JSON_TYPE)
  res.setHeader('content-length', Buffer.byteLength(body))
  res.setHeader('cache-control', 'no-store')
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.writeHead(status).end(body)
}

/** Sends an error as a page. */
export function sendErrorPage(
  res: Response,
  { status, headers }: Pick<ErrorResponse, 'status' | 'headers'>,
  page: string,
): void {
  sendHtml(res, page, status, headers)
}

/** Sends a page made for one visitor: not cacheable and not compressed. */
export function sendHtml(
  res: Response,
  page: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  res.setHeader('content-type', HTML_TYPE)
  res.setHeader('content-length', Buffer.byteLength(page))
  res.setHeader('cache-control', 'no-store')
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.writeHead(status).end(page)
}

/** True when an If-None-Match header lists a tag; weak marks do not matter (RFC 9110, 13.1.2). */
export function hasEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.match(/"[^"]*"/g)?.some(listed => listed === etag) ?? false
}

/** Accepted suffixes of a content type, so that a client may copy ours. */
const PARAMETERS = ['', '; charset=utf-8', '; charset=utf-8; header=present', '; header=present']

const ANY = '*/*'

/** The best content type of `offered` for the request; 406 when it takes none of them. */
export function acceptedType<Type extends string>(req: Request, offered: readonly Type[]): Type {
  const { accept = ANY } = req.headers
  if (accept === ANY) return offered[0]!
  const spellings = offered.flatMap(type => PARAMETERS.map(params => `${type}${params}`))
  const chosen = withAccept(req, anyJson(req.headers.accept)).accepts(spellings)
  if (chosen) return offered.find(type => chosen === type || chosen.startsWith(`${type};`))!
  const shown = JSON.stringify(maskedStart(req.headers.accept ?? '', SHOWN_ACCEPT_LENGTH))
  throw new ApiError('not_acceptable', {
    message: `Accept is ${shown}; this endpoint answers ${offered.join(', ')}.`,
  })
}

const withAccept = (req: Request, accept: string | undefined): Request =>
  accept === req.headers.accept
    ? req
    : Object.create(req, { headers: { value: { ...req.headers, accept } } })

/** Removes the parameters of JSON types, such as a version: there is only one JSON here. */
const anyJson = (header: string | undefined): string | undefined =>
  header?.replace(/(?<=(?:^|,)\s*application\/json)\s*;[^,]*/gi, params => {
    const weight = params.split(';').find(text => /^\s*q\s*=/i.test(text))
    return weight === undefined ? '' : `;${weight}`
  })

export type Encoding = 'br' | 'gzip'

/** Option missing in the package's types: encodings preferred when the client has no preference. */
type Chooser = Negotiator & {
  readonly encodings: (
    available: readonly string[],
    options: { readonly preferred: readonly string[] },
  ) => string[]
}

/** Encodings chosen for recent headers: clients send few different ones. */
const chosen = new LRUCache<string, { readonly encoding: Encoding | null }>({ max: 1_000 })
/** Length of a header that is parsed for each call: no client sends one as long. */
const CHOSEN_MAX_LENGTH = 200

/**
 * Returns the encoding the client prefers (RFC 9110, 12.5.3), the first offered one among equals;
 * null for none.
 */
export function acceptedEncoding<Offered extends Encoding>(
  header: string | undefined,
  offered: readonly Offered[],
): Offered | null {
  const key = `${offered} ${header ?? ''}`
  const known = header === undefined ? undefined : chosen.get(key)
  if (known) return known.encoding as Offered | null
  const chooser = new Negotiator({ headers: { 'accept-encoding': header } }) as Chooser
  const [best] = chooser.encodings([...offered, 'identity'], { preferred: offered })
  const encoding = offered.find(one => one === best) ?? null
  if (header !== undefined && key.length <= CHOSEN_MAX_LENGTH) chosen.set(key, { encoding })
  return encoding
}
