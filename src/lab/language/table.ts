import { type CompiledPhrase, compilePhrase, type LeadGroup, RAW } from './grammar.ts'
import { LISTS } from './lists.ts'
import { NUMBER_WORDS } from './numbers.ts'
import type { Phrase } from './phrase.ts'
import { CONDITION_PHRASES } from './phrases/conditions.ts'
import { CORE_PHRASES } from './phrases/core.ts'
import { DAY_PHRASES } from './phrases/days.ts'
import { EDIT_PHRASES } from './phrases/edits.ts'
import { ENTRY_PHRASES } from './phrases/entry.ts'
import { EVENT_PHRASES } from './phrases/events.ts'
import { EXIT_PART_PHRASES } from './phrases/exitParts.ts'
import { EXIT_PHRASES } from './phrases/exits.ts'
import { EXIT_TIME_PHRASES } from './phrases/exitTimes.ts'
import { LEG_PHRASES } from './phrases/legs.ts'
import { REFUSAL_PHRASES } from './phrases/refusals.ts'
import { STRIKE_PHRASES } from './phrases/strikes.ts'
import { FILLERS, WORD_PHRASES } from './phrases/words.ts'
import { TIME_WORDS } from './times.ts'

/** The whole table, in matching order: of two equal matches, the first wins. */
export const PHRASES: readonly Phrase[] = [
  ...REFUSAL_PHRASES,
  ...EDIT_PHRASES,
  ...EXIT_TIME_PHRASES,
  ...EXIT_PART_PHRASES,
  ...EXIT_PHRASES,
  ...CONDITION_PHRASES,
  ...ENTRY_PHRASES,
  ...EVENT_PHRASES,
  ...STRIKE_PHRASES,
  ...LEG_PHRASES,
  ...CORE_PHRASES,
  ...DAY_PHRASES,
  ...WORD_PHRASES,
]

export type ReadyPhrase = Phrase & CompiledPhrase

/** The table with compiled patterns. */
export const READY: readonly ReadyPhrase[] = PHRASES.map(phrase => ({
  ...phrase,
  ...compilePhrase(phrase.phrase, LISTS),
}))

/** Every word that a message may contain: those of the phrases, of numbers, times and fillers. */
export const LEXICON: ReadonlySet<string> = new Set([
  ...READY.flatMap(({ words }) => [...words]),
  ...NUMBER_WORDS,
  ...TIME_WORDS,
  ...FILLERS,
])

/** Words that a typo may stand for: all but those of refusals alone. */
export const REPAIRED: ReadonlySet<string> = new Set([
  ...READY.flatMap(({ words, field }) => (field === 'refused' ? [] : [...words])),
  ...NUMBER_WORDS,
  ...TIME_WORDS,
  ...FILLERS,
])

type Begin = Omit<LeadGroup, 'first'> & { readonly index: number }

/** Continuations of phrases by their first word or raw pattern, in the order of the table. */
const BEGINS: ReadonlyMap<string, readonly Begin[]> = beginsOfPhrases()

function beginsOfPhrases(): Map<string, Begin[]> {
  const begins = new Map<string, Begin[]>()
  for (const [index, { lead }] of READY.entries()) {
    for (const { first, second, canEnd } of lead.groups) {
      const begin = { index, second, canEnd }
      for (const symbol of first) {
        const same = begins.get(symbol)
        if (same) same.push(begin)
        else begins.set(symbol, [begin])
      }
    }
  }
  return begins
}

/** Raw patterns at the start of phrases. All of them are of numbers. */
const RAWS: readonly (readonly [symbol: string, pattern: RegExp])[] = [
  ...new Set(
    READY.flatMap(({ lead }) => lead.groups.flatMap(group => [...group.first, ...group.second])),
  ),
]
  .filter(symbol => symbol.startsWith(RAW))
  .map(symbol => [symbol, new RegExp(`^(?:${symbol.slice(RAW.length)})$`)])

/** Names of a token in leads: itself, and each raw pattern that it matches. */
function listSymbols(text: string): readonly string[] {
  if (!/^-?\d/.test(text)) return [text]
  return [text, ...RAWS.flatMap(([symbol, pattern]) => (pattern.test(text) ? [symbol] : []))]
}

/** Phrases of pairs of words that came before; emptied when it has this many. */
const SEEN_MAX = 20_000
const seen = new Map<string, readonly ReadyPhrase[]>()

/**
 * Phrases that can begin with two tokens, in the order of the table; without a second, the first
 * ends the message. Includes every phrase that matches there.
 */
export function phrasesAt(first: string, second: string | undefined): readonly ReadyPhrase[] {
  const key = `${first} ${second ?? ''}`
  const before = seen.get(key)
  if (before) return before
  if (seen.size >= SEEN_MAX) seen.clear()
  const phrases = findPhrases(first, second)
  seen.set(key, phrases)
  return phrases
}

function findPhrases(first: string, second: string | undefined): readonly ReadyPhrase[] {
  const seconds = second === undefined ? [] : listSymbols(second)
  const found = new Set<number>()
  for (const symbol of listSymbols(first)) {
    for (const begin of BEGINS.get(symbol) ?? []) {
      if (begin.canEnd || seconds.some(one => begin.second.has(one))) found.add(begin.index)
    }
  }
  return [...found].sort((a, b) => a - b).map(index => READY[index]!)
}
