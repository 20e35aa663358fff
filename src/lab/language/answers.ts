import type { RuleDraft } from './draft.ts'
import { joinNumbers } from './numbers.ts'
import { joinTimes } from './times.ts'
import { tokenize } from './tokens.ts'

const LEVELS = { put_wall: 'put wall', call_wall: 'call wall', flip: 'flip' } as const

/** Words that may stand around a number that answers a question. */
const AROUND = new Set([
  ...['points', 'point', 'pts', 'pt', 'wide', '%', 'percent', 'pct', 'x', '$', 'm', 'million'],
  ...['minutes', 'contracts', 'lots', 'credit', 'of', 'times', 'about', 'at', 'the', 'a', '.', ','],
  ...['say', 'delta', 'within', 'maybe', 'let', 'lets', 'make', 'it', 'ok', 'just', 'over', 'mm'],
])

/**
 * A short answer to an open question as a sentence of the language: a bare number fills the one
 * open slot. Null when the message is no such answer.
 */
export function asSentence(
  message: string,
  missing: readonly string[],
  draft: RuleDraft,
): string | null {
  const words = joinTimes(joinNumbers(tokenize(message))).map(({ text }) => text)
  const number = bareNumber(words)
  if (number !== null) {
    if (missing.length !== 1) return null
    return WITH_NUMBER[missing[0]!]?.(number, words, draft) ?? null
  }
  for (const slot of missing) {
    const sentence = WITH_WORDS[slot]?.(words.join(' '), draft)
    if (sentence) return sentence
  }
  return null
}

/** Whether a message is a number alone, and two or more questions are open. */
export const isBareNumber = (message: string): boolean =>
  bareNumber(joinTimes(joinNumbers(tokenize(message))).map(({ text }) => text)) !== null

function bareNumber(words: readonly string[]): string | null {
  const numbers = words.filter(word => /^\d+(?:\.\d+)?$/.test(word))
  const others = words.filter(word => !/^\d+(?:\.\d+)?$/.test(word))
  return numbers.length === 1 && others.every(word => AROUND.has(word)) ? numbers[0]! : null
}

type WithNumber = (n: string, words: readonly string[], draft: RuleDraft) => string | null

const distance =
  (level: string): WithNumber =>
  n =>
    `if price is within ${n} points of the ${level}`

const WITH_NUMBER: Readonly<Record<string, WithNumber>> = {
  strike: (n, words, draft) => {
    if (words.includes('delta') || Number(n) < 1) return `${n} delta`
    const levelSide = draft.legs.find(leg => leg.levelSide)?.levelSide
    if (levelSide) return `${n} points ${levelSide.side} the ${LEVELS[levelSide.level]}`
    return `${n} points out`
  },
  width: n => `${n} wide`,
  'entry time': n => `at ${n}`,
  'distance to the flip': distance('flip'),
  'distance to the put wall': distance('put wall'),
  'distance to the call wall': distance('call wall'),
  premium: n => `order over $${n}M premium`,
  'size of the gap': n => `if the gap is over ${n}%`,
  'profit target': n => `take profit at ${n}%`,
  'unit of the stop': (n, words) =>
    words.includes('x') || words.includes('credit') || words.includes('times')
      ? `stop at ${n}x credit`
      : null,
  stop: (n, words, draft) => {
    const isBought = draft.legs.some(({ action }) => action === 'buy')
    if (words.includes('%')) return isBought ? `stop at ${n}% loss` : `stop at ${n}% of credit`
    return isBought ? `stop at ${n}% loss` : `stop at ${n}x credit`
  },
  'exit time': n => `exit at ${n}`,
  contracts: n => `${n} contracts`,
}

type WithWords = (text: string, draft: RuleDraft) => string | null

const PUT = /^(?:the |a )?puts?(?: side| spread| one)?$/
const CALL = /^(?:the |a )?calls?(?: side| spread| one)?$/

const WITH_WORDS: Readonly<Record<string, WithWords>> = {
  'put or call': text => (PUT.test(text) ? 'put spread' : CALL.test(text) ? 'call spread' : null),
  'which wall': text => {
    const wall = /^(?:the )?(put|call)(?: wall| one)?$/.exec(text)
    return wall ? `if price is near the ${wall[1]} wall` : null
  },
  'direction of the cross': text => {
    const way = /^(?:from )?(above|below|up|down|over|under|upwards?|downwards?)(?: it)?$/.exec(
      text,
    )
    if (!way) return null
    const isUp = ['above', 'up', 'over'].some(word => way[1]!.startsWith(word))
    return `when price crosses ${isUp ? 'above' : 'below'} the flip`
  },
  'unit of the stop': (text, draft) => {
    const exit = draft.legs.flatMap(({ exits }) => exits).find(one => 'stop' in one)
    const isOfCredit = /^(?:x|times|of)?(?: ?(?:the |a )?credit)?$/.test(text) && text !== ''
    if (!exit || !('stop' in exit)) return null
    const isPercent = exit.unit === 'pct' || exit.unit === 'pct_loss'
    if (/^(?:a )?loss(?: of)?(?: the)?(?: credit)?$/.test(text)) {
      return `stop at a loss of ${isPercent ? exit.stop / 100 : exit.stop}x credit`
    }
    if (isPercent && /^(?:% )?(?:of )?(?:the )?credit$/.test(text)) {
      return `stop at ${exit.stop}% of credit`
    }
    return isOfCredit ? `stop at ${exit.stop}x credit` : null
  },
  'exit time': text =>
    /^(?:to |at |the )*(?:settlement|expiry|expiration|settle)$/.test(text)
      ? 'hold to expiry'
      : null,
}
