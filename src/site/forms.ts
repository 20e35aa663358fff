import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'
import { readBody } from '../platform/http/body.ts'
import { ApiError } from '../platform/http/error.ts'
import { errorFactory, type ProductErrorRow } from '../platform/http/errors/catalogue.ts'
import { shown } from '../platform/http/request.ts'

/** Verifies that a form was sent from a page of this server, by the signed-in browser. */

const FORM_TYPE = 'application/x-www-form-urlencoded'

const formError = errorFactory([
  {
    code: 'forged',
    status: 403,
    isRetryable: false,
    meaning:
      'the form was not sent from a page of this site; open the page again, and send it there',
  },
  {
    code: 'insecure',
    status: 400,
    isRetryable: false,
    meaning: 'a browser keeps its sign-in only over https, or on the machine itself',
  },
] as const satisfies readonly ProductErrorRow[])

/**
 * Returns the fields of a form sent from a page of this origin, and that origin. Fails with
 * `forged` when it comes from elsewhere or its origin is missing.
 */
export async function readForm(req: Request): Promise<{ fields: URLSearchParams; origin: string }> {
  const origin = ownOrigin(req)
  if (origin === null) throw formError('forged', {})
  const [type] = (req.headers['content-type'] ?? '').split(';')
  if (type!.trim().toLowerCase() !== FORM_TYPE) {
    throw new ApiError('unsupported_media_type', {
      message: `Content-Type is ${shown(req.headers['content-type'] ?? '')}; send ${FORM_TYPE}.`,
    })
  }
  return { fields: new URLSearchParams(await readBody(req)), origin }
}

/** Origin of this server as the browser names it; null for a cross-origin request. */
function ownOrigin(req: Request): string | null {
  const { host = '', origin = '' } = req.headers
  const site = req.headers['sec-fetch-site']
  const named = URL.canParse(origin) ? new URL(origin) : null
  // set by the browser, and no page can change it; also valid behind a proxy that changes Host
  if (site !== undefined)
    return site === 'same-origin' ? (named?.origin ?? `https://${host}`) : null
  return named !== null && named.host === host ? named.origin : null
}

/** Refuses to sign in when the browser would drop the cookie; the code stays valid. */
export function refuseInsecure(origin: string): void {
  const { protocol, hostname } = new URL(origin)
  const isHere = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol === 'https:' || isHere) return
  throw formError('insecure', {
    message:
      `a browser keeps no sign-in for ${origin}, which is not https; open the page over https, ` +
      'or as http://127.0.0.1 on the machine itself. The code is not used up',
  })
}

/** CSRF token of the forms of a browser: derived from its secret, which no page shows. */
export const formToken = (secret: string): string =>
  createHmac('sha256', secret).update('form').digest('base64url')

/** Fails with `forged` unless a form carries the token of the browser that sends it. */
export function checkToken(fields: URLSearchParams, secret: string): void {
  const [given, wanted] = [fields.get('token') ?? '', formToken(secret)].map(text =>
    Buffer.from(text),
  ) as [Buffer, Buffer]
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw formError('forged', {})
  }
}
