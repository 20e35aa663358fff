import type { SessionCurves, SessionLadders, SessionLevels } from '../archive/ask.ts'
import { BOOKS } from '../data/published/books.ts'
import {
  CONVENTION,
  INVENTORY_UNKNOWN,
  SESSIONS_CARRIED_ENOUGH,
} from '../data/published/reasons.ts'
import type { SessionRelease } from '../geo/ask.ts'
import type { FlowResponse } from '../levels/ask.ts'
import type { FoundOrders } from '../orders/ask.ts'
import { assetPath } from '../platform/html/assets.ts'
import { countText, pointsText, spellOut } from '../platform/html/figures.ts'
import { term } from '../platform/html/glossary.ts'
import { renderPage, type Shared } from '../platform/html/layout.ts'
import { patterns } from '../platform/html/levelsPicture.ts'
import { EMPTY, type Html, html } from '../platform/html/template.ts'
import { formatCell, NOW } from './minuteFacts.ts'
import { renderPanels } from './sessionPanels.ts'
import {
  BOOK_NAMES,
  dayText,
  gapsText,
  gradeMark,
  halfDayClose,
  MEASURED_PATH,
  ordersTable,
  reasonText,
  simulatedMark,
  tapeNote,
} from './sessionParts.ts'
import type { SessionView } from './sessionQuery.ts'
import { formatFacts } from './shareFacts.ts'

/** A session: its levels by minute, its largest orders, its tape. */

export type SessionContent = {
  readonly view: SessionView
  readonly sessionLevels: SessionLevels
  readonly curves: SessionCurves
  readonly ladders: SessionLadders
  /** Null when they cannot be read. */
  readonly releases: readonly SessionRelease[] | null
  /** The largest. */
  readonly found: FoundOrders
  /** The customers' flow; null when it cannot be read. */
  readonly flow: FlowResponse | null
  /** Index of the shown minute in the session. */
  readonly at: number
  readonly before: string | null
  readonly after: string | null
  /** True while the session runs: it is shown up to now. */
  readonly isOpen: boolean
  /** Minutes by which the source of a running session is late by itself; 0 where it is not. */
  readonly delayMinutes: number
  readonly publicUrl: string | null
}

export function sessionPage(content: SessionContent): string {
  const { sessionLevels, view, found, isOpen } = content
  const { day, minutes } = sessionLevels
  const api = isOpen ? `/sessions/${day}` : `/api/session/${day}`
  return renderPage({
    title: `SPX ${dayText(day)}`,
    path: '/sessions',
    ...(isOpen ? {} : { share: describeShare(content) }),
    styles: [assetPath('uplot.css')],
    scripts: minutes.length > 1 ? [assetPath('session.js')] : [],
    main: html`<div class="wide session" id="session"
data-curves="${api}/${isOpen ? 'curves' : 'gamma'}?book=${view.book}"
data-ladders="${api}/strikes?book=${view.book}"${isOpen && html` data-now="/sessions/${day}/now"`}>
${patterns()}${renderHead(content)}
${renderNotes(content)}
${minutes.length === 0 ? html`<p>No minute of this session is known yet.</p>` : minuteForm(content)}
${renderPanels(content)}
<p><a href="/sessions/${day}/exposures${view.book !== 'measured' && `?book=${view.book}`}">Delta, gamma, vanna
and charm by strike and expiry; levels of the expiry of the day</a></p>
${ordersPart(content, found)}
${isOpen ? EMPTY : tapePart(sessionLevels)}
${isOpen ? EMPTY : downloadsPart(day, view)}
${readingPart()}
</div>`,
  })
}

const describeShare = ({ sessionLevels, found, publicUrl }: SessionContent): Shared => ({
  description: `${sessionLevels.simulated ? 'SIMULATED. ' : ''}${formatFacts(sessionLevels, found.total)}`,
  publicUrl,
  path: `/sessions/${sessionLevels.day}`,
  picture: `/sessions/${sessionLevels.day}/picture.png`,
})

