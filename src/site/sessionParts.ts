import { findTradingSession, wallTimeEt } from '../core/market/calendar.ts'
import { CONVENTION } from '../data/published/reasons.ts'
import { isByConvention, type WireOrder } from '../orders/schema.ts'
import {
  countText,
  gammaText,
  numberText,
  pointsText,
  shareText,
  spellOut,
} from '../platform/html/figures.ts'
import { renderTable } from '../platform/html/table.ts'
import { EMPTY, type Html, html, type Piece } from '../platform/html/template.ts'

/** Parts shared by several pages of a session. */

const GRADES: Readonly<Record<string, string>> = { good: 'green', doubtful: 'amber', bad: 'red' }

/** Grade of a tape, as a coloured word. */
export const gradeMark = (grade: string | null | undefined): Html =>
  grade
    ? html`<span class="${GRADES[grade] ?? 'amber'}">tape ${grade}</span>`
    : html`<span class="quiet">tape not graded</span>`

/** The same without a label, after text that names its subject. */
export const gradeWord = (grade: string | null): Html =>
  grade
    ? html`<span class="${GRADES[grade] ?? 'amber'}">${grade}</span>`
    : html`<span class="quiet">not graded</span>`

/** Explains the grade of a tape: its meaning first, then the measure that caused it. */
export function reasonText(reason: string): string {
  const [, measure, value, meaning] = /^(\w+) is (.*?): (.*)$/.exec(reason) ?? []
  if (measure === undefined || meaning === undefined) return reason
  return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)} (${spellOut(measure)} ${value})`
}

type Gaps = readonly { readonly from: string; readonly to: string; readonly minutes: number }[]

/** Maximum number of gaps listed one by one. */
const GAPS_LISTED_MAX = 5

/** Periods without prints; if many, the longest. */
export function gapsText(gaps: Gaps): string {
  const formatSpan = ({ from, to }: Gaps[number]) =>
    from === to ? `at ${from}` : `from ${from} to ${to}`
  if (gaps.length <= GAPS_LISTED_MAX)
    return `Nothing was printed ${gaps.map(formatSpan).join(', ')}.`
  const minutes = gaps.reduce((sum, gap) => sum + gap.minutes, 0)
  const longest = gaps
    .toSorted((one, other) => other.minutes - one.minutes)
    .slice(0, GAPS_LISTED_MAX)
  const inOrder = longest.toSorted((one, other) => (one.from < other.from ? -1 : 1))
  return `Nothing was printed in ${minutes} minutes, longest ${inOrder.map(formatSpan).join(', ')}.`
}

export const simulatedMark = (simulated: boolean): Html =>
  simulated ? html`<span class="mark-simulated">SIMULATED</span>` : EMPTY

/** Thu 2026-10-15. */
export const dayText = (day: string): string => {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
  return `${['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][weekday]} ${day}`
}

/** Close of a half day, 'HH:MM'; null for a full one. */
export function halfDayClose(day: string): string | null {
  const session = findTradingSession(day)
  if (!session) return null
  const { minute } = wallTimeEt(session.pmExpiresAtMs)
  return minute < '15:00' ? minute : null
}

const ORDER_COLUMNS = [
  { head: 'time', isNumber: false },
  { head: 'effect $M', isNumber: true },
  { head: 'kind', isNumber: false },
  { head: 'legs', isNumber: false },
  { head: 'expiry', isNumber: false },
  { head: 'size', isNumber: true },
  { head: 'net $M', isNumber: true },
  { head: 'from flip', isNumber: true },
  { head: 'p(buy)', isNumber: true },
]

/** Section of the methodology on how a book from open interest becomes measured. */
export const MEASURED_PATH =
  '/methodology#from-open-interest-to-a-measured-book-60-sessions-of-backfill'

/** Table of orders; each time links to its order. Below it, what a distance with a star is. */
export const ordersTable = (day: string, caption: string, orders: readonly WireOrder[]): Html =>
  html`${renderTable({
    caption,
    columns: ORDER_COLUMNS,
    rows: orders.map((order): Piece[] => [
      html`<a href="/sessions/${day}/orders/${order.oid}">${order.t}</a>`,
      gammaMark(order),
      spellOut(order.kind),
      legsText(order),
      html`<time>${order.exp ?? '–'}</time>`,
      countText(order.size),
      numberText(order.net, 2),
      flipCell(order),
      shareText(order.p),
    ]),
  })}${
    orders.some(isByConvention) &&
    html`<p class="small quiet">* from the convention flip (${CONVENTION}): no flip of the measured book
was known at that minute.</p>`
  }`

/** Effect of an order on the dealers' gamma, or the reason why it is unknown. */
export function gammaMark({ g, g_null }: WireOrder): Html {
  if (g === null) return html`<span class="quiet">${spellOut(g_null ?? 'unknown')}</span>`
  return html`<span class="${g < 0 ? 'down' : 'up'}">${g > 0 && '+'}${gammaText(g)}</span>`
}

/** The contracts with the customer's side: + bought, − sold, ? undecided. */
export function legsText({ lg, legs }: WireOrder): Html {
  const signs = lg.map(([, , sign]) => (sign === 0 ? '?' : sign > 0 ? '+' : '−'))
  const meaning = 'bought +, sold −, undecided ?'
  return html`${legs} <span class="quiet" title="${meaning}">${signs.join('')}</span>`
}

function flipCell(order: WireOrder): Piece {
  const { flip, side, flip_convention, side_convention } = order
  if (flip !== null) return `${pointsText(flip)} ${side ?? ''}`.trim()
  if (!isByConvention(order)) return '–'
  const text = `${pointsText(flip_convention)} ${side_convention ?? ''}`.trim()
  return html`<span class="quiet">${text}*</span>`
}

/** Header of a page below a session. */
export const belowSession = (day: string, name: string): Html => html`<p class="crumbs">
<a href="/sessions">Sessions</a> / <a href="/sessions/${day}">${dayText(day)}</a> / ${name}</p>`

/** The books as pages name them. */
export const BOOK_NAMES = {
  measured: 'measured',
  vol: 'flow of the day',
  oi: 'convention',
} as const

/** Warning about a whole ledger, if any. */
export const ledgerNote = (note: string | undefined): Html =>
  note === undefined ? EMPTY : html`<p class="note bad"><strong>${note}</strong></p>`

/** Warning about a tape, if any. */
export function tapeNote(
  tape: { readonly grade?: string | undefined; readonly reasons?: readonly string[] | undefined },
  note: string | undefined,
): Html {
  const { grade, reasons = [] } = tape
  if (note === undefined && (grade === undefined || grade === 'good')) return EMPTY
  return html`<div class="note${grade === 'bad' && ' bad'}">
${note !== undefined && html`<p><strong>${note}</strong></p>`}
${
  grade !== undefined &&
  grade !== 'good' &&
  html`<p>${note === undefined ? `The tape of this session is ${grade}:` : 'Why:'}</p>
<ul>${reasons.map(reason => html`<li>${reasonText(reason)}</li>`)}</ul>`
}</div>`
}
