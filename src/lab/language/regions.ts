import type { RuleItem } from './items.ts'

/** Items of one trade of a message; `isElse`: it is the alternative. */
export type Region = { readonly items: RuleItem[]; readonly isElse: boolean }

/** Items before the trade, and those of each leg. */
export function splitRegions(items: readonly RuleItem[]): { shared: RuleItem[]; legs: Region[] } {
  const shared: RuleItem[] = []
  const legs: Region[] = []
  let isElse = false
  for (const item of items) {
    const leg = legs.at(-1)
    if (item.k === 'else') {
      // after "no trade when the gap is over 1%" there is no other trade
      isElse = legs.length > 0
      continue
    }
    const isCore = item.k === 'action' || item.k === 'structure' || item.k === 'either'
    if (isCore && (!leg || beginsLeg(item, leg))) {
      const moved = leg ? [...takeLead(leg, shared), ...takeName(leg, item)] : []
      legs.push({ items: [...moved, item], isElse })
      isElse = false
      continue
    }
    ;(leg ? leg.items : shared).push(item)
  }
  const [one, two] = legs
  // "sell it at 10:00" continues the same trade
  if (one && two && isSameTrade(one, two)) {
    one.items.push(...two.items.filter(({ k }) => k !== 'action'))
    legs.splice(1, 1)
  } else if (one && two && isWayOut(one, two, shared)) {
    one.items.push(...two.items.filter(({ k }) => k !== 'action').map(asExit))
    legs.splice(1, 1)
  }
  return { shared, legs }
}

/** True for a word that names no trade of its own. */
const isGeneric = (item: RuleItem) =>
  item.k === 'structure' && item.v === 'spread' && item.sold === undefined && /s$/i.test(item.text)

function beginsLeg(item: RuleItem, { items }: Region): boolean {
  if (item.k === 'action') return items.some(({ k }) => k === 'action' || k === 'either')
  const structure = items.find(({ k }) => k === 'structure')
  // "a condor, 25-wide spreads": the same trade
  if (item.k !== 'structure' || structure?.k !== 'structure' || isGeneric(item)) return false
  return structure.v !== item.v
}

function isSameTrade(one: Region, two: Region): boolean {
  const action = ({ items }: Region) => items.find(({ k }) => k === 'action')
  const [first, second] = [action(one), action(two)]
  const isSame = first?.k === 'action' && second?.k === 'action' && first.v === second.v
  const own = new Set(two.items.map(({ k }) => k))
  if (!isSame || two.isElse) return false
  return ['structure', 'time', 'window', 'strike', 'width', 'when', 'when_open'].every(
    k => !own.has(k as RuleItem['k']) || !one.items.some(item => item.k === k),
  )
}

const WAYS_OUT: readonly string[] = [
  'action',
  'exit',
  'exit_head',
  'time',
  'bare_time',
  'break',
  'or',
  'nothing',
]

/** True when a bare time exits the first trade: "buy the straddle at 10:00, sell at noon". */
function isWayOut(one: Region, two: Region, shared: readonly RuleItem[]): boolean {
  const actions = [one, two].map(({ items }) => items.find(({ k }) => k === 'action'))
  const [first, second] = actions
  if (first?.k !== 'action' || second?.k !== 'action' || first.v === second.v) return false
  const hasEntry = [...shared, ...one.items].some(({ k }) => ENTRIES.includes(k))
  const isPlain = two.items.every(({ k }) => WAYS_OUT.includes(k))
  return !two.isElse && hasEntry && isPlain && two.items.some(({ k }) => k !== 'action')
}

const ENTRIES: readonly string[] = ['time', 'bare_time', 'window', 'every', 'when']

const asExit = (item: RuleItem): RuleItem =>
  item.k === 'time' || item.k === 'bare_time'
    ? ({ ...item, k: 'exit', v: { at: item.v }, field: 'exit' } as RuleItem)
    : item

const NAMING: readonly string[] = ['strike', 'width', 'dte', 'qty']

/** "a 16 delta put spread and a 10 delta call spread": items before a structure belong to it. */
function takeName({ items }: Region, begin: RuleItem): RuleItem[] {
  if (begin.k !== 'structure') return []
  const from = items.findLastIndex(({ k }) => !NAMING.includes(k)) + 1
  const own = items.slice(from)
  const isStated = own.every(({ k }) => items.slice(0, from).some(item => item.k === k))
  return from > 0 && items[from - 1]!.k === 'break' && isStated ? items.splice(from) : []
}

const LEADING: readonly string[] = ['when', 'time', 'bare_time', 'window', 'every', 'each', 'gap']
const QUIET: readonly string[] = ['break', 'if', 'nothing', 'set']

/**
 * "at 10:00 buy it when gamma is negative, and when it is positive sell it": times and conditions
 * right before the second action belong to the second leg, if the first has its own.
 */
function takeLead(leg: Region, shared: readonly RuleItem[]): RuleItem[] {
  const { items } = leg
  const isLead = ({ k }: RuleItem) => LEADING.includes(k) || QUIET.includes(k)
  let from = items.length
  while (from > 0 && isLead(items[from - 1]!)) from -= 1
  // from the break that separates the two
  const parts = ({ k, text }: RuleItem) =>
    k === 'break' || (k === 'if' && /^(?:and|but)\b/i.test(text))
  const start = items.findIndex((item, at) => at >= from && parts(item))
  if (start < 0) return []
  const before = new Set([...shared, ...items.slice(0, start)].map(({ k }) => k))
  const lead = items.slice(start).filter(({ k }) => LEADING.includes(k))
  const listKinds = (k: RuleItem['k']) =>
    k === 'when' ? ['when'] : ['time', 'window', 'every', 'bare_time']
  const isStatedBefore = lead.every(({ k }) =>
    listKinds(k).some(one => before.has(one as RuleItem['k'])),
  )
  return lead.length > 0 && isStatedBefore ? items.splice(start) : []
}

/** True when a sentence, not a clause, ends between the trades. */
export function isApart(one: Region, two: Region): boolean {
  const isBreak = ({ k }: RuleItem) => k === 'break'
  const after = one.items.slice(one.items.findLastIndex(item => !isBreak(item)) + 1)
  const before = two.items.slice(
    0,
    two.items.findIndex(item => !isBreak(item)),
  )
  return [...after, ...before].some(({ text }) => /^[;.?!\n\r]+$/.test(text))
}
