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
const DAYS_OF_LEG = 'days are of the whole rule: trades on other days are another idea'

/** Invalid combinations of clauses, in sentences. */
export function misjoined(items: readonly RuleItem[], legCount: number): string[] {
  return [
    ...(hasTwoSets(items) ? [legCount > 1 ? DAYS_OF_LEG : 'two sets of days; give one'] : []),
    ...exceptions(items),
    ...items.flatMap((item, index) => sequenceAt(item, items, index)),
    ...(items.some((_, index) => isOfExit(items, index)) || hasLoneExit(items) ? [EXIT_ALONE] : []),
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

/** True when a condition may belong to an exit: "take profit at 50% if gamma is positive". */
function isOfExit(items: readonly RuleItem[], index: number): boolean {
  const next = items[index + 1]
  if (items[index]!.k !== 'exit') return false
  return isCondition(next) || (isHead(next) && isCondition(items[index + 2]))
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
