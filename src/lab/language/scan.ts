import type { RuleItem, StatedItem } from './items.ts'
import { withLeadingActions } from './leadingAction.ts'
import { UNKNOWN } from './lists.ts'
import { hasNot, negateItems, withoutNot } from './nots.ts'
import { joinNumbers } from './numbers.ts'
import type { Mode, PhraseContext } from './phrase.ts'
import { findSubject } from './phrases/conditions.ts'
import { FILLERS } from './phrases/words.ts'
import type { LevelRef } from './spec.ts'
import { spellOut, type Typo } from './spelling.ts'
import { LEXICON, phrasesAt, type ReadyPhrase } from './table.ts'
import { joinTimes } from './times.ts'
import { resolveHyphens, splitWords, type Token } from './tokens.ts'

const MORE = /^(?:more|higher|greater|better|bigger|larger|further|farther|up)$/
const LESS = /^(?:less|lower|fewer|smaller|closer|nearer)$/
const UNIT =
  /^(?:points?|pts?|handles?|%|percent|pct|bps?|basis|m|mm|million|k|b|bn|billion|dollars?|premium|contracts?|delta|deltas|expected|moves?|em|ems|vols?|vol|minutes?|mins?|min)$/
/** Words between a number and its bound at most. */
const UNITS_MAX = 3

/**
 * Moves a bound in front of its number: "30 points or more" becomes "at least 30 points". Next to
 * "at least" itself it is dropped.
 */
function joinBounds(tokens: readonly Token[]): Token[] {
  const out = [...tokens]
  for (let index = 1; index < out.length - 1; index++) {
    const side = out[index]!.text === 'or' ? findSide(out[index + 1]!.text) : null
    const start = side && findNumber(out, index - 1)
    if (!side || start === null) continue
    const [or, word] = out.slice(index, index + 2) as [Token, Token]
    const stated = out[start - 1]?.text
    out.splice(index, 2)
    if (stated === side) {
      out[index - 1] = { ...out[index - 1]!, to: word.to }
      continue
    }
    const bound = { from: or.from, to: word.to }
    out.splice(start, 0, { ...bound, text: 'at' }, { ...bound, text: side })
  }
  return out
}

const findSide = (text: string): 'least' | 'most' | null =>
  MORE.test(text) ? 'least' : LESS.test(text) ? 'most' : null

/** Start of the number that ends with its units at a token; null when there is none. */
function findNumber(tokens: readonly Token[], end: number): number | null {
  for (let at = end; at >= 0 && end - at <= UNITS_MAX; at--) {
    const { text } = tokens[at]!
    if (/^-?\d+(?:\.\d+)?$/.test(text)) return tokens[at - 1]?.text === '$' ? at - 1 : at
    if (!UNIT.test(text)) return null
  }
  return null
}

/** Unread words of a message, as they were written, in lower case. */
export type UnreadWord = { readonly from: number; readonly to: number; readonly text: string }

export type Scanned = {
  readonly items: readonly RuleItem[]
  readonly unread: readonly UnreadWord[]
  readonly typos: readonly Typo[]
  /** Number of patterns that were matched, as a measure of work. */
  readonly attemptCount: number
}

const NUMBER = /^-?\d+(?:\.\d+)?$/
const CLOCK = /^\d{1,2}:\d\d$/
const filler = new Set(FILLERS)
/** Words that add nothing even between two words of a phrase. */
const ADVERBS: ReadonlySet<string> = new Set(
  'already currently basically simply always essentially really literally honestly ish'.split(' '),
)

/**
 * Reads a message from left to right: at each position, the phrase of the table that matches the
 * most words. Every word becomes part of an item, is a filler, or is reported as unread. `known`
 * are the levels that were named before: "it" may be one of them.
 */
export function scan(message: string, known: readonly LevelRef[] = []): Scanned {
  const { tokens, typos } = spellOut(splitWords(message), message)
  const all = joinBounds(joinTimes(joinNumbers(resolveHyphens(tokens, message)))).filter(
    ({ text }) => !ADVERBS.has(text),
  )
  const plain = { ...scanTokens(all, message, known), typos }
  if (plain.unread.length === 0 || !hasNot(all)) return plain
  // "if iv is not up": parsed without the not, then negated
  const turned = scanTokens(withoutNot(all), message, known)
  const attemptCount = plain.attemptCount + turned.attemptCount
  return { ...(turned.unread.length === 0 ? turned : plain), typos, attemptCount }
}