const RUNNING = html`<span class="amber">running</span>`

function renderHead({ sessionLevels, view, before, after, isOpen }: SessionContent): Html {
  const { day, simulated, tape } = sessionLevels
  const step = (other: string | null, text: Html) =>
    other === null ? EMPTY : html`<a href="/sessions/${other}">${text}</a>`
  return html`<div class="head"><h1>SPX ${dayText(day)}</h1>
<nav aria-label="Days" class="steps"><ul>
<li>${step(before, html`<span aria-hidden="true">‹</span> ${before}`)}</li>
<li><a href="/sessions">all</a></li>
<li>${step(after, html`${after} <span aria-hidden="true">›</span>`)}</li></ul></nav></div>
<div class="head marks"><p>${isOpen ? RUNNING : gradeMark(tape?.grade)}
${simulatedMark(simulated)}</p>
<nav aria-label="Book" class="books"><ul>${BOOKS.map(
    book =>
      html`<li><a href="${viewPath(day, { ...view, book })}"${
        book === view.book && html` aria-current="true"`
      }>${BOOK_NAMES[book]}</a></li>`,
  )}</ul></nav></div>`
}

const viewPath = (day: string, { book, t }: SessionView): string => {
  const fields = [book === 'measured' ? [] : `book=${book}`, t === null ? [] : `t=${t}`].flat()
  return fields.length === 0 ? `/sessions/${day}` : `/sessions/${day}?${fields.join('&')}`
}

function renderNotes({ sessionLevels, view, at, isOpen, delayMinutes }: SessionContent): Html {
  const { day, simulated, tape, note, minutes } = sessionLevels
  const half = halfDayClose(day)
  const gaps = tape?.gaps ?? []
  const { flip, reason } = sessionLevels.books[view.book]
  const isUnknown = view.book === 'measured' && reason[at] === INVENTORY_UNKNOWN
  const hasNoFlip = minutes.length > 0 && flip.every(value => value === null)
  const why = reason.find(one => one !== null)
  return html`${tapeNote(tape ?? {}, note)}
${simulated && html`<p class="quiet small">Simulated: no real trade is in this session.</p>`}
${half !== null && html`<p class="note">A half day: the session closes at ${half}.</p>`}
${
  isOpen &&
  html`<p class="note">The session of today, as it is known by
${minutes.at(-1) ?? 'now'}. ${
    delayMinutes > 0 && `Its source gives the market of ${delayMinutes} minutes ago. `
  }<a href="${viewPath(day, { ...view, t: null })}">Show the newest
minute</a><span id="renewing"></span></p>`
}
${
  gaps.length > 0 &&
  html`<p class="note">${gapsText(gaps)} ${
    !isOpen && html`<a href="/sessions/${day}/tape">Every gap</a>`
  }</p>`
}
${
  view.book === 'oi' &&
  html`<p class="note">The convention: dealers long every call of open interest and short every put.
Nobody knows that they are: it has no error bar.</p>`
}
${
  sessionLevels.books[view.book].spot_source?.[at] === 'parity' &&
  html`<p class="note">The tape has no
index at ${minutes[at]!}: it follows from the quotes of its options, by put-call parity.</p>`
}
${isUnknown && unknownNote(sessionLevels, view, at)}
${
  hasNoFlip &&
  !isUnknown &&
  html`<p class="note">This book has no ${term('flip')} all day${why && `: ${spellOut(why)}`}.</p>`
}`
}

/** Says that the dealers' positions are not known, since when flow is carried, and the convention. */
function unknownNote(
  { day, minutes, books, sessions_carried }: SessionLevels,
  view: SessionView,
  at: number,
): Html {
  const carried = countText(sessions_carried ?? 0)
  const convention = books.oi.flip[at] ?? null
  const probability = books.measured.p_positive?.[at] ?? null
  return html`<p class="note">The dealers’ positions are not known at ${minutes[at]!}: ${carried} of about
${SESSIONS_CARRIED_ENOUGH} sessions are carried (<a href="${MEASURED_PATH}">how a book becomes measured</a>).
Net gamma and its pictures are of the measured part alone${
    probability !== null &&
    `; it is positive with a probability of ${Math.round(100 * probability)} %`
  }.
${
  convention !== null &&
  html`The flip of the <a href="${viewPath(day, { ...view, book: 'oi' })}">convention</a> is
${pointsText(convention)} (${CONVENTION}).`
}</p>`
}

