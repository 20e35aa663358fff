import type { MinuteEt } from '../../market/calendar.ts'
import type { AlertLine, ListEntry, OrderRule } from '../kinds.ts'
import type { RuleGroup } from '../rules/groups.ts'
import { type CompiledRule, compileRule } from '../rules/orders.ts'
import { openEntryGroups } from './entryGroups.ts'
import { type LineIndex, openLineIndex, type WatchedLine } from './lineIndex.ts'
import type { SinceMinute } from './sinceMinute.ts'

/** What an account has set, each with the system instant at which it was. */
export type AccountAlerts = {
  readonly accountId: string
  /** Null: the usual list. */
  readonly list: readonly { readonly entry: ListEntry; readonly sinceMs: number }[] | null
  readonly lines: readonly {
    readonly line: AlertLine
    readonly sinceMs: number
    readonly armed: boolean
    readonly firedAtMs: number | null
  }[]
  readonly rules: readonly { readonly rule: OrderRule; readonly sinceMs: number }[]
}

/** An account whose rule it is. */
export type RuleAsker = {
  readonly accountId: string
  readonly rule: OrderRule
  readonly firstMinute: MinuteEt | null
}

/** Rules that match the same orders, and whose they are. */
export type RuleAskers = {
  readonly compiled: CompiledRule
  readonly askers: Map<string, RuleAsker>
}

/**
 * What all accounts have set, kept by what it asks: finding takes as long as there are different
 * settings, and as there are accounts to tell.
 */
export type WatchedSettings = {
  /** Accounts that are told anything, in the order of their ids. */
  readonly putAccounts: (accountIds: readonly string[]) => void
  /** Puts all that an account has set in the place of what it had. */
  readonly putAlerts: (alerts: AccountAlerts) => void
  readonly groups: () => Iterable<RuleGroup>
  /** Who is told what a group finds, in the order of their ids. */
  readonly accountsOf: (groupKey: string) => readonly string[]
  readonly rules: () => Iterable<RuleAskers>
  readonly isTold: (accountId: string) => boolean
  readonly lines: LineIndex
  readonly lineOf: (lineId: string) => WatchedLine | undefined
}

export type WatchedDeps = {
  readonly sinceMinute: SinceMinute
  /** The list of accounts that have set none. */
  readonly usualList: readonly ListEntry[]
}

/** Where the settings of an account stand. */
type Kept = {
  readonly hasList: boolean
  readonly groupKeys: readonly string[]
  readonly lines: readonly WatchedLine[]
  readonly ruleKeys: readonly (readonly [ruleId: string, key: string])[]
}

/** Opens the settings of a session, without any account. */
export function openWatched({ sinceMinute, usualList }: WatchedDeps): WatchedSettings {
  const entries = openEntryGroups(usualList)
  const rules = openRuleAskers()
  const lines = openLineIndex()
  const lineOf = new Map<string, WatchedLine>()
  const kept = new Map<string, Kept>()
  let told: ReadonlySet<string> = new Set()
  let inOrder: readonly string[] = []

  const forget = (accountId: string) => {
    const before = kept.get(accountId)
    if (!before) return
    entries.remove(accountId, before.groupKeys)
    rules.remove(before.ruleKeys)
    for (const watched of before.lines) {
      lines.remove(watched)
      lineOf.delete(watched.line.id)
    }
  }
  const putLines = ({ accountId, lines: set }: AccountAlerts): WatchedLine[] =>
    set.map(({ line, sinceMs, armed, firedAtMs }) => {
      const watched = { line, accountId, firstMinute: sinceMinute(sinceMs), armed, firedAtMs }
      lineOf.set(line.id, watched)
      lines.add(watched)
      return watched
    })

  return {
    putAccounts: accountIds => {
      const isSame = accountIds.length === told.size && accountIds.every(one => told.has(one))
      if (isSame) return
      inOrder = accountIds.toSorted()
      told = new Set(accountIds)
    },
    putAlerts: alerts => {
      const { accountId, list, rules: set } = alerts
      forget(accountId)
      const asked = (list ?? []).map(({ entry, sinceMs }) => {
        return { entry, firstMinute: sinceMinute(sinceMs) }
      })
      const own = set.map(({ rule, sinceMs }) => {
        return { accountId, rule, firstMinute: sinceMinute(sinceMs) }
      })
      kept.set(accountId, {
        hasList: list !== null,
        groupKeys: entries.add(accountId, asked),
        lines: putLines(alerts),
        ruleKeys: rules.add(own),
      })
    },
    groups: entries.all,
    accountsOf: key => {
      const asking = entries.askingIn(key)
      if (!entries.isUsual(key)) return [...asking].filter(one => told.has(one)).sort()
      return inOrder.filter(one => !kept.get(one)?.hasList || asking.has(one))
    },
    rules: rules.all,
    isTold: accountId => told.has(accountId),
    lines,
    lineOf: id => lineOf.get(id),
  }
}

/** Rules by what they ask. */
function openRuleAskers() {
  const byKey = new Map<string, RuleAskers>()
  return {
    all: () => byKey.values(),
    /** Answers the id and the key of each. */
    add: (asked: readonly RuleAsker[]) =>
      asked
        .filter(({ rule }) => rule.on)
        .map(asker => {
          const compiled = compileRule(asker.rule)
          const known = byKey.get(compiled.key) ?? {
            compiled,
            askers: new Map<string, RuleAsker>(),
          }
          known.askers.set(asker.rule.id, asker)
          byKey.set(compiled.key, known)
          return [asker.rule.id, compiled.key] as const
        }),
    remove: (keys: Kept['ruleKeys']) => {
      for (const [ruleId, key] of keys) {
        const { askers } = byKey.get(key)!
        askers.delete(ruleId)
        if (askers.size === 0) byKey.delete(key)
      }
    },
  }
}
