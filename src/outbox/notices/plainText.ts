/**
 * Maximum length of a message: Telegram accepts 4,096 characters, and unsubscribe instructions
 * follow.
 */
const TEXT_LENGTH_MAX = 3_500

/**
 * Returns a text on one line without invisible characters: line breaks, controls, direction marks.
 */
export function plainText(text: string): string {
  const line = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .trim()
  if (line.length <= TEXT_LENGTH_MAX) return line
  // drops half of a surrogate pair
  return `${line.slice(0, TEXT_LENGTH_MAX).replace(/[\s\p{Cs}]+$/u, '')}…`
}
