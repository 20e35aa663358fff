import { amend } from './amend.ts'
import { asChange, asSentence, isBareNumber } from './answers.ts'
import { assemble } from './assemble.ts'
import { changesBetween, type RuleChange } from './changes.ts'
import { type Completed, complete } from './complete.ts'
import { type Assumption, EMPTY_DRAFT, type RuleDraft, toDraft } from './draft.ts'
import type { RuleItem } from './items.ts'
import { findQuestion, type QuestionRow } from './questions.ts'
import {
  findAlternatives,
  findDangling,
  findTalk,
  misplacedEdit,
  notUnderstood,
  type ReadSpan,
  refuseLength,
  understand,
} from './read.ts'
import { sayRule } from './say.ts'
import type { UnreadWord } from './scan.ts'
import type { LevelRef, RuleSpec } from './spec.ts'

/** State of an idea before a message. */
export type IdeaSoFar = {
  /** Rule of its current version; null while it has none. */
  readonly spec: RuleSpec | null
  /** Draft beyond that while a question is open; else null. */
  readonly draft: RuleDraft | null
  /** Open slots. */
  readonly missing: readonly string[]
}

/** Reply to a message, and its effect on the idea. */
export type DialogReply = { readonly say: string; readonly read: readonly ReadSpan[] } & (
  | {
      readonly kind: 'spec'
      readonly spec: RuleSpec
      readonly assumptions: readonly Assumption[]
      readonly changed: readonly RuleChange[]
    }
  | {
      readonly kind: 'chat'
      readonly missing: readonly QuestionRow[]
      /** New draft of the idea; null: nothing is stored. */
      readonly draft: RuleDraft | null
    }
  | {
      readonly kind: 'error'
      readonly errors: readonly string[]
      readonly unread: readonly UnreadWord[]
    }
  | { readonly kind: 'undo' }
)

/** Replies to a message; `idea` is null when it begins one. Deterministic. */
export function reply(message: string, idea: IdeaSoFar | null): DialogReply {
  const tooLong = refuseLength(message)
  if (tooLong !== null) return failed([tooLong], [], [])
  const base = idea ? (idea.draft ?? (idea.spec ? toDraft(idea.spec) : EMPTY_DRAFT)) : null
  const missing = idea?.missing ?? []
  const sentence = base && missing.length > 0 ? asSentence(message, missing, base) : null
  if (sentence === null && missing.length > 1 && isBareNumber(message)) {
    return question(missing, base, [], `Which of them is ${message.trim()}?`)
  }
  const changed = sentence ?? (base && asChange(message, base))
  const understood = understand(changed ?? message, base ? listLevels(base) : [])
  const { items, unread, refusals } = understood
  const read =
    changed === null
      ? understood.read
      : [{ from: 0, to: message.length, field: understood.read[0]?.field ?? missing[0]! }]
  if (refusals.length > 0) return failed(refusals, unread, read)
  const or = unread.length > 0 ? [] : findAlternatives(items)
  if (or.length > 0) return failed(or, [], read)
  const lost = unread.length > 0 ? unread : findDangling(items)
  if (lost.length > 0) return failed([notUnderstood(lost)], lost, read)
  const talk = findTalk(items)
  if (talk) return { kind: 'chat', say: TALK[talk], missing: [], draft: null, read }
  if (items.some(({ k }) => k === 'undo')) return undone(items, idea, read)
  return base ? amended(items, base, idea!, read) : begun(items, read)
}

const LEVEL_OF: Readonly<Record<string, LevelRef>> = {
  spot_minus_flip: 'flip',
  spot_minus_put_wall: 'put_wall',
  call_wall_minus_spot: 'call_wall',
}

/** Levels that a draft names. */
function listLevels({ legs }: RuleDraft): LevelRef[] {
  const named = legs.flatMap(({ strike, levelSide, when }) => [
    strike && strike.ref !== 'em' && strike.ref !== 'delta' ? strike.ref : undefined,
    levelSide?.level,
    ...when.map(({ f }) => LEVEL_OF[f]),
  ])
  return named.filter(level => level !== undefined && level !== 'spot')
}

const TALK = {
  hello: 'Hello. Give a rule, such as: at 10:00 sell the 10-wide put spread 30 points below spot.',
  thanks: 'Good. Change the rule, or give another one.',
  help:
    'Say what to trade, when, on which conditions, and when to get out. Such as: at 10:00 sell ' +
    'the 10-wide put spread 30 points below spot if net gamma is positive, exit at 50% profit ' +
    'or at 15:45. GET /api/lab/vocabulary lists the words.',
} as const

function undone(
  items: readonly RuleItem[],
  idea: IdeaSoFar | null,
  read: readonly ReadSpan[],
): DialogReply {
  const others = items.filter(
    ({ k }) => k !== 'undo' && k !== 'break' && k !== 'talk' && k !== 'set',
  )
  if (others.length > 0) {
    return failed(['undo stands alone; send the change by itself'], [], read)
  }
  if (!idea) return failed(['there is nothing to undo'], [], read)
  return { kind: 'undo', say: 'Back to the version before.', read }
}

function begun(items: readonly RuleItem[], read: readonly ReadSpan[]): DialogReply {
  const edit = misplacedEdit(items)
  if (edit !== null) return failed([edit], [], read)
  const draft = assemble(items)
  return reported(complete(draft), draft, null, read)
}

function amended(
  items: readonly RuleItem[],
  base: RuleDraft,
  idea: IdeaSoFar,
  read: readonly ReadSpan[],
): DialogReply {
  if (!items.some(isAmending)) {
    const alone = assemble(items)
    const whole = complete(alone)
    // a sentence that is a complete rule replaces the old one
    if (whole.kind === 'spec') return reported(whole, alone, idea.spec, read)
  }
  const draft = amend(base, items)
  return reported(complete(draft), draft, idea.spec, read)
}

const AMENDING = new Set(['set', 'instead', 'also', 'drop', 'shift', 'ask'])
const isAmending = ({ k }: RuleItem) => AMENDING.has(k)

function reported(
  completed: Completed,
  draft: RuleDraft,
  before: RuleSpec | null,
  read: readonly ReadSpan[],
): DialogReply {
  if (completed.kind === 'error') return failed(completed.errors, [], read)
  if (completed.kind === 'chat') return question(completed.missing, draft, read)
  const { spec, assumptions } = completed
  const changed = before ? changesBetween(before, spec) : []
  return { kind: 'spec', spec, say: sayRule(spec), assumptions, changed, read }
}

function question(
  missing: readonly string[],
  draft: RuleDraft | null,
  read: readonly ReadSpan[],
  head?: string,
): DialogReply {
  const rows = missing.map(findQuestion)
  const say = [...(head ? [head] : []), ...rows.map(({ ask }) => ask)].join(' ')
  return { kind: 'chat', say: say || TALK.help, missing: rows, draft, read }
}

function failed(
  errors: readonly string[],
  unread: readonly UnreadWord[],
  read: readonly ReadSpan[],
): DialogReply {
  const words = unread.map(({ text }) => text).join(' ')
  const also = errors.some(error => error.startsWith('not understood')) || words === ''
  const say = `Not a rule: ${errors.join('; ')}.${also ? '' : ` Not read: ${words}.`}`
  return { kind: 'error', say, errors, unread, read }
}
