import { planAt } from '../../accounts/products.ts'
import type { AccountStore } from '../../accounts/types.ts'
import type { AccountRequest } from '../../html/account.ts'
import type { WebhookTools } from '../../webhooks/tools.ts'

/** What the sections of the account page are made with. */
export type AlertSectionDeps = {
  readonly accounts: AccountStore
  readonly webhooks: WebhookTools
  /** The clock of the server, by which repeats and changes are dated. */
  readonly nowMs: () => number
}

/** Whether an account is told anything: it is on a plan of the Orders API. */
export const isNotified = ({ account, atMs }: AccountRequest): boolean =>
  planAt(account.products, 'orders', atMs) !== null
