import type { AlertLine } from '../kinds.ts'
import type { StoredAlerts } from '../store/types.ts'
import { entrySetAt, parseStoredAlerts } from '../stored.ts'
import type { AccountAlerts } from './watched.ts'

/** Returns the settings of an account for a watch. Fails when they cannot be read. */
export function accountAlerts(
  stored: StoredAlerts & { readonly accountId: string },
): AccountAlerts {
  const { accountId, list } = stored
  const set = parseStoredAlerts(stored)
  return {
    accountId,
    list:
      list === null ? null : set.list.map(entry => ({ entry, sinceMs: entrySetAt(list, entry) })),
    lines: set.lines.map(({ isArmed, firedAtMs, ...line }, index) => ({
      line: line as AlertLine,
      armed: isArmed,
      firedAtMs,
      sinceMs: stored.lines[index]!.setAtMs,
    })),
    rules: set.rules.map((rule, index) => ({ rule, sinceMs: stored.rules[index]!.setAtMs })),
  }
}
