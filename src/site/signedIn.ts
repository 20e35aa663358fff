import type { Request, Response } from 'express'
import type { AccountStore } from '../accounts/types.ts'
import type { AccountRequest } from '../html/account.ts'
import { sendError } from '../http/answer.ts'
import { refuseWhileUnavailable } from '../http/auth.ts'
import { ApiError } from '../http/error.ts'
import { toErrorResponse } from '../http/errors/catalogue.ts'
import { ORDERS_ERRORS } from '../http/errors/orders.ts'
import { requestContext } from '../http/request.ts'
import type { AccountDeps } from './accountDeps.ts'
import { clearSecret, readSecret, writeSecret } from './cookie.ts'
import { formToken } from './forms.ts'

/** How exactly it is known when a browser was last used. */
const SEEN_EVERY_MS = 60_000

/** A browser that is signed in, and the account that it shows. */
export type SignedIn = { readonly secret: string; readonly request: AccountRequest }

/**
 * Finds who is signed in, notes that the browser was used and sends its cookie anew; null where
 * nobody is. Fails with `unavailable`. What is made of it is for this visitor alone.
 */
export async function findSignedIn(
  req: Request,
  res: Response,
  { accounts, elapsedMs }: Pick<AccountDeps, 'accounts' | 'elapsedMs'>,
): Promise<SignedIn | null> {
  const secret = readSecret(req)
  if (secret === null) return null
  const atMs = elapsedMs()
  const signIn = await refuseWhileUnavailable(() => accounts.findSignIn(secret, atMs))
  const account =
    signIn && (await refuseWhileUnavailable(() => accounts.findAccount(signIn.accountId)))
  if (!account) {
    clearSecret(res)
    return null
  }
  requestContext(res).accountId = account.id
  if (atMs - signIn.lastSeenAtMs >= SEEN_EVERY_MS) await noteUse(accounts, signIn.id, atMs)
  writeSecret(res, secret)
  return { secret, request: { account, atMs, signInId: signIn.id, token: formToken(secret) } }
}

/** A page that can be shown is shown: what was not noted is noted at the next. */
async function noteUse(accounts: AccountStore, signInId: string, atMs: number): Promise<void> {
  const minuteMs = Math.floor(atMs / SEEN_EVERY_MS) * SEEN_EVERY_MS
  await accounts.markSignInSeen(signInId, minuteMs).catch(() => {})
}

/** Says what a program that has no cookie of a browser may do instead. */
export const signInFirst = (why: string): ApiError =>
  new ApiError('no_key', {
    message: `${why}; sign in at /account/enter, or ask the API with a key: see /docs.`,
    headers: { 'www-authenticate': 'Bearer' },
  })

/** Answers a program as the API does: it would take a page with 200 for what it asked for. */
export const refuseProgram = (res: Response, error: ApiError): void =>
  sendError(res, toErrorResponse(error, ORDERS_ERRORS))
