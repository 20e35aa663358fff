const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Writes a small count as a word; larger ones as digits. */
export const numberWord = (count: number): string => WORDS[count] ?? String(count)

/** The same at the beginning of a sentence. */
export function sentenceNumber(count: number): string {
  const word = numberWord(count)
  return word[0]!.toUpperCase() + word.slice(1)
}
