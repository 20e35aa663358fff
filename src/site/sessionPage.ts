import { assetPath } from '../html/assets.ts'
import { countText, gammaText, wordsOf } from '../html/figures.ts'
import { term } from '../html/glossary.ts'
import { pageOf } from '../html/layout.ts'
import {
  curvePicture,
  heatGrid,
  heatPicture,
  levelsPicture,
  patterns,
} from '../html/sessionPictures.ts'
import { tableOf } from '../html/table.ts'
import { EMPTY, type Html, html, type Piece } from '../html/template.ts'
import type { BookLevels, FoundOrders, OfferedCurves, OfferedLevels } from '../http/offers.ts'
import { BOOKS } from '../published/books.ts'
import { cellOf, HEADS, NOW } from './minuteFacts.ts'
import {
  dayText,
  gradeMark,
  halfDayClose,
  ordersTable,
  simulatedMark,
  tapeNote,
} from './sessionParts.ts'
import type { SessionView } from './sessionQuery.ts'

/** A session: its levels by minute, its largest orders, its tape. */

export type SessionContent = {
  readonly view: SessionView
  readonly told: OfferedLevels
  readonly curves: OfferedCurves
  /** The largest. */
  readonly found: FoundOrders
  /** The place of the minute that is shown among those of the session. */
  readonly at: number
  readonly before: string | null
  readonly after: string | null
  /** Whether it still runs: it is told up to now. */
  readonly isOpen: boolean
}

export function sessionPage(content: SessionContent): string {
  const { told, curves, view, at, found, isOpen } = content
  const { day, minutes } = told
  const levels = told.books[view.book]
  return pageOf({
    title: `SPX ${dayText(day)}`,
    path: '/sessions',
    styles: [assetPath('uplot.css')],
    scripts: minutes.length > 1 ? [assetPath('uplot.js'), assetPath('session.js')] : [],
    main: html`<div class="wide session" id="session" data-curves="${
      isOpen ? `/sessions/${day}/curves` : `/api/session/${day}/gamma`
    }?book=${view.book}">
${patterns()}${headOf(content)}
${notesOf(content)}
${minutes.length === 0 ? html`<p>No minute of this session is known yet.</p>` : minuteForm(content)}
<div class="panels">
${levelsPanel(content)}
${heatPanel(curves, levels, at)}
${curvePanel(curves, levels, at)}
</div>
${ordersPart(content, found)}
${isOpen ? EMPTY : tapePart(told)}
${isOpen ? EMPTY : downloadsPart(day, view)}
${readingPart()}
</div>`,
  })
}

const RUNNING = html`<span class="amber">running</span>`

