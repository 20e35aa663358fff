import { changesBetween, type RuleChange } from '../language/changes.ts'
import { checkSpec } from '../language/checkSpec.ts'
import type { DialogReply } from '../language/dialog.ts'
import { joinNumbers } from '../language/numbers.ts'
import type { QuestionRow } from '../language/questions.ts'
import { sayRule } from '../language/say.ts'
import { RuleSpec } from '../language/spec.ts'
import { tokenize } from '../language/tokens.ts'
import type { Model } from './client.ts'

/** Numbers of a rule against those of the text that it was made of. */

/** Words that stand for a number, or for a minute of the day. */
const WORDS: Readonly<Record<string, readonly number[]>> = {
  half: [0.5],
  quarter: [0.25],
  double: [2],
  twice: [2],
  once: [1],
  triple: [3],
  noon: [720],
  midday: [720],
  open: [571, 570],
  close: [959, 960],
}
/** Factors by which a text may name a number of a rule: 16 for a delta of .16, 2 hours for 120. */
const FACTORS: readonly (readonly [fields: RegExp, factors: readonly number[]])[] = [
  [/\.strike\.value$/, [0.01]],
  [/\.premium_musd_min$|\.net_gamma\.v$/, [0.001, 1000, 1e-6]],
  [/\.(?:since|every|gap)_min$/, [60]],
  [/\.(?:profit_pct|stop_pct_debit)$/, [100]],
  [/\.stop_x_credit$/, [0.01]],
  [/\.(?:abs_gap|move_from_open)\.v$/, [0.01]],
]

/**
 * Numbers of a rule that neither the text has nor the rule before, in the order of the rule, as they
 * are written there. Defaults of the language are none: 0, no days on, one contract.
 */
export function findForeignNumbers(
  spec: RuleSpec,
  text: string,
  before: RuleSpec | null,
): string[] {
  const given = listGiven(text)
  const known = new Set(before ? listFacts(before).map(({ shown }) => shown) : [])
  return listFacts(spec).flatMap(fact =>
    known.has(fact.shown) || isDefault(fact, spec) || isGiven(fact, given) ? [] : [fact.shown],
  )
}

type Fact = {
  readonly path: string
  readonly shown: string
  readonly value: number
  readonly isTime: boolean
}

/** Every number and time of a rule. */
function listFacts(value: unknown, path = ''): Fact[] {
  if (typeof value === 'number') return [{ path, shown: String(value), value, isTime: false }]
  if (typeof value === 'string') {
    const time = /^(\d\d):(\d\d)$/.exec(value)
    if (!time) return []
    const minute = 60 * Number(time[1]) + Number(time[2])
    return [{ path, shown: value, value: minute, isTime: true }]
  }
  if (typeof value !== 'object' || value === null) return []
  const at = 'f' in value ? path.replace(/\d+$/, String(value.f)) : path
  return Object.entries(value).flatMap(([name, inner]) => listFacts(inner, `${at}.${name}`))
}

/** Parts that the language fills in where the text says nothing. */
function isDefault({ path, value, shown }: Fact, { core, more = [] }: RuleSpec): boolean {
  if (path === '.v' || value === 0) return true
  if (path.endsWith('.qty') || path.endsWith('.nth')) return value === 1
  // an event without a window may come in all of the session
  const entries = [core, ...more.map(leg => leg.core)].map(({ entry }) => entry)
  const hasEvent = entries.some(entry => 'on' in entry)
  return path.includes('.window.') && hasEvent && (shown === '09:31' || shown === '15:30')
}

type Given = { readonly numbers: readonly number[]; readonly minutes: readonly number[] }

