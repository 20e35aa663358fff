import type { LabVocabulary } from './language/vocabulary.ts'

/**
 * Extension point for a language model; none is plugged in. It may turn a message that was not
 * understood into a sentence of the vocabulary, nothing else: the sentence is shown, and parsed
 * like any other.
 */
export type Rewriter = {
  readonly rewrite: (text: string, vocabulary: LabVocabulary, stop: AbortSignal) => Promise<string>
}

/** Time a message waits for the rewriter. */
const REWRITE_MS = 5_000
const SENTENCE_MAX = 2_000

/** Returns the rewritten sentence; null on timeout, or when it adds numbers of its own. */
export async function rewritten(
  message: string,
  { rewrite }: Rewriter,
  vocabulary: LabVocabulary,
  waitMs: number = REWRITE_MS,
): Promise<string | null> {
  const stop = AbortSignal.timeout(waitMs)
  const late = new Promise<null>(resolve => {
    stop.addEventListener('abort', () => resolve(null), { once: true })
  })
  const sentence = await Promise.race([rewrite(message, vocabulary, stop).catch(() => null), late])
  if (sentence === null || sentence.length > SENTENCE_MAX) return null
  const given = new Set(listNumbers(message))
  return listNumbers(sentence).every(number => given.has(number)) ? sentence : null
}

const listNumbers = (text: string): number[] =>
  (text.match(/\d+(?:\.\d+)?|\.\d+/g) ?? []).map(Number)
