import type { RuleItem } from './items.ts'
import { ACTION_WORDS } from './lists.ts'
import type { RuleAction } from './spec.ts'

const OF_A_LEG = '(?:strike|leg|side|short|one|put|call)s?\\b'
const LEADING = new RegExp(`^(?:(?:with|at|a|the) )*(short|long|sold|bought) (?!${OF_A_LEG})`, 'i')
const QUIET: readonly string[] = ['break', 'nothing', 'if', 'set']
/** Items allowed between the word and its structure. */
const BETWEEN: readonly string[] = ['width', 'dte', 'qty', 'strike']

/**
 * "short 16 delta strangle" and "long ATM straddle" state the action; "sell the strangle, short 16
 * delta" only which strike is meant. The word is an action if its structure follows, or if a
 * message with a structure has no earlier action.
 */
export function withLeadingActions(items: readonly RuleItem[]): RuleItem[] {
  const hasStructure = items.some(({ k }) => k === 'structure')
  const isOpen = hasStructure && items.every(item => item.k !== 'action' && !('sold' in item))
  const named = items.find(item => item.k === 'action')?.v
  return items.flatMap((item, index) => {
    if (item.k === 'exit' && 'at' in item.v && item.v.at !== 'expiry') {
      // "iron fly 25 wide, sell it at 13:00": nothing was bought that could be sold
      const word = /^(sell|buy) (?:it|them)\b/i.exec(item.text)?.[1]?.toLowerCase()
      // what was sold is not sold again to close it
      if (word && (isOpen || word === named)) return toEntry(item, word as RuleAction, item.v.at)
    }
    const word =
      item.k === 'strike'
        ? LEADING.exec(item.text.replace(/\s+/g, ' '))?.[1]?.toLowerCase()
        : undefined
    if (item.k === 'far' && isFirst(items, index)) return toNear(item)
    if (word === undefined || !hasStructure) return [item]
    const before = items.slice(0, index)
    const next = items.slice(index + 1).find(({ k }) => !BETWEEN.includes(k))
    const last = before.findLast(({ k }) => !QUIET.includes(k))
    const isOfStructure = next?.k === 'structure' && last?.k !== 'action' && last?.k !== 'structure'
    if (!isOfStructure && before.some(({ k }) => k === 'action')) return [item]
    return [{ ...item, k: 'action', v: parseAction(word), field: 'action' } as RuleItem, item]
  })
}

/** True when no trade comes before: then the leg is not the far one. */
const isFirst = (items: readonly RuleItem[], index: number): boolean =>
  items.slice(0, index).every(({ k }) => k !== 'action' && k !== 'structure' && k !== 'strike')

/** "sell the put 30 below" by itself is the leg that is traded. */
function toNear(item: Extract<RuleItem, { k: 'far' }>): RuleItem[] {
  const { from, to, text } = item
  const at = { from, to, text }
  const [, word = '', side] =
    /^(?:and )?(\w+) (?:.*\b(put|call)\b)?/i.exec(text.replace(/\s+/g, ' ').toLowerCase()) ?? []
  const own: RuleItem[] =
    side === 'put' || side === 'call' ? [{ k: 'side', v: side, field: 'structure', ...at }] : []
  return [
    { k: 'action', v: parseAction(word), field: 'action', ...at },
    ...own,
    { k: 'strike', v: { ref: 'spot', points: item.v, side: 'out' }, field: 'strike', ...at },
  ]
}

function toEntry(item: RuleItem, v: RuleAction, at: string): RuleItem[] {
  const { from, to, text } = item
  return [
    { k: 'action', v, from, to, text, field: 'action' },
    { k: 'time', v: at, role: 'entry', from, to, text, field: 'entry' },
  ]
}

const parseAction = (word: string): RuleAction =>
  ACTION_WORDS.buy.split('|').includes(word) ? 'buy' : 'sell'
