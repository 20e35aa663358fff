import type { StatedItem } from './items.ts'
import { negated, negatedOpen } from './negate.ts'
import type { Token } from './tokens.ts'

/** Contractions with "not", and their form without it. */
const CONTRACTED: Readonly<Record<string, string>> = {
  isnt: 'is',
  arent: 'are',
  wasnt: 'was',
  werent: 'were',
  hasnt: 'has',
  havent: 'have',
}
const isNot = ({ text }: Token) => text === 'not' || Object.hasOwn(CONTRACTED, text)

/** True when a message contains a negation. */
export const hasNot = (tokens: readonly Token[]): boolean => tokens.some(isNot)

/**
 * Removes "not" from the tokens; the word before, or the contracted one, is marked instead, and
 * extends over it.
 */
export function withoutNot(tokens: readonly Token[]): Token[] {
  const out: Token[] = []
  for (const token of tokens) {
    const plain = CONTRACTED[token.text]
    if (plain !== undefined) out.push({ ...token, text: plain, nots: 1 })
    else if (token.text !== 'not') out.push(token)
    else {
      const before = out.pop()
      if (before) out.push({ ...before, to: token.to, nots: (before.nots ?? 0) + 1 })
      else out.push(token)
    }
  }
  return out
}

/**
 * Negates the items of a phrase that contains a "not"; null when that is ambiguous: it has two
 * conditions, or none, or two negations.
 */
export function negateItems(
  stated: readonly StatedItem[],
  nots: number,
): readonly StatedItem[] | null {
  const [only, ...others] = stated
  if (nots === 0) return stated
  if (nots > 1 || others.length > 0 || !only) return null
  if (only.k === 'when_open') {
    const v = negatedOpen(only.v)
    return v && [{ ...only, v }]
  }
  if (only.k !== 'when') return null
  const v = negated(only.v)
  return v && [{ ...only, v }]
}
