import type { NamedExit, NamedStrike, NamedStructure, OpenCondition, RuleItem } from './items.ts'
import type { LevelRef, RuleAction, RuleCondition, RuleSpec, Weekday } from './spec.ts'

/** Draft of one leg: only the parts that were stated. */
export type DraftLeg = {
  readonly action?: RuleAction
  readonly structure?: NamedStructure
  /** Set when the name of the structure implies that it is sold, or bought. */
  readonly sold?: boolean
  readonly side?: 'put' | 'call'
  /** Given as a put and a call: wings make it the structure of four legs. */
  readonly isByLegs?: true
  readonly width?: number
  readonly strike?: NamedStrike
  readonly levelSide?: { readonly level: LevelRef; readonly side: 'below' | 'above' }
  readonly dte?: number
  readonly qty?: number
  readonly at?: string
  readonly window?: readonly [string, string]
  /** The window alone is no entry time: "in the morning". */
  readonly isLoose?: boolean
  /** The one end of the window that was given. */
  readonly half?: 'from' | 'to'
  readonly every?: number
  readonly isEach?: boolean
  readonly gap?: number
  readonly exits: readonly NamedExit[]
  readonly when: readonly RuleCondition[]
  readonly open: readonly OpenCondition[]
}

/** An assumed or derived value, which is reported. */
export type Assumption = {
  readonly field: string
  readonly value: string
  readonly why: string
}

/** Draft of a rule that is incomplete, or about to be changed. */
export type RuleDraft = {
  readonly legs: readonly DraftLeg[]
  readonly days?: readonly Weekday[]
  /** Slots filled with words too vague to use. */
  readonly vague: readonly string[]
  /** Bought on one side of something and sold on the other, without stating which. */
  readonly isMapping?: boolean
  /** Two times of entry were given. */
  readonly times?: readonly string[]
  /** Invalid parts, in sentences. */
  readonly bad: readonly string[]
  readonly notes: readonly Assumption[]
  /** Words that were not read: the rule is proposed without them. */
  readonly unread?: readonly string[]
}

export const EMPTY_LEG: DraftLeg = { exits: [], when: [], open: [] }
export const EMPTY_DRAFT: RuleDraft = { legs: [], vague: [], bad: [], notes: [] }

/** Kind of exit, of which a leg has one each. */
export function exitKind(exit: NamedExit): 'at' | 'profit' | 'stop' {
  if ('profit' in exit) return 'profit'
  return 'stop' in exit ? 'stop' : 'at'
}

/** Converts a compiled rule to a draft, to be changed. */
export function toDraft({ core, when, days, more }: RuleSpec): RuleDraft {
  const legs = [{ core, when }, ...(more ?? [])].map(leg => toDraftLeg(leg.core, leg.when))
  return { ...EMPTY_DRAFT, legs, ...(days ? { days } : {}) }
}

function toDraftLeg(core: RuleSpec['core'], when: readonly RuleCondition[]): DraftLeg {
  const { action, structure, width, strike, dte, qty, entry, exit } = core
  return {
    action,
    structure,
    ...(width === undefined ? {} : { width }),
    strike: namedStrike(strike),
    dte,
    qty,
    ...('at' in entry ? { at: entry.at } : { window: entry.window }),
    ...('every_min' in entry ? { every: entry.every_min } : {}),
    ...('times' in entry && entry.times
      ? { isEach: true, ...(entry.gap_min === undefined ? {} : { gap: entry.gap_min }) }
      : {}),
    exits: exit.flatMap(one => namedExit(one)),
    when,
    open: [],
  }
}

function namedStrike(strike: RuleSpec['core']['strike']): NamedStrike {
  if (strike.ref === 'delta') return strike
  const by = strike.ref === 'em' ? strike.mult : strike.offset
  const side = by === 0 ? 'at' : by < 0 ? 'below' : 'above'
  if (strike.ref === 'em') return { ref: 'em', mult: Math.abs(by), side }
  return { ref: strike.ref, points: Math.abs(by), side }
}

function namedExit(exit: RuleSpec['core']['exit'][number]): NamedExit[] {
  if ('at' in exit) return exit.at === 'expiry' ? [] : [exit]
  if ('profit_pct' in exit) return [{ profit: exit.profit_pct, of: 'profit' }]
  if ('stop_pct_debit' in exit) return [{ stop: exit.stop_pct_debit, unit: 'pct_debit' }]
  return [{ stop: exit.stop_x_credit, unit: 'x_credit' }]
}

/** Items that carry meaning, in order. */
export const saying = (items: readonly RuleItem[]): readonly RuleItem[] =>
  items.filter(({ k }) => k !== 'break' && k !== 'nothing' && k !== 'exit_head' && k !== 'set')
