import { refuseWhileUnavailable } from '../accounts/auth.ts'
import { planAt } from '../accounts/products.ts'
import { type SavedWebhook, saveAddress, type WebhookDeps } from '../accounts/savedWebhook.ts'
import type { Account } from '../accounts/types.ts'
import { GEO_OWNER } from '../outbox/store/types.ts'
import { invalid } from '../platform/http/changeBody.ts'
import { ApiError } from '../platform/http/error.ts'
import { testEvent } from './notifier.ts'

/** An account's webhook endpoint for new public records. Keys cannot change it. */

type GeoWebhookRequest = { readonly account: Account; readonly atMs: number }

/** Saves the address, which switches it on. Fails as `saveAddress` does, and without a plan. */
export function saveGeoWebhook(
  deps: WebhookDeps,
  { account, atMs, address }: GeoWebhookRequest & { readonly address: string },
): Promise<SavedWebhook> {
  if (planAt(account.products, 'geo', atMs)) {
    return saveAddress(deps, { accountId: account.id, owner: GEO_OWNER, address, atMs })
  }
  throw invalid('this account has no geo plan; its webhook is told of new records with one.')
}

/** Queues a test; returns its id. Fails with `invalid` when no address is saved. */
export async function testGeoWebhook(
  { accounts: { outbox } }: Pick<WebhookDeps, 'accounts'>,
  { account: { id: accountId }, atMs }: GeoWebhookRequest,
): Promise<string> {
  const endpoint = await refuseWhileUnavailable(() => outbox.findEndpoint(accountId, GEO_OWNER))
  if (!endpoint) throw invalid('this account has no webhook for public records; save its address.')
  const event = testEvent(accountId, atMs)
  await refuseWhileUnavailable(() => outbox.queueEvent(event))
  return event.id
}

/** Removes the address and drops its queued deliveries. Fails with `not_found`. */
export async function removeGeoWebhook(
  { accounts }: Pick<WebhookDeps, 'accounts'>,
  { account }: Pick<GeoWebhookRequest, 'account'>,
): Promise<void> {
  if (await refuseWhileUnavailable(() => accounts.outbox.removeEndpoint(account.id, GEO_OWNER)))
    return
  throw new ApiError('not_found', { message: 'this account has no webhook for public records.' })
}