function headOf({ told, view, before, after, isOpen }: SessionContent): Html {
  const { day, simulated, tape } = told
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

const BOOK_NAMES = { measured: 'measured', vol: 'flow of the day', oi: 'open interest' } as const

const viewPath = (day: string, { book, t }: SessionView): string => {
  const fields = [book === 'measured' ? [] : `book=${book}`, t === null ? [] : `t=${t}`].flat()
  return fields.length === 0 ? `/sessions/${day}` : `/sessions/${day}?${fields.join('&')}`
}

function notesOf({ told, view, isOpen }: SessionContent): Html {
  const { day, simulated, tape, note, minutes } = told
  const half = halfDayClose(day)
  const gaps = tape?.gaps ?? []
  const { flip, reason } = told.books[view.book]
  const hasNoFlip = minutes.length > 0 && flip.every(value => value === null)
  const why = reason.find(one => one !== null)
  return html`${tapeNote(tape ?? {}, note)}
${simulated && html`<p class="quiet small">Simulated: no real trade is in this session.</p>`}
${half !== null && html`<p class="note">A half day: the session closes at ${half}.</p>`}
${
  isOpen &&
  html`<p class="note">The session of today, as it is known by
${minutes.at(-1) ?? 'now'}. Load the page again for more.</p>`
}
${
  gaps.length > 0 &&
  html`<p class="note">Nothing was printed ${gaps
    .map(({ from, to }) => (from === to ? `at ${from}` : `from ${from} to ${to}`))
    .join(', ')}.</p>`
}
${
  hasNoFlip &&
  html`<p class="note">This book has no ${term('flip')} all day${why && `: ${wordsOf(why)}`}.</p>`
}`
}

/** The minute that is shown, in words, and the form that chooses it. */
function minuteForm({ told, view, at }: SessionContent): Html {
  const { day, minutes } = told
  const levels = told.books[view.book]
  return html`<form class="minute" method="get" action="/sessions/${day}">
${view.book !== 'measured' && html`<input type="hidden" name="book" value="${view.book}">`}
<div class="fields" id="scrubber"><label class="field"><span>Minute, New York</span>
<input type="time" name="t" value="${minutes[at]!}" min="${minutes[0]!}" max="${minutes.at(-1)!}"
required></label><button>Show</button></div><div class="scrubber"></div></form>
<dl class="now" id="now">
${NOW.map(
  ({ name, head }) => html`<div><dt>${head()}</dt>
<dd data-name="${name}">${cellOf(name, minutes, levels, at)}</dd></div>`,
)}
</dl>
<p class="hidden" id="said" aria-live="polite"></p>`
}

const LEGEND = [
  ['spot', 'index'],
  ['flip', 'flip'],
  ['band', 'its error bar'],
  ['wall-call', 'call wall'],
  ['wall-put', 'put wall'],
] as const

const legend = (names: readonly string[]): Html => html`<ul class="legend">
${LEGEND.filter(([name]) => names.includes(name)).map(
  ([name, text]) =>
    html`<li><svg width="22" height="10" aria-hidden="true">${
      name === 'band'
        ? html`<rect class="band" width="22" height="10"/>`
        : html`<path class="line ${name}" d="M0 5H22"/>`
    }</svg> ${text}</li>`,
)}<li><svg width="22" height="10" aria-hidden="true"><rect width="22" height="10"
fill="url(#hatch)"/></svg> negative gamma</li></ul>`

function levelsPanel({ told, view, at }: SessionContent): Html {
  const { minutes } = told
  const levels = told.books[view.book]
  const rows = minutes.map((_, place) =>
    NOW.map(({ name }) => cellOf(name, minutes, levels, place)),
  )
  return html`<section class="panel all" aria-labelledby="levels-title">
<h2 id="levels-title">Index, flip and walls by minute</h2>
${legend(['spot', 'flip', 'band', 'wall-call', 'wall-put'])}
<figure id="levels-figure">${levelsPicture(minutes, levels, at)}</figure>
<details><summary>Each minute as a table</summary>
<div id="minutes">${tableOf({
    caption: `Levels by minute, index points; net gamma in $M a point`,
    columns: NOW.map(({ name }) => ({
      head: HEADS[name],
      isNumber: !['minute', 'regime'].includes(name),
    })),
    rows,
  })}</div></details></section>`
}

/** Rows of the table of a heat map: as many minutes and points as can be read. */
const HEAT_MINUTES = 30
const HEAT_POINTS = 50

function heatPanel(curves: OfferedCurves, levels: BookLevels, at: number): Html {
  const picture = heatPicture(curves, levels, at)
  const { minutes, from, step, net } = curves
  const grid = heatGrid(curves)
  if (picture === EMPTY || from === null || step === null || !grid) return EMPTY
  const every = Math.max(1, Math.round(HEAT_POINTS / step))
  const places = Array.from({ length: grid.last - grid.first + 1 }, (_, index) => grid.last - index)
  const shown = places.filter(place => (from + place * step) % (every * step) === 0)
  const columns = minutes.flatMap((minute, index) =>
    Number(minute.slice(3)) % HEAT_MINUTES === 0 ? [{ minute, index }] : [],
  )
  return html`<section class="panel" aria-labelledby="heat-title">
<h2 id="heat-title">Net gamma over the day</h2>
${legend(['spot', 'flip'])}
<figure>${picture}</figure>
<details><summary>Each half hour as a table</summary>
${tableOf({
  caption: 'Net gamma of the dealers, $M a point, by index level and minute',
  columns: [{ head: 'index', isNumber: true }].concat(
    columns.map(({ minute }) => ({ head: minute, isNumber: true })),
  ),
  rows: shown.map(place => [
    countText(from + place * step),
    ...columns.map(({ index }) => gammaText(net[index]?.[place])),
  ]),
})}</details></section>`
}

function curvePanel(curves: OfferedCurves, levels: BookLevels, at: number): Html {
  const picture = curvePicture(curves, at, levels.spot[at] ?? null)
  const { minutes, from, step, net } = curves
  if (picture === EMPTY || from === null || step === null) return EMPTY
  const rows = (net[at] ?? []).flatMap((gamma, place): Piece[][] =>
    gamma === null ? [] : [[countText(from + place * step), gammaText(gamma)]],
  )
  return html`<section class="panel" aria-labelledby="curve-title">
<h2 id="curve-title">Net gamma at <span id="curve-minute">${minutes[at] ?? ''}</span></h2>
<p class="small quiet">Left: negative, hatched. Right: positive. The line is the index.</p>
<figure id="curve" data-from="${from}" data-step="${step}">${picture}</figure>
<details><summary>Each point as a table</summary>
<div id="curve-table">${tableOf({
    caption: 'Net gamma of the dealers at this minute',
    columns: [
      { head: 'index', isNumber: true },
      { head: '$M a point', isNumber: true },
    ],
    rows: rows.toReversed(),
  })}</div></details></section>`
}

function ordersPart({ told }: SessionContent, { orders, total, stats }: FoundOrders): Html {
  const { day } = told
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

const reasonsOf = (reasons: readonly string[]): string =>
  reasons.length === 0 ? 'No measure of it is out of bounds.' : `${reasons.join('; ')}.`

const tapePart = ({ day, tape, asof }: OfferedLevels): Html => html`<section class="part"
aria-labelledby="tape-title"><h2 id="tape-title">Tape</h2>
<p>${gradeMark(tape?.grade)} The ${term('tape')} is known up to ${asof ?? '–'} ET.
${reasonsOf(tape?.reasons ?? [])}
<a href="/sessions/${day}/tape">The whole report</a></p></section>`

const downloadsPart = (day: string, { book }: SessionView): Html => html`<section class="part"
aria-labelledby="downloads-title"><h2 id="downloads-title">Downloads</h2>
<ul><li><a href="/sessions/${day}/orders.csv">All orders as CSV</a></li>
<li><a href="/api/session/${day}">Levels and the 500 largest orders as JSON</a></li>
<li><a href="/api/session/${day}/gamma?book=${book}">Net gamma at each minute as JSON</a></li>
<li><a href="/docs">Parquet files</a> come with the plan DATASET</li></ul></section>`

const readingPart = (): Html => html`<section class="part" aria-labelledby="reading-title">
<h2 id="reading-title">How to read this</h2>
<p>Everything here is an estimate from public trade reports: nobody tells who bought. The
${term('dealer book')} adds up what customers are estimated to have done. While their net
gamma is positive they damp moves, while it is negative they add to them. The shaded band is the
flip's error bar: the wider, the less is known. <a href="/methodology">How it is made</a>, and
<a href="/accuracy">how often it is right</a>.</p></section>`
