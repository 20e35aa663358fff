import { type Html, html } from '../../platform/html/template.ts'
import { COMPARED_FIELDS } from '../language/spec.ts'

/** A message with highlights on the words that were read and those that were not. */

type Span = { readonly from: number; readonly to: number }
type Read = Span & { readonly field: string }

/** Display names of the parts of a rule; others use their own name. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  action: 'what to do',
  dte: 'expiry',
  qty: 'contracts',
  entry: 'entry',
  exit: 'exit',
  profit: 'take profit',
  distance: 'distance',
  set: 'change',
  undo: 'change',
  when: 'condition',
  order: 'order condition',
  cross_flip: 'cross of the flip',
  spot_minus_flip: 'distance to the flip',
  spot_minus_put_wall: 'distance to the put wall',
  call_wall_minus_spot: 'distance to the call wall',
  net_gamma: 'net gamma',
  abs_gap: 'gap',
  abs_move_from_open: 'move from the open',
  move_from_open: 'move from the open',
  atm_iv_change: 'change of volatility',
}

export const nameOfField = (field: string): string =>
  FIELD_NAMES[field] ?? field.replaceAll('_', ' ')

const CONDITIONS: readonly string[] = [
  'when',
  'order',
  'cross_flip',
  'distance',
  ...COMPARED_FIELDS,
]
const TRADE = ['action', 'structure', 'strike', 'width', 'dte', 'qty']
const TIMES = ['entry', 'days', 'entry time']
const EXITS = ['exit', 'profit', 'stop', 'profit target', 'unit of the stop', 'exit time']

/** Style class of a highlight, one of a few. */
function markClass(field: string): string {
  if (TRADE.includes(field)) return 'trade'
  if (TIMES.includes(field)) return 'time'
  if (EXITS.includes(field)) return 'exit'
  if (field === 'refused') return 'refused'
  return CONDITIONS.includes(field) ? 'condition' : 'other'
}

/** Renders the message with each read part highlighted and labelled with its meaning. */
export function markedText(text: string, read: readonly Read[], unread: readonly Span[]): Html {
  const marks = [
    ...read.map(span => ({ ...span, isRead: true })),
    ...unread.map(span => ({ ...span, isRead: false, field: 'not read' })),
  ].sort((a, b) => a.from - b.from || b.to - a.to)
  const parts: (string | Html)[] = []
  let at = 0
  for (const { from, to, field, isRead } of marks) {
    if (from < at || to > text.length) continue
    parts.push(text.slice(at, from))
    const words = text.slice(from, to)
    parts.push(
      isRead
        ? html`<mark class="read ${markClass(field)}" title="${nameOfField(field)}">${words}</mark>`
        : html`<mark class="unread" title="not read">${words}<span class="hidden"> (not
read)</span></mark>`,
    )
    at = to
  }
  return html`${parts}${text.slice(at)}`
}

/** Lists the parts of a message and their meaning, in order: one line per part. */
export function readList(text: string, read: readonly Read[]): Html | null {
  if (read.length === 0) return null
  const lines = read.map(
    ({ from, to, field }) =>
      html`<li><strong>${nameOfField(field)}</strong>: ${text.slice(from, to)}</li>\n`,
  )
  return html`<details><summary>How it was read</summary><ul>${lines}</ul></details>`
}
