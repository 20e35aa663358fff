import { amend } from './amend.ts'
import { asChange, asSentence, isBareNumber, listPlausible } from './answers.ts'
import { assemble } from './assemble.ts'
import { changesBetween, type RuleChange } from './changes.ts'
import { complete, type Proposed } from './complete.ts'
import { type Assumption, EMPTY_DRAFT, exitKind, type RuleDraft, toDraft } from './draft.ts'
import type { RuleItem } from './items.ts'
import { findQuestion, type QuestionRow, UNREAD } from './questions.ts'
import {
  findAlternatives,
  findDangling,
  findNearest,
  findTalk,
  isTurning,
  misplacedEdit,
  notUnderstood,
  type ReadSpan,
  refuseLength,
  type Talk,
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
      /** Words of the message that were not read. */
      readonly unread: readonly UnreadWord[]
      /** The rule without the words that were not read, which "yes" takes. */
      readonly proposed?: Proposed & {
        readonly say: string
        readonly changed: readonly RuleChange[]
      }
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
  if (tooLong !== null) return failed([tooLong], UNHEARD)
  const base = idea ? (idea.draft ?? (idea.spec ? toDraft(idea.spec) : EMPTY_DRAFT)) : null
  const proposal =
    base && idea?.missing.includes(UNREAD) ? replyToProposal(message, base, idea) : null
  if (proposal) return proposal
  const open = idea?.missing.filter(slot => slot !== UNREAD) ?? []
  const missing = listPlausible(message, open)
  const sentence = base && missing.length > 0 ? asSentence(message, missing, base) : null
  if (sentence === null && missing.length > 1 && isBareNumber(message)) {
    return question({ missing, draft: base }, [], `Which of them is ${message.trim()}?`)
  }
  const changed = sentence ?? (base && asChange(message, base))
  const understood = understand(changed ?? message, base ? listLevels(base) : [])
  const { items, unread, refusals, typos } = understood
  const read =
    changed === null
      ? understood.read
      : [{ from: 0, to: message.length, field: understood.read[0]?.field ?? missing[0]! }]
  if (refusals.length > 0) return failed(refusals, { lost: unread, read, typos })
  const or = findAlternatives(items)
  if (or.length > 0) return failed(or, { lost: unread, read, typos })
  const lost = [...unread, ...findDangling(items)].sort((a, b) => a.from - b.from)
  const heard = { items, lost, typos, read }
  const refused = () => failed([notUnderstood(lost)], heard, findNearest(message))
  if (isTurning(lost, items)) return refused()
  if (lost.length === 0) {
    const talk = findTalk(items)
    // an open question stays open
    if (talk && base && idea && idea.missing.length > 0) {
      return question({ missing: idea.missing, draft: base }, read, SHORT[talk])
    }
    if (talk) return { kind: 'chat', say: TALK[talk], missing: [], draft: null, unread: [], read }
    if (base && items.some(({ k }) => k === 'restart') && items.every(isRestart)) {
      return question({ missing: ['what to do'], draft: EMPTY_DRAFT }, read, 'From the start.')
    }
  }
  if (items.some(({ k }) => k === 'undo')) {
    return lost.length > 0 ? refused() : undone(heard, idea)
  }
  return (base ? amended(heard, base, idea!) : begun(heard)) ?? refused()
}

/** A message as it was read. */
type Heard = {
  readonly items: readonly RuleItem[]
  /** Words that were not read. */
  readonly lost: readonly UnreadWord[]
  readonly typos: readonly Assumption[]
  readonly read: readonly ReadSpan[]
}

const UNHEARD: Heard = { items: [], lost: [], typos: [], read: [] }

const YES =
  /^\W*(?:yes|yep|yeah|yup|y|sure|ok|okay|accept|accepted|agreed|fine|correct|right|take it|do it|go)\b[\s\p{P}]*(?:please|take it|do it|go|thanks|thank you)?\W*$/iu
const NO = /^\W*(?:no|nope|nah)\W*$/iu

