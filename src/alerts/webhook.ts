import { refuseWhileUnavailable } from '../accounts/auth.ts'
import {
  noSuchAccount,
  type SavedWebhook,
  saveAddress,
  type WebhookDeps,
} from '../accounts/savedWebhook.ts'
import { invalid } from '../platform/http/changeBody.ts'
import { ApiError } from '../platform/http/error.ts'
import { makeSecret, secretAbout } from '../platform/webhooks/secretBox.ts'

/**
 * The webhook endpoint of an account's alerts. Only the account page and the command line change
 * it: a leaked key cannot redirect anything.
 */

/** Owner id of the endpoint of the list, the lines and the rules. */
export const ALERTS_OWNER = 'alerts'

type AtAccount = { readonly accountId: string; readonly atMs: number }

/** Saves the address of the alerts' webhook endpoint. Fails as `saveAddress` does. */
export const saveWebhook = (
  deps: WebhookDeps,
  request: AtAccount & { readonly address: string },
): Promise<SavedWebhook> => saveAddress(deps, { ...request, owner: ALERTS_OWNER })

/** Makes a new secret that signs from the next attempt on. Fails as `saveAddress` does. */
export async function rotateSecret(
  { accounts, webhooks }: WebhookDeps,
  { accountId, atMs }: AtAccount,
): Promise<string> {
  const secret = makeSecret()
  const sealed = webhooks.box().seal(secret, secretAbout(accountId))
  if (await refuseWhileUnavailable(() => accounts.outbox.putSecret({ accountId, sealed, atMs })))
    return secret
  throw noSuchAccount()
}

/** Returns an account's secret. Fails with `invalid` if there is none, or it cannot be read. */
export async function readSecret(
  { accounts, webhooks }: WebhookDeps,
  accountId: string,
): Promise<string> {
  const stored = await refuseWhileUnavailable(() => accounts.outbox.findSecret(accountId))
  if (!stored) throw invalid('this account has no secret yet; saving a webhook makes one.')
  const secret = webhooks.box().open(stored.sealed, secretAbout(accountId))
  if (secret !== null) return secret
  throw invalid('the secret was sealed with another key than this server has; make a new one.')
}

/** Removes the alerts' webhook endpoint and drops its queued deliveries. Fails with `not_found`. */
export async function removeWebhook(
  { accounts }: Pick<WebhookDeps, 'accounts'>,
  accountId: string,
): Promise<void> {
  if (await refuseWhileUnavailable(() => accounts.outbox.removeEndpoint(accountId, ALERTS_OWNER)))
    return
  throw new ApiError('not_found', { message: 'this account has no webhook for alerts.' })
}
