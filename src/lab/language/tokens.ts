/** A word, number or sign of a message, with its position: offsets in UTF-16 units. */
export type Token = {
  /** Normalized: lower case, no apostrophes, one form of each sign. */
  readonly text: string
  readonly from: number
  readonly to: number
  /** Conversion that was applied, when people should know. */
  readonly note?: string
  /** True when it was written in words. */
  readonly isSpelled?: boolean
  /** Number of negations attached to it, when "not" is removed. */
  readonly nots?: number
}

const PARTS = new RegExp(
  [
    String.raw`(?<half>[ap]\.m\.?|(?<=(?<!\d)\d\d?|:\d\d)[ap](?![\p{L}\p{M}\d'’]))`,
    String.raw`(?<both>\+\s?\/\s?-|±)`,
    String.raw`(?<plus>\+(?=\s?[\d.$]))`,
    String.raw`(?<between>(?<=\s)/(?=\s)|\||-+>|[→➔➜⇒•·»])`,
    String.raw`(?<more>(?<=[\dmk])\+(?!\S))`,
    String.raw`(?<with>(?<![\p{L}\d/])w\/(?=\s))`,
    String.raw`(?<time>\d{1,2}:\d{2}(?!\d))`,
    String.raw`(?<number>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)`,
    String.raw`(?<word>\p{L}[\p{L}\p{M}'’]*)`,
    String.raw`(?<line>[\r\n]+)`,
    String.raw`(?<space>\s+)`,
    String.raw`(?<sign>>=|=>|<=|=<|\p{Extended_Pictographic}|.)`,
  ].join('|'),
  'giu',
)

/** Signs that stand for a word or another sign. */
const SIGNS: Readonly<Record<string, string>> = {
  '<': 'lt',
  '>': 'gt',
  '>=': 'gte',
  '=>': 'gte',
  '≥': 'gte',
  '<=': 'lte',
  '=<': 'lte',
  '≤': 'lte',
  '@': 'at',
  '&': 'and',
  '+': 'and',
  '×': 'x',
  '?': '.',
  '!': '.',
  ';': ';',
  '[': ',',
  ']': ',',
  ':': ',',
  '–': '-',
  '—': '-',
  '−': '-',
  '~': 'about',
  '≈': 'about',
}
/** Signs that are skipped without ending anything. */
const SILENT = new Set([...'"\'“”‘’()`*_…'])
const DAY = /^(?:mon|tue|tues|wed|thu|thur|thurs|fri|monday|tuesday|wednesday|thursday|friday)s?$/

/** Splits a message into tokens, in order. Only spaces and silent signs are dropped. */
export const tokenize = (message: string): Token[] => resolveHyphens(splitWords(message), message)

/** The tokens of a message before its hyphens are resolved. */
export function splitWords(message: string): readonly Token[] {
  const tokens: Token[] = []
  for (const part of message.matchAll(PARTS)) {
    const { half, both, plus, between, more, time, number, word, line, sign } = part.groups!
    const at = { from: part.index, to: part.index + part[0].length }
    if (half) tokens.push({ ...at, text: `${half.slice(0, 1).toLowerCase()}m` })
    else if (both) tokens.push({ ...at, text: 'plusminus' })
    else if (plus) tokens.push({ ...at, text: 'plus' })
    else if (between) tokens.push({ ...at, text: ',' })
    else if (more) tokens.push({ ...at, text: 'or' }, { ...at, text: 'more' })
    else if (part.groups!.with) tokens.push({ ...at, text: 'with' })
    else if (time) tokens.push({ ...at, text: time })
    else if (number) tokens.push({ ...at, text: plainNumber(number) })
    else if (word) tokens.push({ ...at, text: plainWord(word) })
    else if (line) tokens.push({ ...at, text: ';' })
    else if (sign === '=>' && isMeasure(tokens.at(-1)?.text)) tokens.push({ ...at, text: ',' })
    else if (sign && !SILENT.has(sign)) tokens.push({ ...at, text: SIGNS[sign] ?? sign })
  }
  return withoutListing(tokens, message)
}

/** True behind a number: there "=>" is an arrow, not a comparison. */
const isMeasure = (text = '') => /^(?:\d.*|,|%|pts?|points?|m|bn?|am|pm|percent)$/.test(text)

/** "1) ... 2) ...": the numbers of a list end sentences. */
function withoutListing(tokens: readonly Token[], message: string): readonly Token[] {
  const listing = tokens.filter(
    ({ text, from, to }) =>
      /^\d+$/.test(text) && message[to] === ')' && (from === 0 || /\s/.test(message[from - 1]!)),
  )
  const isListing = listing.length > 1 && listing.every(({ text }, at) => Number(text) === at + 1)
  if (!isListing) return tokens
  return tokens.map(token => (listing.includes(token) ? { ...token, text: ';' } : token))
}

/** A word without apostrophes; the Greek letter delta becomes its name. */
const plainWord = (word: string): string => {
  const text = word.toLowerCase().replace(/['’]/g, '')
  return Object.hasOwn(SHORT, text) ? SHORT[text]! : text
}
const SHORT: Readonly<Record<string, string>> = {
  δ: 'delta',
  pos: 'positive',
  neg: 'negative',
  sprd: 'spread',
  sprds: 'spreads',
  spr: 'spread',
  vert: 'vertical',
  verts: 'verticals',
  bfly: 'fly',
  strad: 'straddle',
  strang: 'strangle',
}

const plainNumber = (text: string): string => String(Number(text.replaceAll(',', '')))

/**
 * Resolves hyphens: a minus before a number that follows a space or a price reference; "–" between
 * numbers, times and days; a comma between spaces; nothing inside a word.
 */
export function resolveHyphens(tokens: readonly Token[], message: string): Token[] {
  const out: Token[] = []
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    if (token.text !== '-') {
      out.push(token)
      continue
    }
    const [before, next] = [out.at(-1), tokens[index + 1]]
    if (before && next && isRange(before, next)) {
      out.push({ ...token, text: '–' })
      continue
    }
    if (before && next && MEASURED.has(before.text) && /^\d/.test(next.text)) {
      out.push({ ...next, text: `-${next.text}`, from: token.from })
      index += 1
      continue
    }
    const isAfterSpace = token.from === 0 || /[\s($]/.test(message[token.from - 1]!)
    const isBeforeSpace = next === undefined || next.from > token.to
    if (isBeforeSpace && isAfterSpace) out.push({ ...token, text: ',' })
    else if (isAfterSpace && next) {
      // sign of a number, including one in dollars
      const dollar = next.text === '$' ? 1 : 0
      const number = tokens[index + 1 + dollar]
      if (number && /^\d/.test(number.text)) {
        if (dollar) out.push(next)
        out.push({ ...number, text: `-${number.text}`, from: token.from })
        index += 1 + dollar
      } else out.push({ ...token, text: ',' })
    }
  }
  return out
}

/** References that points are counted from: "spot-30" is thirty below it. */
const MEASURED = new Set(['spot', 'spx', 'wall', 'flip'])

const isTimeEnd = ({ text }: Token) => /^\d{1,2}:\d{2}$|^[ap]m$|^noon$/.test(text)
const isNumber = ({ text }: Token) => /^\d+(?:\.\d+)?$/.test(text)

function isRange(before: Token, next: Token): boolean {
  if (DAY.test(before.text) && DAY.test(next.text)) return true
  if (isTimeEnd(before) && isTimeEnd(next)) return true
  const isEnd = (token: Token) => isTimeEnd(token) || isNumber(token)
  return isEnd(before) && isEnd(next) && next.from === before.to + 1
}