function listGiven(text: string): Given {
  const tokens = joinNumbers(tokenize(text))
  const joined = tokens.map(one => one.text)
  const digits = [...text.matchAll(/\d+(?:,\d{3})*(?:\.\d+)?|\.\d+/g)].map(([found]) =>
    Number(found.replaceAll(',', '')),
  )
  const spelled = joined.map(Number).filter(Number.isFinite)
  const named = [...text.toLowerCase().matchAll(/[a-z]+/g)].flatMap(([word]) => WORDS[word] ?? [])
  const clock = [...text.matchAll(/(\d{1,2})[:.h](\d\d)/g)].map(
    ([, hour, minute]) => 60 * Number(hour) + Number(minute),
  )
  const numbers = [...digits, ...spelled, ...named]
  const hours = numbers.filter(one => Number.isInteger(one) && one >= 1 && one <= 24)
  const parts = /\b(half|quarter) (past|to|after)\b/i.test(text) ? [30, 15, -15] : []
  const compact = numbers
    .filter(one => one >= 100 && one < 2400 && one % 100 < 60)
    .map(one => 60 * Math.floor(one / 100) + (one % 100))
  const whole = [...clock, ...compact, ...named, ...hours.map(hour => 60 * hour)]
  const minutes = [...whole, ...whole.flatMap(minute => parts.map(part => minute + part))]
  return { numbers, minutes: minutes.flatMap(minute => [minute, minute + 720]) }
}

function isGiven({ path, value, isTime }: Fact, { numbers, minutes }: Given): boolean {
  if (isTime) return minutes.includes(value)
  const factors = FACTORS.flatMap(([fields, found]) => (fields.test(path) ? found : []))
  // a loss of twice the credit is a stop at three times
  const sizes = path.endsWith('.stop_x_credit') ? [value, value - 1] : [Math.abs(value)]
  return numbers.some(number =>
    [1, ...factors].some(factor =>
      sizes.some(size => Math.abs(number * factor - size) <= 1e-9 * Math.max(1, size)),
    ),
  )
}

/** A rule that a model made of a message: proposed, and no rule of the idea until it is accepted. */
export type ModelProposal = {
  readonly spec: RuleSpec
  /** The rule in words of our own. */
  readonly say: string
  /** Words of the message that the rule leaves out, with their places. */
  readonly dropped: readonly { readonly from: number; readonly to: number; readonly text: string }[]
  /** Words that were read by the model alone, and as what. */
  readonly meanings: readonly { readonly words: string; readonly means: string }[]
  readonly changed: readonly RuleChange[]
}

/** Result of a model for a message: a proposal, or why it is refused; null: it has none. */
export type ModelOutcome =
  | { readonly proposal: ModelProposal; readonly refused: null }
  | { readonly proposal: null; readonly refused: string }

/** Question of a proposal, with its usual response as a button. */
export const ACCEPT_QUESTION: QuestionRow = {
  slot: 'proposed rule',
  ask: 'Take it so? Say yes, or say it in other words.',
  unit: 'yes',
  options: ['yes', 'no'],
}

/** Words that carry no part of a rule: they are not listed as dropped. */
const FILLERS = new Set(
  (
    'a an the and or of to in on at for with from by i me my we our you your it its is are be that this ' +
    'please thanks then so just want would like let lets when if while as up out s t m ll d re ve'
  ).split(' '),
)

/**
 * Proposes a rule for a message that was not understood. What the model returns is checked as any
 * rule is; one with numbers that the message lacks is refused, and words that neither the language
 * nor the model took are listed. Null when the model fails or finds no rule.
 */
export async function proposeRule(
  model: Model,
  message: string,
  { plain, before }: { readonly plain: DialogReply; readonly before: RuleSpec | null },
): Promise<ModelOutcome | null> {
  const found = await model.translate(message, before)
  if (!found?.rule) return null
  const { spec, errors } = checkSpec(found.rule)
  if (errors) return { proposal: null, refused: `the model made no valid rule: ${errors[0]}` }
  const foreign = findForeignNumbers(spec, message, before)
  if (foreign.length > 0) {
    const numbers = [...new Set(foreign)].join(', ')
    return {
      proposal: null,
      refused: `the model used numbers that are not in the text: ${numbers}`,
    }
  }
  const hidden = found.meanings.find(({ words, means }) => !isShowable(words) || !isShowable(means))
  if (hidden) {
    const limits = `at most ${SHOWN_MAX_LENGTH} visible characters, without markup`
    return { proposal: null, refused: `the model read words as a text other than ${limits}` }
  }
  const say = sayRule(spec)
  const meanings = found.meanings.filter(
    ({ words, means }) => isPart(words, message) && means !== '',
  )
  const dropped = listDropped(message, plain, { say, meanings, leftOut: found.left_out })
  const changed = before ? changesBetween(before, spec) : []
  return { proposal: { spec, say, dropped, meanings, changed }, refused: null }
}

