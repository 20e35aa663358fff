/** Whole numbers as people read them. */

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth'.split(
  ' ',
)

/** Writes a small count as a word; larger ones as digits. */
export const numberWord = (count: number): string => WORDS[count] ?? String(count)

/** Writes a small position as a word, such as fourth; larger ones as digits. */
export const ordinalWord = (position: number): string => ORDINALS[position] ?? `${position}th`

/** The same as `numberWord`, at the beginning of a sentence. */
export function sentenceNumber(count: number): string {
  const word = numberWord(count)
  return word[0]!.toUpperCase() + word.slice(1)
}

/** Formats a number with commas: 1,840. */
export const grouped = (value: number): string => value.toLocaleString('en-US')

/** "1 day", "1,840 days". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** Returns a size for a person in powers of 1,000, such as '12.3 MB'. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), BYTE_UNITS.length - 1)
  const value = bytes / 1000 ** power
  return `${power > 0 && value < 100 ? value.toFixed(1) : Math.round(value)} ${BYTE_UNITS[power]}`
}

/** Formats a duration, such as '8.4 s', '3 min 20 s', '2 h 5 min'. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
