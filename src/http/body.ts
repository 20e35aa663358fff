import type { Request } from 'express'
import { ApiError } from './error.ts'

/** As much as the headers may have; the largest body that makes sense has 4 KiB. */
const BODY_MAX_BYTES = 16_384
/** So much more is read and thrown away: a client that is still sending would miss the answer. */
const REST_MAX_BYTES = 1_048_576

/** The body of a request as text. Fails with `body_too_large`, or `bad_json` when not UTF-8. */
export async function readBody(req: Request): Promise<string> {
  const { bytes, size } = await readBytes(req)
  if (size > BODY_MAX_BYTES) {
    throw new ApiError('body_too_large', {
      message: `the body is over ${BODY_MAX_BYTES} bytes; a whole position has about 1000.`,
      headers: size > REST_MAX_BYTES ? { connection: 'close' } : {},
    })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiError('bad_json', { message: 'the body is not UTF-8; send JSON as UTF-8.' })
  }
}

async function readBytes(req: Request): Promise<{ bytes: Buffer; size: number }> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      size += chunk.byteLength
      if (size <= BODY_MAX_BYTES) chunks.push(chunk)
      if (size > REST_MAX_BYTES) break
    }
  } catch (cause) {
    const refusal = new ApiError('bad_request', { message: 'the body was not sent in full.' })
    throw Object.assign(refusal, { cause })
  }
  return { bytes: Buffer.concat(chunks), size }
}
