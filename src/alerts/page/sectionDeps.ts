import type { AccountRequest } from '../../accounts/accountPage.ts'
import { planAt } from '../../accounts/products.ts'
import type { WebhookTools } from '../../platform/webhooks/tools.ts'
import type { AlertAccounts } from '../store/types.ts'

/** Dependencies of the account page's sections. */
export type AlertSectionDeps = {
  readonly accounts: AlertAccounts
  readonly webhooks: WebhookTools
  /** Server clock that dates repeats and changes. */
  readonly nowMs: () => number
}

/** True when an account receives alerts: it has a plan of the Orders API. */
export const isNotified = ({ account, atMs }: AccountRequest): boolean =>
  planAt(account.products, 'orders', atMs) !== null
