import type { Hook } from '../accounts/outbox/types.ts'
import type { AccountStore } from '../accounts/types.ts'
import { answering } from '../http/auth.ts'
import { invalid, seenAs } from '../http/changeBody.ts'
import { ApiError } from '../http/error.ts'
import { judgeAtSave } from '../webhooks/resolver.ts'
import { makeSecret, secretAbout } from '../webhooks/secretBox.ts'
import type { WebhookTools } from '../webhooks/tools.ts'

/**
 * The webhook of an account's alerts. Only the account page and the command line change it: a key
 * that leaks redirects nothing.
 */

/** Whose the webhook of the list, the lines and the rules is. */
export const HOOK_OWNER = 'alerts'

export type WebhookDeps = {
  readonly accounts: Pick<AccountStore, 'outbox'>
  readonly webhooks: WebhookTools
}

type AtAccount = { readonly accountId: string; readonly atMs: number }

export type SavedWebhook = {
  readonly hook: Hook
  /** What may keep deliveries from it; null: nothing is known. */
  readonly warning: string | null
  /** The secret, when the account had none before. */
  readonly newSecret: string | null
}

/** An address that can be saved, in its usual form. Fails with `invalid`. */
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
 * Saves the address of the alerts' webhook, which switches it on, and makes the secret of an
 * account that has none. Fails with `invalid`, `not_found` or `unavailable`, and with a Refusal
 * where this server has no key for secrets.
 */
export async function saveWebhook(
  deps: WebhookDeps,
  { accountId, atMs, address }: AtAccount & { readonly address: string },
): Promise<SavedWebhook> {
  const { outbox } = deps.accounts
  const { url, warning } = await judgeAddress(address, deps.webhooks)
  // first what may fail: nothing is sent that cannot be signed
  const secret = makeSecret()
  const sealed = deps.webhooks.box().seal(secret, secretAbout(accountId))
  const isNew = await answering(() => outbox.addSecret({ accountId, sealed, atMs }))
  const saved = { accountId, owner: HOOK_OWNER, url, atMs } as const
  const hook = await answering(() => outbox.saveHook(saved))
  if (!hook) throw noAccount()
  return { hook, warning, newSecret: isNew ? secret : null }
}

/** Makes a new secret, with which the next try is signed. Fails as `saveWebhook` does. */
export async function rotateSecret(
  { accounts, webhooks }: WebhookDeps,
  { accountId, atMs }: AtAccount,
): Promise<string> {
  const secret = makeSecret()
  const sealed = webhooks.box().seal(secret, secretAbout(accountId))
  if (await answering(() => accounts.outbox.putSecret({ accountId, sealed, atMs }))) return secret
  throw noAccount()
}

/** The secret of an account. Fails with `invalid` where there is none, or it cannot be read. */
export async function readSecret(
  { accounts, webhooks }: WebhookDeps,
  accountId: string,
): Promise<string> {
  const kept = await answering(() => accounts.outbox.findSecret(accountId))
  if (!kept) throw invalid('this account has no secret yet; saving a webhook makes one.')
  const secret = webhooks.box().open(kept.sealed, secretAbout(accountId))
  if (secret !== null) return secret
  throw invalid('the secret was sealed with another key than this server has; make a new one.')
}

/** Takes the webhook of the alerts away; what waits for it is dropped. Fails with `not_found`. */
export async function removeWebhook(
  { accounts }: Pick<WebhookDeps, 'accounts'>,
  accountId: string,
): Promise<void> {
  if (await answering(() => accounts.outbox.removeHook(accountId, HOOK_OWNER))) return
  throw new ApiError('not_found', { message: 'this account has no webhook for alerts.' })
}

const noAccount = () => new ApiError('not_found', { message: 'this account is gone.' })
