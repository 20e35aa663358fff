import type {
  ComparedField,
  CompareOp,
  LevelRef,
  RuleAction,
  RuleCondition,
  RuleStructure,
  Weekday,
} from './spec.ts'

/** Meaning of one phrase of a message. */

/** A structure, or an ambiguous word for several of them. */
export type NamedStructure = RuleStructure | 'spread' | 'butterfly'
/** Side of the strike from its level: `out` is away from the money. */
export type StrikeSide = 'below' | 'above' | 'out' | 'in' | 'at'

export type NamedStrike =
  | { readonly ref: 'spot' | LevelRef; readonly points: number; readonly side: StrikeSide }
  | { readonly ref: 'em'; readonly mult: number; readonly side: StrikeSide }
  | { readonly ref: 'delta'; readonly value: number }

/** Unit of a stop; null when it must be clarified. */
export type StopUnit =
  | 'x_credit'
  | 'pct_credit'
  | 'loss_x_credit'
  | 'pct_debit'
  | 'pct_loss'
  | 'pct'
  | 'points'
  | 'dollars'

export type NamedExit =
  | { readonly at: string; readonly day?: number | undefined }
  | { readonly at: 'expiry' }
  | { readonly close: true }
  | { readonly hold: number }
  | { readonly profit: number; readonly of: 'profit' | 'max' | 'debit' | 'double' }
  | { readonly stop: number; readonly unit: StopUnit | null }

/** The missing part of a condition, which must be clarified. */
export type OpenCondition =
  | {
      readonly near: LevelRef | 'wall'
      readonly isFar?: true
      /** Far above or below it. */
      readonly side?: 'above' | 'below'
    }
  | { readonly gamma: CompareOp }
  | { readonly order: Omit<Extract<RuleCondition, { f: 'order' }>, 'premium_musd_min'> }
  | { readonly cross: number }
  | { readonly size: ComparedField; readonly op: CompareOp }

export type EditSlot =
  | ('width' | 'strike' | 'entry' | 'window' | 'every' | 'exit' | 'profit' | 'stop' | 'time_exit')
  | ('days' | 'dte' | 'qty' | 'when' | 'order' | 'cross_flip' | 'second' | ComparedField)

export type StatedItem =
  | { readonly k: 'action'; readonly v: RuleAction; readonly isIt?: true }
  | {
      readonly k: 'structure'
      readonly v: NamedStructure
      readonly sold?: boolean
      /** Given as a put and a call: with wings it is the structure of four legs. */
      readonly isByLegs?: true
    }
  /** The far leg, counted from where the near one is, or from the price itself. */
  | { readonly k: 'far'; readonly v: number; readonly isOfSpot?: true }
  /** A leg with its own strike: "short put 30 below spot". */
  | {
      readonly k: 'leg'
      readonly action: RuleAction
      readonly side: 'put' | 'call'
      readonly v: NamedStrike
    }
  | { readonly k: 'side'; readonly v: 'put' | 'call' }
  | { readonly k: 'width'; readonly v: number }
  | { readonly k: 'strike'; readonly v: NamedStrike }
  | { readonly k: 'level_side'; readonly v: LevelRef; readonly side: 'below' | 'above' }
  | { readonly k: 'dte' | 'qty' | 'every' | 'gap'; readonly v: number }
  | { readonly k: 'each' }
  | {
      readonly k: 'time'
      readonly v: string
      readonly role: 'entry' | 'open'
      readonly maybeExit?: true
    }
  | { readonly k: 'bare_time'; readonly v: string; readonly maybeExit?: true }
  | {
      readonly k: 'window'
      readonly v: readonly [string, string]
      /** Valid for conditions, but no entry time by itself: "in the morning". */
      readonly isLoose?: true
      /** Only its end was given: "until 14:00". */
      readonly isUntil?: true
      /** The one end that was given. */
      readonly half?: 'from' | 'to'
    }
  | { readonly k: 'exit'; readonly v: NamedExit }
  | { readonly k: 'when'; readonly v: RuleCondition; readonly why?: string }
  | { readonly k: 'when_open'; readonly v: OpenCondition }
  | { readonly k: 'either' | 'mapping' | 'vague_trade' }
  | { readonly k: 'vague'; readonly slot: string }
  | { readonly k: 'days'; readonly v: readonly Weekday[]; readonly how: 'set' | 'not' | 'add' }
  | { readonly k: 'drop'; readonly slot: EditSlot }
  | {
      readonly k: 'shift'
      readonly slot: 'width' | 'strike' | 'entry' | 'exit'
      readonly by: number
    }
  | { readonly k: 'ask'; readonly slot: 'width' | 'strike' | 'entry' | 'stop' | 'profit' | 'qty' }
  | { readonly k: 'undo' | 'restart' | 'also' | 'instead' | 'only' | 'else' }
  | { readonly k: 'if' | 'unless' | 'no_trade' | 'or' | 'break' | 'set' | 'exit_head' | 'nothing' }
  | { readonly k: 'talk'; readonly v: 'hello' | 'thanks' | 'help' | 'unsure' }
  | { readonly k: 'refuse'; readonly rank: number; readonly reason: string }
  | { readonly k: 'bad'; readonly reason: string }

/** A parsed item, its position, and the part of a rule it is about. */
export type RuleItem = StatedItem & {
  readonly from: number
  readonly to: number
  readonly field: string
  readonly text: string
  readonly note?: string
}
