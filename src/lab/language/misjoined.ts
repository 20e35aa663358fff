import type { Assumption } from './draft.ts'
import type { RuleItem } from './items.ts'

/** A condition with a head of its own, which does not continue another. */
export const HEADED = /^(?:only|if|when|while|whenever|with|in|on|as long as|provided)\b/i
export const UNLESS_ONE = 'unless takes one condition; give each its own'
export const UNLESS_BOUNDS =
  'this has two bounds, which unless cannot turn round: say what has to hold'
const ONE_MINUTE = 'all conditions hold at one minute: no rule has one thing after another'
const EXIT_ALONE =
  'an exit has no condition: it is a time, a profit or a stop; ' +
  'for a condition of the entry put a comma before it'
const TIMED_TARGET =
  'a profit target and a stop hold all day: give the time as a way out of its own, such as ' +
  '"or at 13:00"'
const UNCLEAR_DAYS = 'the days can be meant in two ways: list those it trades on'
const DAYS_OF_LEG = 'days are of the whole rule: trades on other days are another idea'

/** Invalid combinations of clauses, in sentences. */
export function misjoined(items: readonly RuleItem[], legCount: number): string[] {
  return [
    ...(hasUnclearDays(items) ? [UNCLEAR_DAYS] : []),
    ...(hasTwoSets(items) ? [legCount > 1 ? DAYS_OF_LEG : 'two sets of days; give one'] : []),
    ...exceptions(items),
    ...items.flatMap((item, index) => sequenceAt(item, items, index)),
    ...(hasLoneExit(items) ? [EXIT_ALONE] : []),
    ...(items.some((_, index) => isTimedTarget(items, index)) ? [TIMED_TARGET] : []),
  ]
}

const isCondition = (item: RuleItem | undefined) => item?.k === 'when' || item?.k === 'when_open'
const isHead = (item: RuleItem | undefined) => item?.k === 'if' || item?.k === 'unless'

/** "crosses above the flip and then below it". */
function sequenceAt(item: RuleItem, items: readonly RuleItem[], index: number): string[] {
  const [before, next] = [items[index - 1], items[index + 1]]
  const isThen = item.k === 'break' && /then$/i.test(item.text)
  return isThen && isCondition(before) && isCondition(next) ? [ONE_MINUTE] : []
}

/** True when a time limits a target: "close for a 30% profit by 13:00". */
function isTimedTarget(items: readonly RuleItem[], index: number): boolean {
  const [before, item] = [items[index - 1], items[index]!]
  const isTarget = before?.k === 'exit' && ('profit' in before.v || 'stop' in before.v)
  const isTime = item.k === 'exit' ? 'at' in item.v : TIMES.includes(item.k)
  return (
    isTarget && isTime && /^(?:by|before|until|till|til|after|from|through|past)\b/i.test(item.text)
  )
}

const TIMES: readonly string[] = ['time', 'bare_time', 'window', 'vague']

/** Conditions right behind an exit, which are of the entry, in words. */
export function listBehindExit(items: readonly RuleItem[]): Assumption[] {
  return items.flatMap((item, index) => {
    const before = items[index - 1]
    const last = isHead(before) ? items[index - 2] : before
    if (item.k !== 'when' || last?.k !== 'exit') return []
    const why = 'an exit has no condition of its own: this one is of the entry'
    return [{ field: 'when', value: item.text, why }]
  })
}

const OF_ENTRY: readonly string[] = [
  'action',
  'structure',
  'either',
  'strike',
  'width',
  'time',
  'bare_time',
  'window',
  'every',
]

/** "if gamma is negative, exit at 14:00", as a sentence of its own. */
function hasLoneExit(items: readonly RuleItem[]): boolean {
  const sentences: RuleItem[][] = [[]]
  for (const item of items) {
    if (item.k === 'break' && /^[;.?!\n\r]+$/.test(item.text)) sentences.push([])
    else if (item.k !== 'nothing' && item.k !== 'break') sentences.at(-1)!.push(item)
  }
  return sentences.some(sentence => {
    const first = sentence.find(item => !isHead(item))
    const isBegun = isCondition(first) && sentence.some(({ k }) => k === 'exit')
    return isBegun && !sentence.some(({ k }) => OF_ENTRY.includes(k))
  })
}

/** True when something between two lists of days, or an exception before one, leaves them open. */
function hasUnclearDays(items: readonly RuleItem[]): boolean {
  const days = items.flatMap((item, index) => (item.k === 'days' ? [{ item, index }] : []))
  return days.some(({ item, index }, at) => {
    const next = days[at + 1]
    if (next?.item.how !== 'set' || next.item.from === item.from) return false
    const between = items.slice(index + 1, next.index)
    if (item.how === 'not') return between.every(({ k }) => k === 'break')
    return between.length === 0 && next.item.from > item.to + 1
  })
}

/** True when days are named twice, with something else between. */
function hasTwoSets(items: readonly RuleItem[]): boolean {
  const sets = items.filter(item => item.k === 'days' && item.how === 'set')
  const [first, last] = [items.indexOf(sets[0]!), items.indexOf(sets.at(-1)!)]
  const between = items.slice(first, last).filter(({ k }) => k !== 'days' && k !== 'break')
  const isSame = sets.every(
    item => 'v' in item && String(item.v) === String('v' in sets[0]! && sets[0].v),
  )
  return !isSame && between.length > 0
}

const EXCEPTS =
  /^(?:(?:and|but) )?(?:unless|(?:except|skip|avoid|not?|don'?t|do not|stay|sit) .*(?:if|when))\b/i

/** A day and a condition that form one exception: either alone would exclude more. */
function exceptions(items: readonly RuleItem[]): string[] {
  return items.flatMap((item, index) => {
    const [last, next, then] = [items[index - 1], items[index + 1], items[index + 2]]
    if (item.k !== 'days') return []
    const isAnd = next?.k === 'break' && /^(?:and|or|but)$/i.test(next.text)
    const isExcept = item.how === 'not' && EXCEPTS.test(item.text.replace(/’/g, "'"))
    const goesOn = isAnd && then?.k === 'when' && !HEADED.test(then.text)
    const isOfUnless = last?.k === 'when' && items[index - 2]?.k === 'unless'
    return (isExcept && goesOn) || (isOfUnless && item.how === 'set') ? [UNLESS_ONE] : []
  })
}
