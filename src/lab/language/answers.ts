import type { RuleDraft } from './draft.ts'
import { joinNumbers } from './numbers.ts'
import { findQuestion } from './questions.ts'
import { sayCondition } from './say.ts'
import { isCompared, type RuleCondition } from './spec.ts'
import { joinTimes } from './times.ts'
import { tokenize } from './tokens.ts'

const LEVELS = { put_wall: 'put wall', call_wall: 'call wall', flip: 'flip' } as const

/** Words allowed around any reply to a question. */
const NEUTRAL = new Set('about at the a . , say maybe make it ok just lets is'.split(' '))
const POINTS = ['points', 'point', 'pts', 'pt', 'handles']
const OVER = new Set(['over', 'above', 'more', 'than', 'least', 'gt', 'gte'])
const UNDER = new Set(['under', 'below', 'less', 'most', 'lt', 'lte'])
const BILLIONS = new Set(['b', 'bn', 'billion'])
const CREDIT = ['x', 'credit', 'of', 'times', '%', 'percent']

/** Units allowed around a number that replies to a question. */
const UNITS: Readonly<Record<string, readonly string[]>> = {
  strike: [...POINTS, 'delta'],
  width: [...POINTS, 'wide', '$'],
  'distance to the flip': [...POINTS, 'within'],
  'distance to the put wall': [...POINTS, 'within'],
  'distance to the call wall': [...POINTS, 'within'],
  premium: ['$', 'm', 'mm', 'million', 'over'],
  'size of the gap': ['%', 'percent', ...OVER, ...UNDER],
  'net gamma': ['$', 'm', 'mm', 'million', ...BILLIONS, 'per', ...OVER, ...UNDER, ...POINTS],
  'profit target': ['%', 'percent'],
  'unit of the stop': CREDIT,
  stop: CREDIT,
  'exit day': ['session', 'sessions', 'day', 'days', 'later', 'st', 'nd', 'after'],
  contracts: ['contracts', 'contract', 'lots', 'lot'],
}

/**
 * Converts a short reply to an open question into a sentence of the language: a bare number fills
 * the one open slot. Null when the message is no such reply.
 */
export function asSentence(
  message: string,
  missing: readonly string[],
  draft: RuleDraft,
): string | null {
  const words = splitWords(message)
  const [slot] = missing
  if (missing.length === 1) {
    const option = findOption(words.filter(word => word !== '.').join(' '), slot!)
    if (option !== null) return asSentence(option, missing, draft) ?? option
    const number = findNumber(words, UNITS[slot!] ?? [])
    const sentence = number === null ? null : WITH_NUMBER[slot!]?.(number, words, draft)
    if (sentence) return sentence
  }
  for (const open of missing) {
    const sentence = WITH_WORDS[open]?.(words.join(' '), draft)
    if (sentence) return sentence
  }
  // "50M, and only if it adds gamma": a reply, and more
  const [, head, rest] = /^([^,]+?)(?:, *| and )(.+)$/su.exec(message) ?? []
  const sentence = head && missing.length === 1 ? asSentence(head, missing, draft) : null
  return sentence && `${sentence}, ${rest}`
}

/** The option that a reply names by its place: "the second one". */
function findOption(text: string, slot: string): string | null {
  const place =
    /^(?:the )?(first|second|third|last|former|latter)(?: (?:one|option|of them))?$/.exec(text)
  const { options = [] } = findQuestion(slot)
  if (!place) return null
  const index = { first: 0, former: 0, second: 1, third: 2 }[place[1]!]
  return (index === undefined ? options.at(-1) : options[index]) ?? null
}

const MOVING = new Set(
  'lower raise change reduce increase set move drop bring down up to order orders premium size threshold minimum'.split(
    ' ',
  ),
)

/** "by 10 points or more" after a position above or below a level: the same with a distance. */
function asDistance(message: string, { legs }: RuleDraft): string | null {
  const points =
    /^(?:but )?by (?:at least )?(\d+)(?: (?:points?|pts?))?(?: or more| at least)?(?: (?:points?|pts?))?$/.exec(
      splitWords(message)
        .filter(word => word !== '.')
        .join(' '),
    )
  const positions = legs.flatMap(({ when }) =>
    when.filter(one => isCompared(one) && one.u === 'pt' && one.v === 0 && one.op.length === 1),
  )
  const [only, ...others] = positions
  if (!points || !only || others.length > 0) return null
  return `if ${sayCondition(only)} by at least ${points[1]} points`
}

/** "make it 20 points" or "negative", where one part of the rule alone can be meant. */
function asValue(message: string, { legs }: RuleDraft): string | null {
  const words = splitWords(message).filter(
    word => !NEUTRAL.has(word) && !MOVING.has(word) && word !== 'that',
  )
  const text = words.join(' ')
  const whens = legs.flatMap(({ when }) => when)
  const [gamma, ...others] = whens.filter(({ f }) => f === 'net_gamma')
  if (/^(?:positive|negative)$/.test(text) && gamma && others.length === 0) {
    return `if net gamma is ${text}`
  }
  const points = /^(\d+) (?:points?|pts?)$/.exec(text)
  const isInPoints = legs.some(
    ({ strike, width }) =>
      width !== undefined || (strike && 'points' in strike && strike.points > 0),
  )
  const [only, ...more] = whens.filter(one => isCompared(one) && one.u === 'pt')
  if (!points || isInPoints || !only || !isCompared(only) || more.length > 0 || only.v === 0)
    return null
  return `if ${sayCondition({ ...only, v: Math.sign(only.v) * Number(points[1]) } as RuleCondition)}`
}

