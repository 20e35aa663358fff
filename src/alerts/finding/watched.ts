import type { MinuteEt } from '../../core/market/calendar.ts'
import type { AlertLine, ListEntry, OrderRule } from '../kinds.ts'
import { type RuleGroup, ruleKey } from '../rules/groups.ts'
import { type CompiledRule, compileRule } from '../rules/orders.ts'
import { type LineIndex, openLineIndex, type WatchedLine } from './lineIndex.ts'
import type { SinceMinute } from './sinceMinute.ts'

/** Settings of an account, each with the system instant at which it was set. */
export type AccountAlerts = {
  readonly accountId: string
  /** Null: the default list. */
  readonly list: readonly { readonly entry: ListEntry; readonly sinceMs: number }[] | null
  readonly lines: readonly {
    readonly line: AlertLine
    readonly sinceMs: number
    readonly armed: boolean
    readonly firedAtMs: number | null
  }[]
  readonly rules: readonly { readonly rule: OrderRule; readonly sinceMs: number }[]
}

/** The account that a rule belongs to. */
export type RuleSubscriber = {
  readonly accountId: string
  readonly rule: OrderRule
  readonly firstMinute: MinuteEt | null
}

/** Rules that match the same orders, and their subscribers. */
export type SubscribedRule = {
  readonly compiled: CompiledRule
  readonly subscribers: Map<string, RuleSubscriber>
}

/**
 * Settings of all accounts, indexed by condition: finding takes time in proportion to the number of
 * different settings and of accounts to notify.
 */
export type WatchedSettings = {
  /** Accounts that receive alerts, in the order of their ids. */
  readonly putAccounts: (accountIds: readonly string[]) => void
  /** Replaces all settings of an account. */
  readonly putAlerts: (alerts: AccountAlerts) => void
  readonly groups: () => Iterable<RuleGroup>
  /** Accounts that receive the findings of a group, in the order of their ids. */
  readonly listRecipients: (groupKey: string) => readonly string[]
  readonly rules: () => Iterable<SubscribedRule>
  readonly isNotified: (accountId: string) => boolean
  readonly lines: LineIndex
  readonly findLine: (lineId: string) => WatchedLine | undefined
}

export type WatchedDeps = {
  readonly sinceMinute: SinceMinute
  /** The list of accounts that have set none. */
  readonly usualList: readonly ListEntry[]
}

/** Keys and lines under which an account's settings are indexed. */
type WatchedAccount = {
  readonly hasList: boolean
  readonly groupKeys: readonly string[]
  readonly lines: readonly WatchedLine[]
  readonly ruleKeys: readonly (readonly [ruleId: string, key: string])[]
}

/** Opens the settings of a session, without any account. */
export function openWatched({ sinceMinute, usualList }: WatchedDeps): WatchedSettings {
  const entries = openEntryGroups(usualList)
  const rules = openSubscribedRules()
  const lines = openLineIndex()
  const linesById = new Map<string, WatchedLine>()
  const watchedAccounts = new Map<string, WatchedAccount>()
  let notifiedIds: ReadonlySet<string> = new Set()
  let inOrder: readonly string[] = []

  const forget = (accountId: string) => {
    const before = watchedAccounts.get(accountId)
    if (!before) return
    entries.remove(accountId, before.groupKeys)
    rules.remove(before.ruleKeys)
    for (const watched of before.lines) {
      lines.remove(watched)
      linesById.delete(watched.line.id)
    }
  }
  const putLines = ({ accountId, lines: set }: AccountAlerts): WatchedLine[] =>
    set.map(({ line, sinceMs, armed, firedAtMs }) => {
      const watched = { line, accountId, firstMinute: sinceMinute(sinceMs), armed, firedAtMs }
      linesById.set(line.id, watched)
      lines.add(watched)
      return watched
    })

  return {
    putAccounts: accountIds => {
      const isSame =
        accountIds.length === notifiedIds.size && accountIds.every(one => notifiedIds.has(one))
      if (isSame) return
      inOrder = accountIds.toSorted()
      notifiedIds = new Set(accountIds)
    },
    putAlerts: alerts => {
      const { accountId, list, rules: set } = alerts
      forget(accountId)
      const watchedEntries = (list ?? []).map(({ entry, sinceMs }) => {
        return { entry, firstMinute: sinceMinute(sinceMs) }
      })
      const own = set.map(({ rule, sinceMs }) => {
        return { accountId, rule, firstMinute: sinceMinute(sinceMs) }
      })
      watchedAccounts.set(accountId, {
        hasList: list !== null,
        groupKeys: entries.add(accountId, watchedEntries),
        lines: putLines(alerts),
        ruleKeys: rules.add(own),
      })
    },
    groups: entries.all,
    listRecipients: key => {
      const subscribers = entries.subscribersIn(key)
      if (!entries.isUsual(key)) return [...subscribers].filter(one => notifiedIds.has(one)).sort()
      return inOrder.filter(one => !watchedAccounts.get(one)?.hasList || subscribers.has(one))
    },
    rules: rules.all,
    isNotified: accountId => notifiedIds.has(accountId),
    lines,
    findLine: id => linesById.get(id),
  }
}

/** Rules indexed by their conditions. */
function openSubscribedRules() {
  const byKey = new Map<string, SubscribedRule>()
  return {
    all: () => byKey.values(),
    /** Returns the id and the key of each. */
    add: (added: readonly RuleSubscriber[]) =>
      added
        .filter(({ rule }) => rule.on)
        .map(subscriber => {
          const compiled = compileRule(subscriber.rule)
          const known = byKey.get(compiled.key) ?? {
            compiled,
            subscribers: new Map<string, RuleSubscriber>(),
          }
          known.subscribers.set(subscriber.rule.id, subscriber)
          byKey.set(compiled.key, known)
          return [subscriber.rule.id, compiled.key] as const
        }),
    remove: (keys: WatchedAccount['ruleKeys']) => {
      for (const [ruleId, key] of keys) {
        const { subscribers } = byKey.get(key)!
        subscribers.delete(ruleId)
        if (subscribers.size === 0) byKey.delete(key)
      }
    },
  }
}

/** Accounts by their list entries: equal entries are one group, judged once. */
type EntryGroups = {
  /** Adds an account to the groups of its own entries; returns their keys. */
  readonly add: (accountId: string, entries: readonly WatchedEntry[]) => string[]
  readonly remove: (accountId: string, keys: readonly string[]) => void
  readonly all: () => Iterable<RuleGroup>
  /** Accounts with an entry of their own in a group. */
  readonly subscribersIn: (key: string) => ReadonlySet<string>
  /** True when a group is of the default list: every account without its own list is then in it. */
  readonly isUsual: (key: string) => boolean
}

type WatchedEntry = { readonly entry: ListEntry; readonly firstMinute: MinuteEt | null }

type Group = RuleGroup & { readonly accounts: Set<string> }

function openEntryGroups(usualList: readonly ListEntry[]): EntryGroups {
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
