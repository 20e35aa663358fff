import type { KeptAlerts } from '../../accounts/alertTypes.ts'
import { entrySetAt, readKeptAlerts } from '../kept.ts'
import type { AlertLine } from '../kinds.ts'
import type { AccountAlerts } from './watched.ts'

/** What an account has set, as a watch reads it. Fails where it cannot be read. */
export function accountAlerts(kept: KeptAlerts & { readonly accountId: string }): AccountAlerts {
  const { accountId, list } = kept
  const set = readKeptAlerts(kept)
  return {
    accountId,
    list:
      list === null ? null : set.list.map(entry => ({ entry, sinceMs: entrySetAt(list, entry) })),
    lines: set.lines.map(({ isArmed, firedAtMs, ...line }, index) => ({
      ...{ line: line as AlertLine, armed: isArmed, firedAtMs },
      sinceMs: kept.lines[index]!.setAtMs,
    })),
    rules: set.rules.map((rule, index) => ({ rule, sinceMs: kept.rules[index]!.setAtMs })),
  }
}
