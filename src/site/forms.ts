import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'
import { readBody } from '../http/body.ts'
import { ApiError } from '../http/error.ts'
import { errorFactory, type ProductErrorRow } from '../http/errors/catalogue.ts'
import { shown } from '../http/request.ts'

/** What makes sure that a form was sent from a page of this server, by who is signed in. */

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
 * The fields of a form that a browser sent from a page of this origin, and that origin. Fails with
 * `forged` where it comes from elsewhere or does not say from where.
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

/** The origin of this server as the browser names it; null where a request comes from another. */
function ownOrigin(req: Request): string | null {
  const { host = '', origin = '' } = req.headers
  const site = req.headers['sec-fetch-site']
  const named = URL.canParse(origin) ? new URL(origin) : null
  // a browser's own word, which no page can change; also good behind a proxy that changes Host
  if (site !== undefined)
    return site === 'same-origin' ? (named?.origin ?? `https://${host}`) : null
  return named !== null && named.host === host ? named.origin : null
}

/** Refuses to sign in where the browser would throw the cookie away; the code stays good. */
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

/** What every form of a signed-in browser carries: made of its secret, which no page shows. */
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
