import { type Assumption, exitKind } from './draft.ts'
import { EXAMPLES } from './examples.ts'
import type { EditSlot, RuleItem } from './items.ts'
import { scan, type UnreadWord } from './scan.ts'
import type { LevelRef } from './spec.ts'
import { tokenize } from './tokens.ts'

/** Span of words in a message, and the part of a rule they were read as. */
export type ReadSpan = { readonly from: number; readonly to: number; readonly field: string }

export type Understood = {
  readonly items: readonly RuleItem[]
  readonly read: readonly ReadSpan[]
  readonly unread: readonly UnreadWord[]
  /** Words that were read as others, by one letter. */
  readonly typos: readonly Assumption[]
  /** Reasons why there can be no rule, before assembly. */
  readonly refusals: readonly string[]
}

/** Maximum characters of a message. */
export const MESSAGE_MAX = 2_000
/**
 * Maximum words, numbers and signs of a message. 2,000 characters of plain English have about 600.
 */
export const MESSAGE_WORDS_MAX = 700

/** Reason why a message is too long to be read; null when it is not. */
export function refuseLength(message: string): string | null {
  if (message.length > MESSAGE_MAX) {
    return `the message has ${message.length} characters; the limit is ${MESSAGE_MAX}`
  }
  const words = tokenize(message).length
  if (words <= MESSAGE_WORDS_MAX) return null
  return `the message has ${words} words, numbers and signs; the limit is ${MESSAGE_WORDS_MAX}`
}

/** Parses a message word by word, without assembling it. */
export function understand(message: string, known: readonly LevelRef[] = []): Understood {
  const { items, unread, typos } = scan(message, known)
  const read = items
    .filter(({ field, k }) => field !== 'words' && k !== 'nothing')
    .map(({ from, to, field }) => ({ from, to, field }))
  return {
    items,
    read: read.filter((one, index) => index === 0 || one.from !== read[index - 1]!.from),
    unread,
    typos: typos
      .filter(typo => unread.every(one => !isSameSpan(one, typo)))
      .map(({ text, as }) => ({
        field: 'words',
        value: as,
        why: `"${text}" was read as "${as}"`,
      })),
    refusals: listRefusals(items),
  }
}

const isSameSpan = (one: Pick<ReadSpan, 'from' | 'to'>, other: Pick<ReadSpan, 'from' | 'to'>) =>
  one.from === other.from && one.to === other.to

/** Distinct refusals of the gravest kind. */
function listRefusals(items: readonly RuleItem[]): string[] {
  const refused = items.flatMap(item => (item.k === 'refuse' ? [item] : []))
  const gravest = Math.min(...refused.map(({ rank }) => rank))
  const reported = refused.filter(({ rank }) => rank === gravest)
  return [
    ...new Set(
      reported.map(({ reason, text }) => reason.replace('{word}', formatWord(reason, text))),
    ),
  ]
}

/** Word that a reason names: "FOMC days" are not in the data because FOMC is not. */
const formatWord = (reason: string, text: string) =>
  reason.startsWith('{word}') ? text.replace(/ days?$/i, '') : text

/** Lists the unread words in one sentence. */
export const notUnderstood = (unread: readonly UnreadWord[]): string =>
  `not understood: ${unread.map(({ text }) => text).join(' ')}`

