/** Longest text of a message: Telegram takes 4,096 characters, and the way to stop comes after. */
const TEXT_LENGTH_MAX = 3_500

/** Text on one line, without what is not shown: line breaks, controls, marks that turn it round. */
export function plainText(text: string): string {
  const line = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .trim()
  if (line.length <= TEXT_LENGTH_MAX) return line
  // half a character is none
  return `${line.slice(0, TEXT_LENGTH_MAX).replace(/[\s\p{Cs}]+$/u, '')}…`
}