function scanTokens(
  all: readonly Token[],
  message: string,
  known: readonly LevelRef[],
): Omit<Scanned, 'typos'> {
  const unread: UnreadWord[] = []
  const report = ({ from, to }: Token) =>
    unread.push({ from, to, text: message.slice(from, to).toLowerCase() })
  const tickers: RuleItem[] = []
  const tokens = all.flatMap((token, index) => {
    if (isKnown(token)) return [token]
    const ticker = tickerAt(all, index, message)
    if (ticker) tickers.push(ticker)
    else report(token)
    // "15 fat" may be anything: its unit is not known
    return NUMBER.test(all[index - 1]?.text ?? '') ? [{ ...token, text: UNKNOWN }] : []
  })
  const read = readItems(tokens, message, report, known)
  const items = [...withLeadingActions(read.items), ...tickers]
  unread.sort((a, b) => a.from - b.from)
  return { items: items.sort((a, b) => a.from - b.from), unread, attemptCount: read.attemptCount }
}

const isKnown = ({ text }: Token) => LEXICON.has(text) || NUMBER.test(text) || CLOCK.test(text)

const TRADED = /^(calls?|puts?|stock|shares?|options?|spreads?|straddles?|strangles?|futures?)$/

/** Capital letters before the instrument are another symbol. */
function tickerAt(tokens: readonly Token[], index: number, message: string): RuleItem | null {
  const { from, to } = tokens[index]!
  const text = message.slice(from, to)
  const isTicker = /^[A-Z]{1,5}$/.test(text) && TRADED.test(tokens[index + 1]?.text ?? '')
  if (!isTicker) return null
  return { k: 'refuse', rank: 1, reason: 'only SPX', from, to, field: 'refused', text }
}

function readItems(
  tokens: readonly Token[],
  message: string,
  report: (token: Token) => void,
  known: readonly LevelRef[],
): { readonly items: RuleItem[]; readonly attemptCount: number } {
  const line = tokens.map(({ text }) => `${text} `).join('')
  const starts: number[] = []
  for (let at = 0, index = 0; index < tokens.length; index++) {
    starts.push(at)
    at += tokens[index]!.text.length + 1
  }
  const items: RuleItem[] = []
  const state = new ScanState(known)
  let attemptCount = 0
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index]!
    const phrases = phrasesAt(token.text, tokens[index + 1]?.text)
    attemptCount += phrases.length
    const found = longestAt(phrases, line, starts[index]!, state.context())
    if (!found) {
      // "a.m." is a part of a time, "am" of a sentence
      const isHalf = message.slice(token.from, token.to).includes('.')
      const isSilent = token.text === UNKNOWN || (filler.has(token.text) && !token.nots && !isHalf)
      if (!isSilent) report(token)
      index += 1
      continue
    }
    let end = index + 1
    while (end < tokens.length && starts[end]! < found.end) end += 1
    const read = tokens.slice(index, end)
    const nots = read.reduce((sum, one) => sum + (one.nots ?? 0), 0)
    const negated = negateItems(found.stated, nots)
    if (negated === null) report(token)
    const note = read.find(one => one.note !== undefined)?.note
    // a bound that stood behind its number is read before it
    const from = Math.min(...read.map(one => one.from))
    const to = Math.max(...read.map(one => one.to))
    const text = message.slice(from, to)
    for (const stated of negated ?? found.stated) {
      const item = { ...stated, from, to, field: found.phrase.field, text, ...(note && { note }) }
      items.push(state.marked(item as RuleItem))
    }
    state.pass(found.phrase, items.at(-1)!, read.at(-1)!.text)
    index = end
  }
  return { items, attemptCount }
}

type Match = {
  readonly phrase: ReadyPhrase
  readonly stated: readonly StatedItem[]
  readonly end: number
}

