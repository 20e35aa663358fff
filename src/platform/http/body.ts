import type { Request } from 'express'
import { ApiError } from './error.ts'
import { shown } from './request.ts'
import { bodyLength, requestBody } from './unread.ts'

/** Same limit as for headers; the largest useful body has 4 KiB. */
const BODY_MAX_BYTES = 16_384

/**
 * Reads a request body as text. Fails with `unsupported_media_type`, `body_too_large`, or
 * `bad_json` when it is not UTF-8; `boundUnread` handles any unread rest.
 */
export async function readBody(req: Request): Promise<string> {
  refuseEncoded(req.headers['content-encoding'])
  refuseOtherJson(req.headers['content-type'])
  if ((bodyLength(req) ?? 0) > BODY_MAX_BYTES) throw tooLarge()
  requestBody(req)
  const bytes = await readBytes(req)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiError('bad_json', { message: 'the body is not UTF-8; send JSON as UTF-8.' })
  }
}

/** no content encoding is decoded here: compressed bytes would look like broken text */
function refuseEncoded(header: string | undefined): void {
  const encodings = (header ?? '').split(',').map(text => text.trim().toLowerCase())
  if (encodings.every(name => name === '' || name === 'identity')) return
  throw new ApiError('unsupported_media_type', {
    message: `Content-Encoding is ${shown(header!)}; send the body uncompressed, without it.`,
    headers: { 'accept-encoding': 'identity' },
  })
}

/**
 * Clients send JSON with all kinds of content types, curl with that of a form; but a type that
 * explicitly names another JSON, by version or character set, is respected.
 */
function refuseOtherJson(header: string | undefined): void {
  const [type, ...params] = (header ?? '').split(';').map(text => text.trim().toLowerCase())
  if (type !== 'application/json') return
  if (params.every(text => text === '' || /^charset="?utf-?8"?$/.test(text))) return
  throw new ApiError('unsupported_media_type', {
    message: `Content-Type is ${shown(header!)}; send application/json, which is UTF-8.`,
  })
}

async function readBytes(req: Request): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      size += chunk.byteLength
      if (size > BODY_MAX_BYTES) break
      chunks.push(chunk)
    }
  } catch (cause) {
    const refusal = new ApiError('bad_request', { message: 'the body was not sent in full.' })
    throw Object.assign(refusal, { cause })
  }
  if (size > BODY_MAX_BYTES) throw tooLarge()
  return Buffer.concat(chunks)
}

const tooLarge = () =>
  new ApiError('body_too_large', {
    message: `the body is over ${BODY_MAX_BYTES} bytes; a whole position or rule has about 1000.`,
  })