/** "make it $25M" for a rule with one order: the order with another premium. */
export function asChange(message: string, draft: RuleDraft): string | null {
  const { legs } = draft
  const further = asDistance(message, draft) ?? asValue(message, draft)
  if (further) return further
  const orders = legs.flatMap(({ when }) => when.filter(one => one.f === 'order'))
  const [order] = orders
  if (orders.length !== 1 || !order) return null
  const words = splitWords(message).filter(
    word => !NEUTRAL.has(word) && !OVER.has(word) && !MOVING.has(word),
  )
  const money = /^\$? ?(\d+(?:\.\d+)?) (m|mm|million|b|bn|billion)(?: premium)?$/.exec(
    words.join(' '),
  )
  if (!money) return null
  const factor = BILLIONS.has(money[2]!) ? 1_000 : 1
  const changed = { ...order, premium_musd_min: Number(money[1]) * factor }
  return sayCondition(changed, order.since_min === undefined && !order.not)
}

/** True when a message is a number alone, which could reply to more than one question. */
export const isBareNumber = (message: string): boolean => {
  const number = findNumber(splitWords(message), [])
  return number !== null && !number.includes(':')
}

/** Open slots that a number alone can fill: an hour of trading, or a width on its grid. */
export function listPlausible(message: string, missing: readonly string[]): readonly string[] {
  if (!isBareNumber(message)) return missing
  const number = Number(findNumber(splitWords(message), []))
  const isHour =
    Number.isInteger(number) && ((number >= 9 && number <= 15) || (number >= 1 && number <= 4))
  return missing.filter(
    slot => (slot !== 'entry time' || isHour) && (slot !== 'width' || number % 5 === 0),
  )
}

const splitWords = (message: string): string[] =>
  joinTimes(joinNumbers(tokenize(message))).map(({ text }) => text)

const NUMBER = /^\d+(?:\.\d+)?$|^\d\d:\d\d$/

function findNumber(words: readonly string[], units: readonly string[]): string | null {
  const numbers = words.filter(word => NUMBER.test(word))
  const others = words.filter(word => !NUMBER.test(word))
  const isAlone = others.every(word => NEUTRAL.has(word) || units.includes(word))
  return numbers.length === 1 && isAlone ? numbers[0]! : null
}

type WithNumber = (n: string, words: readonly string[], draft: RuleDraft) => string | null

const distance =
  (level: string): WithNumber =>
  (n, _, { legs }) => {
    const far = legs.flatMap(({ open }) => open).find(one => 'near' in one && one.isFar)
    const isFar = far !== undefined
    if (far && 'near' in far && far.side)
      return `if price is ${far.side} the ${level} by at least ${n} points`
    const where = isFar ? `further than ${n} points from` : `within ${n} points of`
    return `if price is ${where} the ${level}`
  }

/** Comparison that an open condition began, or the one in the reply. */
function findSide(
  words: readonly string[],
  draft: RuleDraft,
  key: 'gamma' | 'size',
): string | null {
  if (words.some(word => UNDER.has(word))) return 'under'
  if (words.some(word => OVER.has(word))) return 'over'
  const open = draft.legs.flatMap(leg => leg.open).find(one => key in one)
  const op = open && ('gamma' in open ? open.gamma : 'size' in open ? open.op : null)
  return op ? (op.startsWith('<') ? 'under' : 'over') : null
}

const WITH_NUMBER: Readonly<Record<string, WithNumber>> = {
  strike: (n, words, draft) => {
    if (n.includes(':')) return null
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
  'size of the gap': (n, words, draft) =>
    `if the gap is ${findSide(words, draft, 'size') ?? 'over'} ${n}%`,
  'net gamma': (n, words, draft) => {
    const side = findSide(words, draft, 'gamma')
    const unit = words.some(word => BILLIONS.has(word)) ? 'B' : 'M'
    return side && `if net gamma is ${side} $${n}${unit} per point`
  },
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
  'exit day': (n, _, draft) => {
    const timed = draft.legs.flatMap(({ exits }) => exits).find(one => 'at' in one)
    return timed && 'at' in timed ? `exit at ${timed.at} ${n} sessions later` : null
  },
  contracts: n => `${n} contracts`,
}

type WithWords = (text: string, draft: RuleDraft) => string | null

const PUT = /^(?:the |a )?puts?(?: side| spread| one)?$/
const CALL = /^(?:the |a )?calls?(?: side| spread| one)?$/

const WITH_WORDS: Readonly<Record<string, WithWords>> = {
  strike: (text, draft) => {
    const points =
      /^(\d+) (?:points?|pts?|handles?)? ?(below|under|above|over)(?: (?:it|that))?$/.exec(text)
    const named = draft.legs.find(leg => leg.levelSide)?.levelSide
    if (!points || !named) return null
    const side = points[2] === 'below' || points[2] === 'under' ? 'below' : 'above'
    return `${points[1]} points ${side} the ${LEVELS[named.level]}`
  },
  'put or call': text => (PUT.test(text) ? 'put spread' : CALL.test(text) ? 'call spread' : null),
  'which wall': (text, draft) => {
    const wall = /^(?:the )?(put|call)(?: wall| one)?$/.exec(text)
    const isFar = draft.legs.some(({ open }) => open.some(one => 'near' in one && one.isFar))
    return wall ? `if price is ${isFar ? 'not ' : ''}near the ${wall[1]} wall` : null
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