function longestAt(
  phrases: readonly ReadyPhrase[],
  line: string,
  start: number,
  context: PhraseContext,
): Match | null {
  let best: Match | null = null
  for (const phrase of phrases) {
    if (phrase.in && !phrase.in.includes(context.mode)) continue
    phrase.pattern.lastIndex = start
    const match = phrase.pattern.exec(line)
    if (!match || match[0].length === 0) continue
    const end = start + match[0].length
    if (best && end <= best.end) continue
    const stated = makeItems(phrase, match, context)
    if (stated) best = { phrase, stated, end }
  }
  return best
}

function makeItems(phrase: ReadyPhrase, match: RegExpExecArray, context: PhraseContext) {
  const values: Record<string, unknown> = {}
  for (const [group, { name, kind }] of phrase.slots) {
    const text = match.groups?.[group]
    if (text === undefined) continue
    const value = kind.read(text)
    if (value === undefined) return null
    values[name] = value
  }
  const made = phrase.make(values, context)
  if (made === null) return null
  return Array.isArray(made) ? (made as readonly StatedItem[]) : [made as StatedItem]
}

const LEVEL_OF: Readonly<Record<string, LevelRef>> = {
  spot_minus_flip: 'flip',
  spot_minus_put_wall: 'put_wall',
  call_wall_minus_spot: 'call_wall',
}

/** Levels that an item names. */
function listLevels(item: RuleItem): readonly LevelRef[] {
  if (item.k === 'level_side') return [item.v]
  const of =
    item.k === 'strike' && 'ref' in item.v
      ? item.v.ref
      : item.k === 'when'
        ? LEVEL_OF[item.v.f]
        : item.k === 'when_open' && 'near' in item.v
          ? item.v.near
          : undefined
  return of === 'flip' || of === 'put_wall' || of === 'call_wall' ? [of] : []
}

/** State of the scan before the current position. */
class ScanState {
  #mode: Mode = 'core'
  #exitMode: Mode | null = null
  #subject: PhraseContext['subject'] = null
  #isHead = false
  #isAfterExit = false
  #isStart = true
  readonly #levels: Set<LevelRef>

  constructor(known: readonly LevelRef[]) {
    this.#levels = new Set(known)
  }

  context(): PhraseContext {
    const level = this.#levels.size === 1 ? [...this.#levels][0]! : null
    return {
      mode: this.#mode,
      subject: this.#subject,
      isHead: this.#isHead,
      isStart: this.#isStart,
      level,
    }
  }

  /** A time right after an exit and a comma may be another exit. */
  marked(item: RuleItem): RuleItem {
    for (const level of listLevels(item)) this.#levels.add(level)
    const isTime = item.k === 'time' || item.k === 'bare_time'
    return isTime && this.#isAfterExit ? { ...item, maybeExit: true } : item
  }

  pass(phrase: ReadyPhrase, item: RuleItem, lastWord: string): void {
    if (item.k === 'or') {
      // "or at 15:45" continues the clause before the comma
      if (this.#isAfterExit && this.#exitMode) this.#mode = this.#exitMode
      return
    }
    this.#isStart = item.k === 'break' || item.k === 'else' || item.k === 'if'
    const isAnd = lastWord === 'and' || lastWord === 'but'
    if (item.k === 'break') {
      if (isAnd) this.#isHead = true
      else this.#endClause(lastWord)
      return
    }
    if (phrase.head) this.#mode = phrase.head
    this.#isHead = item.k === 'if' || item.k === 'unless' || item.k === 'also' || item.k === 'else'
    this.#isAfterExit = item.k === 'exit' || item.k === 'exit_head'
    if (this.#isAfterExit) this.#exitMode = this.#mode
    if (item.k === 'when' || item.k === 'when_open') this.#subject = findSubject(item)
  }

  #endClause(lastWord: string): void {
    const isExit = this.#mode === 'exit' || this.#mode === 'profit' || this.#mode === 'stop'
    this.#isHead = false
    if (isExit || lastWord === '.' || lastWord === ';') this.#mode = 'core'
    if (lastWord === '.' || lastWord === ';') this.#isAfterExit = false
  }
}
