import type { Request, Response } from 'express'
import type { AccountRequest } from '../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import type { AccountStore } from '../accounts/types.ts'
import { ApiError } from '../platform/http/error.ts'
import { COMMON_ERRORS, toErrorResponse } from '../platform/http/errors/catalogue.ts'
import { requestContext } from '../platform/http/request.ts'
import { sendError } from '../platform/http/response.ts'
import type { AccountDeps } from './accountDeps.ts'
import { clearSecret, readSecret, writeSecret } from './cookie.ts'
import { formToken } from './forms.ts'

/** Resolution of the time a browser was last used. */
const SEEN_EVERY_MS = 60_000

/** A signed-in browser, and its account. */
export type SignedIn = { readonly secret: string; readonly request: AccountRequest }

/**
 * Finds the signed-in browser, records its use and renews its cookie; null when there is none.
 * Fails with `unavailable`. Responses based on it are for this visitor only.
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

/** Shows the page even when the use cannot be recorded: the next one records it. */
async function noteUse(accounts: AccountStore, signInId: string, atMs: number): Promise<void> {
  const minuteMs = Math.floor(atMs / SEEN_EVERY_MS) * SEEN_EVERY_MS
  await accounts.markSignInSeen(signInId, minuteMs).catch(() => {})
}

/** Points a program without a browser's cookie to the alternative. */
export const signInFirst = (why: string): ApiError =>
  new ApiError('no_key', {
    message: `${why}; sign in at /account/enter, or ask the API with a key: see /docs.`,
    headers: { 'www-authenticate': 'Bearer' },
  })

/** Refuses a program as the API does: it would take a page with 200 for the requested data. */
export const refuseProgram = (res: Response, error: ApiError): void =>
  sendError(res, toErrorResponse(error, COMMON_ERRORS))
