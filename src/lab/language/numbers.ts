import type { Token } from './tokens.ts'

const SMALL = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
  'fifteen sixteen seventeen eighteen nineteen'
).split(' ')
const TENS = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** Every word that can be part of a number. */
export const NUMBER_WORDS: readonly string[] = [
  ...SMALL,
  ...TENS.slice(2),
  'hundred',
  'half',
  'quarter',
  'quarters',
  'and',
  'a',
]

const findSmall = (text: string | undefined) => (text === undefined ? -1 : SMALL.indexOf(text))
const findTens = (text: string | undefined) => (text === undefined ? -1 : TENS.indexOf(text))

/** Converts numbers to digits: "twenty five", "one and a half", "a hundred", "half a", "1/2". */
export function joinNumbers(tokens: readonly Token[]): Token[] {
  const out: Token[] = []
  for (let index = 0; index < tokens.length; ) {
    const found = numberAt(tokens, index)
    if (!found) {
      out.push(tokens[index]!)
      index += 1
      continue
    }
    const last = tokens[index + found.length - 1]!
    const { from, isSpelled = false } = tokens[index]!
    // half of something is not the number .5: "take profit at half"
    const isHalf = found.value === 0.5 && tokens.slice(index, index + found.length).some(isHalfWord)
    const spelled = isSpelled || !/^\d/.test(tokens[index]!.text)
    out.push({
      text: isHalf ? HALF : String(found.value),
      from,
      to: last.to,
      ...(spelled && { isSpelled: true }),
    })
    index += found.length
  }
  return out
}

/** "half" as a number; a typed .5 has another text. */
export const HALF = '0.50'
const isHalfWord = ({ text }: Token) => text === 'half' || text === '/'

type Found = { readonly value: number; readonly length: number }

function numberAt(tokens: readonly Token[], index: number): Found | null {
  const text = (ahead: number) => tokens[index + ahead]?.text
  const half = halfAt(text)
  if (half) return half
  const whole = wholeAt(text)
  if (!whole) return null
  const [and, a, part] = [0, 1, 2].map(ahead => text(whole.length + ahead))
  if (and === 'and' && a === 'a' && (part === 'half' || part === 'quarter')) {
    return { value: whole.value + (part === 'half' ? 0.5 : 0.25), length: whole.length + 3 }
  }
  // a number in digits is left unchanged
  return /^\d/.test(text(0)!) && whole.length === 1 ? null : whole
}

function halfAt(text: (ahead: number) => string | undefined): Found | null {
  const start = text(0) === 'a' && (text(1) === 'half' || text(1) === 'quarter') ? 1 : 0
  const value = text(start) === 'half' ? 0.5 : text(start) === 'quarter' ? 0.25 : null
  if (text(0) === '1' && text(1) === '/' && (text(2) === '2' || text(2) === '4')) {
    return { value: 1 / Number(text(2)), length: 3 }
  }
  const parts = (text(0) === '3' || text(0) === 'three') && text(1) === 'quarters'
  if (parts) return { value: 0.75, length: text(2) === 'of' ? 3 : 2 }
  if (value === null) return null
  // part of a clock time
  if (['past', 'to', 'after'].includes(text(start + 1) ?? '') && start === 0) return null
  if (value === 0.25 && start === 0) return null
  if (text(start + 1) === 'past' || text(start + 1) === 'to') return null
  const hasOfWord = text(start + 1) === 'of' ? 1 : 0
  const article = text(start + 1 + hasOfWord)
  const hasArticle = article === 'a' || article === 'an' || article === 'the' ? 1 : 0
  return { value, length: start + 1 + hasOfWord + hasArticle }
}

/** Words up to nine hundred and ninety-nine, or digits. */
function wholeAt(text: (ahead: number) => string | undefined): Found | null {
  const first = text(0)!
  if (/^\d+(\.\d+)?$/.test(first)) return { value: Number(first), length: 1 }
  if (first === 'a' && text(1) === 'hundred') return { value: 100, length: 2 }
  const below = belowHundred(text, 0)
  if (!below) return null
  if (text(below.length) !== 'hundred') return below
  const hundreds = { value: below.value * 100, length: below.length + 1 }
  const hasAnd = text(hundreds.length) === 'and' ? 1 : 0
  const rest = belowHundred(text, hundreds.length + hasAnd)
  if (!rest) return hundreds
  return { value: hundreds.value + rest.value, length: hundreds.length + hasAnd + rest.length }
}

function belowHundred(text: (ahead: number) => string | undefined, at: number): Found | null {
  const tens = findTens(text(at))
  if (tens >= 2) {
    const unit = findSmall(text(at + 1))
    if (unit >= 1 && unit <= 9) return { value: tens * 10 + unit, length: 2 }
    return { value: tens * 10, length: 1 }
  }
  const small = findSmall(text(at))
  return small >= 0 ? { value: small, length: 1 } : null
}
