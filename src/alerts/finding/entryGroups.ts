import type { MinuteEt } from '../../core/market/calendar.ts'
import type { ListEntry } from '../kinds.ts'
import { type RuleGroup, ruleKey } from '../rules/groups.ts'

/** Accounts by their list entries: equal entries are one group, judged once. */
export type EntryGroups = {
  /** Adds an account to the groups of its own entries; returns their keys. */
  readonly add: (accountId: string, entries: readonly WatchedEntry[]) => string[]
  readonly remove: (accountId: string, keys: readonly string[]) => void
  readonly all: () => Iterable<RuleGroup>
  /** Accounts with an entry of their own in a group. */
  readonly subscribersIn: (key: string) => ReadonlySet<string>
  /** True when a group is of the default list: every account without its own list is then in it. */
  readonly isUsual: (key: string) => boolean
}

export type WatchedEntry = { readonly entry: ListEntry; readonly firstMinute: MinuteEt | null }

type Group = RuleGroup & { readonly accounts: Set<string> }

export function openEntryGroups(usualList: readonly ListEntry[]): EntryGroups {
  const groups = new Map<string, Group>()
  const ensureGroup = ({ entry, firstMinute }: WatchedEntry): Group => {
    const key = ruleKey(entry, firstMinute)
    const known = groups.get(key) ?? { key, entry, firstMinute, accounts: new Set<string>() }
    groups.set(key, known)
    return known
  }
  const isOn = ({ entry }: WatchedEntry) => entry.on
  const usualEntries = usualList.map(entry => ({ entry, firstMinute: null })).filter(isOn)
  const usual = new Set(usualEntries.map(one => ensureGroup(one).key))
  return {
    add: (accountId, entries) =>
      entries.filter(isOn).map(one => {
        const group = ensureGroup(one)
        group.accounts.add(accountId)
        return group.key
      }),
    remove: (accountId, keys) => {
      for (const key of keys) {
        const { accounts } = groups.get(key)!
        accounts.delete(accountId)
        if (accounts.size === 0 && !usual.has(key)) groups.delete(key)
      }
    },
    all: () => groups.values(),
    subscribersIn: key => groups.get(key)!.accounts,
    isUsual: key => usual.has(key),
  }
}
