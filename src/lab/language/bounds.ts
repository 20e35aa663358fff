import type { Token } from './tokens.ts'

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
export function joinBounds(tokens: readonly Token[]): Token[] {
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