/** Longest text of a model that is shown. */
const SHOWN_MAX_LENGTH = 200

/** True for a text without control characters, direction marks and markup. */
const isShowable = (text: string): boolean =>
  text.length <= SHOWN_MAX_LENGTH && !/[\p{C}\p{Zl}\p{Zp}<>]/u.test(text)

/** True when some words stand in a text one after the other, whole, whatever their case. */
const isPart = (words: string, text: string): boolean =>
  toWords(words).length > 0 &&
  ` ${toWords(text).join(' ')} `.includes(` ${toWords(words).join(' ')} `)

type Taken = {
  readonly say: string
  readonly meanings: ModelProposal['meanings']
  readonly leftOut: readonly string[]
}

/**
 * Words of a message without a place in the rule: those that the model left out, and those that it
 * does not claim, that the words of the rule lack, and that carry a meaning.
 */
function listDropped(message: string, plain: DialogReply, { say, meanings, leftOut }: Taken) {
  const unread = 'unread' in plain ? plain.unread : []
  const stated = new Set(toWords(say))
  const claimed = new Set(meanings.flatMap(({ words }) => toWords(words)))
  const left = new Set(leftOut.filter(words => isPart(words, message)).flatMap(toWords))
  return [...message.matchAll(/[\p{L}\p{N}.%$:]*[\p{L}\p{N}%$]/gu)].flatMap(match => {
    const [text] = match
    const from = match.index
    const to = from + text.length
    const isUnread = unread.some(word => word.from < to && word.to > from)
    const words = toWords(text)
    const isLeft = words.some(word => left.has(word))
    const isTaken = words.every(word => FILLERS.has(word) || stated.has(word) || claimed.has(word))
    // of what the language read itself, only words that the rule lacks
    return isLeft || (!isTaken && (isUnread || !hasSame(words, stated))) ? [{ from, to, text }] : []
  })
}

const toWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}.]+/u)
    .map(word => word.replace(/^\.+|\.+$/g, ''))
    .filter(word => word !== '')

/** True when a word is a form of one that was stated: "mondays" and "monday", "strangles". */
const hasSame = (words: readonly string[], stated: ReadonlySet<string>): boolean =>
  words.every(
    word => stated.has(word) || stated.has(`${word}s`) || stated.has(word.replace(/s$/, '')),
  )

/** Sentence of a proposal: the rule, how words were read, and which were left out. */
export function sayProposal({ say, dropped, meanings }: ModelProposal): string {
  const read = meanings.map(({ words, means }) => `"${words}" as ${means}`).join(', ')
  return [
    'A language model made this rule of your words.',
    ...(read === '' ? [] : [`It read ${read}.`]),
    ...(dropped.length === 0 ? [] : [`Left out: ${dropped.map(({ text }) => text).join(' ')}.`]),
    say,
    ACCEPT_QUESTION.ask,
  ].join(' ')
}

/** State of an idea under a proposal, as its draft stores it. */
export type ProposalDraft = {
  readonly proposal: ModelProposal
  /** Draft and open slots of before, which any other message goes on with. */
  readonly base: { readonly draft: string | null; readonly missing: readonly string[] }
}

/** Formats the draft of an idea whose rule is proposed. */
export const writeProposal = (draft: ProposalDraft): string => JSON.stringify({ model: draft })

/** Reads the draft of an idea; null when it is none of a proposal. */
export function readProposal(draft: string | null): ProposalDraft | null {
  if (draft === null) return null
  const { model = null } = JSON.parse(draft) as { readonly model?: ProposalDraft | null }
  if (!model) return null
  return { ...model, proposal: { ...model.proposal, spec: RuleSpec.parse(model.proposal.spec) } }
}

const YES = /^\W*(?:yes|yep|yeah|y|ok|okay|sure|accept|accepted|take it)\W*$/i
const NO = /^\W*(?:no|nope|n)\W*$/i

/** Decision of a message on a proposal; null: it is about something else. */
export const decideProposal = (message: string): 'yes' | 'no' | null =>
  YES.test(message) ? 'yes' : NO.test(message) ? 'no' : null