/** Reply to "yes" or "no" about words that were not read; null for any other message. */
function replyToProposal(message: string, base: RuleDraft, idea: IdeaSoFar): DialogReply | null {
  if (NO.test(message)) {
    return question({ missing: idea.missing, draft: base }, [], 'Then say it in other words.')
  }
  if (!YES.test(message)) return null
  const { unread = [], ...rest } = base
  const left = { field: UNREAD, value: unread.join(' '), why: 'left out, as accepted' }
  const draft = { ...rest, notes: [...rest.notes, left] }
  const read = [{ from: 0, to: message.length, field: UNREAD }]
  return reported(draft, idea.spec, { ...UNHEARD, read })
}

/** A draft with the words that were not read, and those that were read as others. */
const withHeard = (draft: RuleDraft, { lost, typos }: Heard): RuleDraft => {
  const unread = [...(draft.unread ?? []), ...lost.map(({ text }) => text)]
  return {
    ...draft,
    notes: [...draft.notes, ...typos],
    ...(unread.length > 0 ? { unread } : {}),
  }
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

const isRestart = ({ k }: RuleItem) => k === 'restart' || k === 'break' || k === 'set'

/** Small talk while a question is open. */
const SHORT = {
  hello: 'Hello.',
  thanks: 'Good.',
  unsure: 'It has to be given: a rule has no default for it.',
  help: 'One thing is open.',
} as const satisfies Record<Talk, string>

const TALK = {
  hello: 'Hello. Give a rule, such as: at 10:00 sell the 10-wide put spread 30 points below spot.',
  thanks: 'Good. Change the rule, or give another one.',
  help:
    'Say what to trade, when, on which conditions, and when to get out. Such as: at 10:00 sell ' +
    'the 10-wide put spread 30 points below spot if net gamma is positive, exit at 50% profit ' +
    'or at 15:45. GET /api/lab/vocabulary lists the words.',
  unsure: 'Give a rule, or change the one there is.',
} as const

function undone(heard: Heard, idea: IdeaSoFar | null): DialogReply {
  const { items, read } = heard
  const others = items.filter(
    ({ k }) => k !== 'undo' && k !== 'break' && k !== 'talk' && k !== 'set',
  )
  if (others.length > 0) {
    return failed(['undo stands alone; send the change by itself'], heard)
  }
  if (!idea) return failed(['there is nothing to undo'], heard)
  return { kind: 'undo', say: 'Back to the version before.', read }
}

/** "exit 2 hours later" changes a rule; in a new one it is counted from the entry. */
const asHeld = (item: RuleItem): RuleItem =>
  item.k === 'shift' && item.slot === 'exit' && item.by > 0
    ? ({ ...item, k: 'exit', v: { hold: item.by } } as RuleItem)
    : item

/** Reply to a message that begins a rule; null when it names no trade besides unread words. */
function begun(stated: Heard): DialogReply | null {
  const heard = { ...stated, items: stated.items.map(asHeld) }
  const edit = misplacedEdit(heard.items)
  if (edit !== null) return failed([edit], heard)
  const draft = assemble(heard.items)
  return isTrade(draft) || heard.lost.length === 0
    ? reported(withHeard(draft, heard), null, heard)
    : null
}

const isTrade = ({ legs }: RuleDraft): boolean =>
  legs.some(({ action, structure }) => action !== undefined || structure !== undefined)

/** Reply to a message that changes a rule; null when only unread words would change it. */
function amended(heard: Heard, base: RuleDraft, idea: IdeaSoFar): DialogReply | null {
  const { items, lost } = heard
  if (!items.some(isAmending)) {
    const alone = withHeard(assemble(items), heard)
    const whole = complete(alone)
    // a sentence that is a complete rule replaces the old one
    if (whole.kind === 'spec' || (whole.kind === 'chat' && whole.proposed)) {
      return reported(alone, idea.spec, heard)
    }
  }
  const draft = asFeasible(base, items)
  const isSame = JSON.stringify({ ...draft, notes: [] }) === JSON.stringify({ ...base, notes: [] })
  return lost.length > 0 && isSame ? null : reported(withHeard(draft, heard), idea.spec, heard)
}

const ENTERED = /\b(?:ent(?:er|ry)|open|start|get in)/i

/** Changes a draft; a time that cannot be the entry is the exit: "make that 15:30". */
function asFeasible(base: RuleDraft, items: readonly RuleItem[]): RuleDraft {
  const draft = amend(base, items)
  const completed = complete(draft)
  const isLate = completed.kind === 'error' && completed.errors.includes('exit is not after entry')
  const hasExit = base.legs.some(({ exits }) => exits.some(one => exitKind(one) === 'at'))
  if (!isLate || !hasExit) return draft
  const timed = items.map(item =>
    (item.k === 'time' || item.k === 'bare_time') && !ENTERED.test(item.text)
      ? ({ ...item, k: 'exit', v: { at: item.v }, field: 'exit' } as RuleItem)
      : item,
  )
  const other = amend(base, timed)
  return complete(other).kind === 'spec' ? other : draft
}

const AMENDING = new Set(['set', 'instead', 'also', 'drop', 'shift', 'ask'])
const isAmending = ({ k }: RuleItem) => AMENDING.has(k)

function reported(draft: RuleDraft, before: RuleSpec | null, heard: Heard): DialogReply {
  const { read, lost } = heard
  const completed = complete(draft)
  if (completed.kind === 'error') {
    // what was not read may be why the rest does not fit
    const unclear = lost.length > 0 ? [notUnderstood(lost)] : []
    return failed([...unclear, ...completed.errors], heard)
  }
  if (completed.kind === 'chat') {
    const { missing, proposed } = completed
    return { ...question({ missing, draft, proposed, before }, read), unread: lost }
  }
  const { spec, assumptions } = completed
  const changed = before ? changesBetween(before, spec) : []
  return { kind: 'spec', spec, say: sayRule(spec), assumptions, changed, read }
}

type Asking = {
  readonly missing: readonly string[]
  readonly draft: RuleDraft | null
  readonly proposed?: Proposed | undefined
  readonly before?: RuleSpec | null
}

function question(
  { missing, draft, proposed, before }: Asking,
  read: readonly ReadSpan[],
  head?: string,
): Extract<DialogReply, { kind: 'chat' }> {
  const rows = missing.map(findQuestion)
  const unread = draft?.unread ?? []
  const typos = draft?.notes.filter(({ field }) => field === 'words') ?? []
  const heads = [
    ...(head ? [head] : []),
    ...typos.map(({ why }) => sentence(why)),
    ...(unread.length > 0 ? [`Not read: ${unread.join(' ')}.`] : []),
    ...(proposed ? [`Without that: ${sayRule(proposed.spec)}`] : []),
  ]
  // a rule that still lacks something cannot be taken yet
  const open = rows.length > 1 ? rows.filter(({ slot }) => slot !== UNREAD) : rows
  const say = [...heads, ...open.map(({ ask }) => ask)].join(' ')
  const changed = proposed && before ? changesBetween(before, proposed.spec) : []
  return {
    kind: 'chat',
    say: say || TALK.help,
    missing: rows,
    draft,
    unread: [],
    read,
    ...(proposed ? { proposed: { ...proposed, say: sayRule(proposed.spec), changed } } : {}),
  }
}

const sentence = (text: string): string => `${text}.`

function failed(
  errors: readonly string[],
  { lost, read, typos = [] }: Partial<Heard> & Pick<Heard, 'lost' | 'read'>,
  nearest?: string,
): DialogReply {
  const unread = lost
  const words = unread.map(({ text }) => text).join(' ')
  const also = errors.some(error => error.startsWith('not understood')) || words === ''
  const near = nearest === undefined ? '' : ` A sentence that is read: ${nearest}`
  const others = typos.map(({ why }) => ` ${sentence(why)}`).join('')
  const say = `Not a rule: ${errors.join('; ')}.${others}${also ? '' : ` Not read: ${words}.`}${near}`
  return { kind: 'error', say, errors, unread, read }
}