/** The shown minute, in words, and the form that selects it. */
function minuteForm({ sessionLevels, view, at }: SessionContent): Html {
  const { day, minutes } = sessionLevels
  const levels = sessionLevels.books[view.book]
  return html`<form class="minute" method="get" action="/sessions/${day}">
${view.book !== 'measured' && html`<input type="hidden" name="book" value="${view.book}">`}
<div class="fields" id="scrubber"><label class="field"><span>Minute, New York</span>
<input type="time" name="t" value="${minutes[at]!}" min="${minutes[0]!}" max="${minutes.at(-1)!}"
required></label><button>Show</button></div><div class="scrubber"></div></form>
<dl class="now" id="now">
${NOW.map(
  ({ name, head }) => html`<div><dt>${head()}</dt>
<dd data-name="${name}">${formatCell(name, minutes, levels, at)}</dd></div>`,
)}
</dl>
<p class="hidden" id="said" aria-live="polite"></p>`
}

function ordersPart(
  { sessionLevels }: SessionContent,
  { orders, total, stats }: FoundOrders,
): Html {
  const { day } = sessionLevels
  return html`<section class="part" aria-labelledby="orders-title">
<h2 id="orders-title">Orders</h2>
<p>The ${term('ledger')} has <a href="/sessions/${day}/orders">${countText(total)} orders</a>${
    stats &&
    html`: ${countText(stats.gamma_up)} added gamma to the dealers' books,
${countText(stats.gamma_dn)} took some, of ${countText(stats.no_gamma)} it is not known`
  }. Those that did most:</p>
${ordersTable(day, 'The largest orders', orders)}
<p><a href="/sessions/${day}/orders">All orders, to filter and sort</a></p></section>`
}

const joinReasons = (reasons: readonly string[]): string =>
  reasons.length === 0
    ? 'No measure of it is out of bounds.'
    : `${reasons.map(reasonText).join('; ')}.`

const tapePart = ({ day, tape, asof }: SessionLevels): Html => html`<section class="part"
aria-labelledby="tape-title"><h2 id="tape-title">Tape</h2>
<p>${gradeMark(tape?.grade)} The ${term('tape')} is known up to ${asof ?? '–'} ET.
${joinReasons(tape?.reasons ?? [])}
<a href="/sessions/${day}/tape">The whole report</a></p></section>`

const downloadsPart = (day: string, { book }: SessionView): Html => html`<section class="part"
aria-labelledby="downloads-title"><h2 id="downloads-title">Downloads</h2>
<ul><li><a href="/sessions/${day}/orders.csv">All orders as CSV</a></li>
<li><a href="/api/session/${day}">Levels and the 500 largest orders as JSON</a></li>
<li><a href="/api/session/${day}/gamma?book=${book}">Net gamma at each minute as JSON</a></li>
<li><a href="/api/session/${day}/strikes?book=${book}">Gamma of each strike as JSON</a></li>
<li><a href="/docs">Parquet files</a> come with the plan DATASET</li></ul></section>`

const readingPart = (): Html => html`<section class="part" aria-labelledby="reading-title">
<h2 id="reading-title">How to read this</h2>
<p>Everything here is an estimate from public trade reports: nobody tells who bought. The
${term('dealer book')} adds up what customers are estimated to have done. While their net
gamma is positive they damp moves, while it is negative they add to them. The shaded band is the
flip's error bar: the wider, the less is known; where it would have no end, no flip is named. <a href="/methodology">How it is made</a>, and
<a href="/accuracy">how often it is right</a>.</p></section>`
