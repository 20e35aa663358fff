import type { Request, Response } from 'express'
import Negotiator from 'negotiator'
import { ApiError } from './error.ts'
import type { ErrorResponse } from './errors/catalogue.ts'
import { maskedStart } from './mask.ts'

/** Below this a compressed body is not worth its headers. */
export const COMPRESS_MIN_BYTES = 1024
export const JSON_TYPE = 'application/json; charset=utf-8'
export const HTML_TYPE = 'text/html; charset=utf-8'
const SHOWN_ACCEPT_LENGTH = 80

/** One body of a resource, ready to be sent. */
export type Representation = {
  readonly bytes: Uint8Array
  /** Strong and quoted: equal bytes have equal tags, whoever asks. */
  readonly etag: string
  readonly contentType: string
  readonly encoding?: Encoding
}

/** Sends a representation, or 304 when the client has it. HEAD gets the headers alone. */
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
  res.writeHead(200).end(bytes)
}

/** Sends an error as its product answers it, whatever the client accepts. */
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

/** Sends a page that was made for one visitor: nobody keeps it, and it is not compressed. */
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

/** What may stand after a content type: a client that copies the answer's own is understood. */
const PARAMETERS = ['', '; charset=utf-8', '; charset=utf-8; header=present', '; header=present']

/** The best content type of `offered` for the request; 406 when it takes none of them. */
export function acceptedType<Type extends string>(req: Request, offered: readonly Type[]): Type {
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

/** The header without the parameters of JSON, such as a version: there is one JSON here. */
const anyJson = (header: string | undefined): string | undefined =>
  header?.replace(/(?<=(?:^|,)\s*application\/json)\s*;[^,]*/gi, params => {
    const weight = params.split(';').find(text => /^\s*q\s*=/i.test(text))
    return weight === undefined ? '' : `;${weight}`
  })

export type Encoding = 'br' | 'gzip'

/** What its types do not know yet: which encoding goes first where a client has no favourite. */
type Chooser = Negotiator & {
  readonly encodings: (
    available: readonly string[],
    options: { readonly preferred: readonly string[] },
  ) => string[]
}

/**
 * The encoding that a client likes best (RFC 9110, 12.5.3), the first offered of those it likes
 * alike; null is none.
 */
export function acceptedEncoding<Offered extends Encoding>(
  header: string | undefined,
  offered: readonly Offered[],
): Offered | null {
  const chooser = new Negotiator({ headers: { 'accept-encoding': header } }) as Chooser
  const [best] = chooser.encodings([...offered, 'identity'], { preferred: offered })
  return offered.find(one => one === best) ?? null
}