/** Words without which the rest may mean the opposite: without them nothing is proposed. */
const TURNING =
  /^(?:not|no|nor|never|neither|either|none|nothing|or|unless|except|without|instead|%|percent|pct|\w+n['’]?t)$/

/** Words that make another stop of one: a loss of twice the credit is a close at three times. */
const LOSING = /^(?:loss|losses|losing|lose|loses|lost|down)$/

/** True when what was not read may turn the rest round. */
export function isTurning(unread: readonly UnreadWord[], items: readonly RuleItem[]): boolean {
  const hasStop = items.some(item => item.k === 'exit' && 'stop' in item.v)
  const words = unread.flatMap(({ text }) => text.split(' '))
  return words.some(word => TURNING.test(word) || (hasStop && LOSING.test(word)))
}

/** The example that shares the most words with a message. */
export function findNearest(message: string): string {
  const words = new Set(listWords(message))
  const shared = (example: string) => {
    const own = new Set(listWords(example))
    return [...own].filter(word => words.has(word)).length / Math.sqrt(own.size)
  }
  return EXAMPLES.toSorted((a, b) => shared(b) - shared(a))[0]!
}

const listWords = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

const QUIET = new Set(['break', 'nothing', 'if', 'set', 'exit_head'])

/** Parts that a new rule lacks by default, such as in "no stop". */
const DEFAULTS: Readonly<Partial<Record<EditSlot, string>>> = {
  stop: 'stop',
  profit: 'profit',
  time_exit: 'at',
  exit: 'any',
}

/** Reason why a message that begins a rule cannot edit one; null when it does not. */
export function misplacedEdit(items: readonly RuleItem[]): string | null {
  for (const item of items) {
    const { k, text } = item
    if (k === 'undo') return 'undo stands alone; send the change by itself'
    const isEdit = k === 'shift' || k === 'ask' || k === 'drop'
    if (!isEdit) continue
    const kind = k === 'drop' ? DEFAULTS[item.slot] : undefined
    if (!kind) return `there is no rule yet to change: ${text.toLowerCase()}`
    const isGiven = ({ v }: Extract<RuleItem, { k: 'exit' }>) =>
      kind === 'any' || exitKind(v) === kind
    if (items.some(other => other.k === 'exit' && isGiven(other))) {
      return `${text.toLowerCase()}, and one is given`
    }
  }
  return null
}

export type Talk = Extract<RuleItem, { k: 'talk' }>['v']

/** Kind of small talk, when a message contains nothing else. */
export function findTalk(items: readonly RuleItem[]): Talk | null {
  const saying = items.filter(({ k }) => !QUIET.has(k))
  if (saying.length === 0) return 'help'
  const talk = saying.filter(item => item.k === 'talk')
  if (talk.length < saying.length) return null
  return talk.find(({ v }) => v === 'help' || v === 'unsure')?.v ?? talk[0]!.v
}

/** Reason why a message with "or" between conditions is no rule. */
const OR = 'or is not in the language: all conditions of a rule have to hold; make two ideas'

/** Reports an "or" between two conditions. */
export function findAlternatives(items: readonly RuleItem[]): readonly string[] {
  const saying = items.filter(({ k }) => k !== 'break' && k !== 'nothing' && k !== 'if')
  const isBetween = saying.some(
    ({ k }, index) =>
      k === 'or' && CONDITIONS.has(saying[index - 1]?.k) && CONDITIONS.has(saying[index + 1]?.k),
  )
  return isBetween ? [OR] : []
}

export function findDangling(items: readonly RuleItem[]): UnreadWord[] {
  const saying = items.filter(({ k }) => k !== 'break' && k !== 'nothing')
  const trades = { first: saying.findIndex(isTrade), last: saying.findLastIndex(isTrade) }
  return saying.flatMap((item, index) => {
    const [before, next] = [saying[index - 1], saying[index + 1]]
    const isLost =
      (item.k === 'or' && !isJoining(before, next) && (index > 0 || !isExit(next))) ||
      (item.k === 'exit_head' && !isExit(next)) ||
      (item.k === 'if' && item.text !== 'only' && !isCondition(next)) ||
      (item.k === 'if' && next?.k === 'unless') ||
      // "otherwise" comes after one trade and before another
      (item.k === 'else' &&
        !(trades.first < index && index < trades.last) &&
        !isAfterNone(saying, index, trades.first)) ||
      (item.k === 'unless' && (next?.k === 'days' || !isCondition(next))) ||
      // small talk within a rule may be about it
      (isOfTalk(item) && !saying.every(one => isOfTalk(one) || one.k === 'set'))
    return isLost ? [{ from: item.from, to: item.to, text: item.text.toLowerCase() }] : []
  })
}

/** True for words that start another rule, or leave a choice open. */
const isOfTalk = (item: RuleItem) =>
  item.k === 'restart' || (item.k === 'talk' && item.v === 'unsure')

/** True when "otherwise" comes after the condition of no trade, and before the only trade. */
const isAfterNone = (saying: readonly RuleItem[], index: number, trade: number): boolean =>
  index < trade && saying.slice(0, index).some(({ k }) => k === 'unless' || k === 'no_trade')

const isTrade = ({ k }: RuleItem) => k === 'action' || k === 'structure'

const isExit = (item: RuleItem | undefined) =>
  item?.k === 'exit' || item?.k === 'vague' || item?.k === 'bad'

const isJoining = (before: RuleItem | undefined, next: RuleItem | undefined) =>
  (before?.k === 'exit' || before?.k === 'time' || before?.k === 'vague') &&
  (next?.k === 'exit' || next?.k === 'exit_head')

const CONDITIONS = new Set<string | undefined>([
  'when',
  'when_open',
  'mapping',
  'each',
  'vague',
  'bad',
  'refuse',
  'if',
  'days',
  'window',
])
const isCondition = (item: RuleItem | undefined) => CONDITIONS.has(item?.k)
