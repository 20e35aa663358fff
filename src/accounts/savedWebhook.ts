import type { Owner, WebhookEndpoint } from '../outbox/store/types.ts'
import { invalid, seenAs } from '../platform/http/changeBody.ts'
import { ApiError } from '../platform/http/error.ts'
import { judgeAtSave } from '../platform/webhooks/resolver.ts'
import { makeSecret, secretAbout } from '../platform/webhooks/secretBox.ts'
import type { WebhookTools } from '../platform/webhooks/tools.ts'
import { refuseWhileUnavailable } from './auth.ts'
import type { AccountStore } from './types.ts'

/** Saves webhook addresses, for every kind of delivery. */

export type WebhookDeps = {
  readonly accounts: Pick<AccountStore, 'outbox'>
  readonly webhooks: WebhookTools
}

export type SavedWebhook = {
  readonly endpoint: WebhookEndpoint
  /** Likely obstacle to deliveries; null: none known. */
  readonly warning: string | null
  /** The secret, when the account had none before. */
  readonly newSecret: string | null
}

type Saving = {
  readonly accountId: string
  readonly owner: Owner
  readonly address: string
  readonly atMs: number
}

/** Validates and normalises an address. Fails with `invalid`. */
async function judgeAddress(
  text: string,
  { rules, resolve }: Pick<WebhookTools, 'rules' | 'resolve'>,
): Promise<{ readonly url: string; readonly warning: string | null }> {
  const { fault, warning } = await judgeAtSave(text, { rules, resolve })
  if (fault === null) return { url: new URL(text).href, warning }
  const good = 'give a public https:// address such as "https://example.com/hook"'
  throw invalid(`${seenAs('the address', text)}, which ${fault}; ${good}.`)
}

/**
 * Saves an address, which enables it, and makes the secret of an account that has none. Fails with
 * `invalid`, `not_found` or `unavailable`, and with a Refusal when this server has no key for
 * secrets.
 */
export async function saveAddress(
  { accounts: { outbox }, webhooks }: WebhookDeps,
  { accountId, owner, address, atMs }: Saving,
): Promise<SavedWebhook> {
  const { url, warning } = await judgeAddress(address, webhooks)
  // fallible steps first: nothing is sent that cannot be signed
  const secret = makeSecret()
  const sealed = webhooks.box().seal(secret, secretAbout(accountId))
  const isNew = await refuseWhileUnavailable(() => outbox.addSecret({ accountId, sealed, atMs }))
  const endpoint = await refuseWhileUnavailable(() =>
    outbox.saveEndpoint({ accountId, owner, url, atMs }),
  )
  if (!endpoint) throw noSuchAccount()
  return { endpoint, warning, newSecret: isNew ? secret : null }
}

export const noSuchAccount = () => new ApiError('not_found', { message: 'this account is gone.' })
