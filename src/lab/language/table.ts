import { type CompiledPhrase, compilePhrase } from './grammar.ts'
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

/** The whole table, in the order in which it is tried: of two that read as much, the first. */
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

/** The table with its patterns. */
export const READY: readonly ReadyPhrase[] = PHRASES.map(phrase => ({
  ...phrase,
  ...compilePhrase(phrase.phrase, LISTS),
}))

/** Every word that a message may have: those of the phrases, of numbers, times and fillers. */
export const LEXICON: ReadonlySet<string> = new Set([
  ...READY.flatMap(({ words }) => [...words]),
  ...NUMBER_WORDS,
  ...TIME_WORDS,
  ...FILLERS,
])
