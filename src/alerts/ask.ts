import type { ChangeAnswer, Repeat } from '../accounts/repeats.ts'
import type { AccountStore } from '../accounts/types.ts'
import { answering } from '../http/auth.ts'
import { decideAlerts } from './decide.ts'
import { readKeptAlerts } from './kept.ts'
import type { AlertChange } from './parse.ts'
import { HOOK_OWNER } from './webhook.ts'
import { type AlertsAnswer, alertsWire } from './wire.ts'

/** What the API, the command line and other programs ask of alerts. */

/** What an account wants to be told of, and all that can be set. Fails with `unavailable`. */
export async function readAlerts(accounts: AccountStore, accountId: string): Promise<AlertsAnswer> {
  const [kept, hook] = await answering(() =>
    Promise.all([accounts.alerts.read(accountId), accounts.outbox.findHook(accountId, HOOK_OWNER)]),
  )
  return alertsWire(readKeptAlerts(kept), hook)
}

export type AskedChange = {
  readonly accountId: string
  readonly atMs: number
  /** Set when the same may be asked again, and then wants the same answer. */
  readonly repeat: Repeat | null
  readonly change: AlertChange
}

/**
 * Changes what an account wants to be told of; null when the repeat's key came with another change.
 * Fails with `invalid`, `not_found` or `unavailable`.
 */
export const changeAlerts = (
  accounts: AccountStore,
  { change, ...asked }: AskedChange,
): Promise<ChangeAnswer | null> =>
  answering(() =>
    accounts.alerts.change({ ...asked, decide: kept => decideAlerts(change, kept, asked.atMs) }),
  )
