import { refuseWhileUnavailable } from '../accounts/auth.ts'
import type { ChangeResponse, Repeat } from '../accounts/repeats.ts'
import { decideAlerts } from './decide.ts'
import type { AlertChange } from './parse.ts'
import type { AlertAccounts } from './store/types.ts'
import { parseStoredAlerts } from './stored.ts'
import { ALERTS_OWNER } from './webhook.ts'
import { type AlertsResponse, alertsWire } from './wire.ts'

/** Queries and changes of alerts for the API, the command line and other programs. */

/** Returns an account's alert settings and everything that can be set. Fails with `unavailable`. */
export async function readAlerts(
  accounts: AlertAccounts,
  accountId: string,
): Promise<AlertsResponse> {
  const [stored, endpoint] = await refuseWhileUnavailable(() =>
    Promise.all([
      accounts.alerts.read(accountId),
      accounts.outbox.findEndpoint(accountId, ALERTS_OWNER),
    ]),
  )
  return alertsWire(parseStoredAlerts(stored), endpoint)
}

export type AlertChangeRequest = {
  readonly accountId: string
  readonly atMs: number
  /** Set when the request may be repeated and must then get the same response. */
  readonly repeat: Repeat | null
  readonly change: AlertChange
}

/**
 * Changes an account's alert settings; null when the repeat's key came with another change. Fails
 * with `invalid`, `not_found` or `unavailable`.
 */
export const changeAlerts = (
  accounts: AlertAccounts,
  { change, ...request }: AlertChangeRequest,
): Promise<ChangeResponse | null> =>
  refuseWhileUnavailable(() =>
    accounts.alerts.change({
      ...request,
      decide: stored => decideAlerts(change, stored, request.atMs),
    }),
  )
