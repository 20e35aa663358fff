import type { BookLevels, SessionCurves, SessionLadders, SessionLevels } from '../archive/ask.ts'
import { grouped } from '../core/text/counts.ts'
import type { Book } from '../data/published/books.ts'
import type { SessionRelease } from '../geo/ask.ts'
import type { FlowResponse } from '../levels/ask.ts'
import { countText, roughText, spellOut } from '../platform/html/figures.ts'
import { levelsPicture } from '../platform/html/levelsPicture.ts'
import { levelLines, minutesPicture } from '../platform/html/minutesPicture.ts'
import { bandPath, computeRange, createScale, linePath } from '../platform/html/scale.ts'
import { renderTable } from '../platform/html/table.ts'
import { EMPTY, type Html, html, type Piece } from '../platform/html/template.ts'
import { curvePicture, heatGrid, heatPicture } from './gammaPictures.ts'
import { ladderPicture } from './ladderPicture.ts'
import { formatCell, HEADS, NOW } from './minuteFacts.ts'

/** Minutes from one row of the table to the next: as many as a reader can take in. */
const TABLE_MINUTES = 30

/**
 * The delta that customers bought in the day so far, under the index, on its minutes; empty when
 * older code published none.
 */
function flowPanel(minutes: readonly string[], flow: FlowResponse | null): Html {
  if (flow === null || flow.minutes.length < 2) return EMPTY
  const positions = new Map(flow.minutes.map((minute, at) => [minute, at]))
  const onMinutes = (values: readonly (number | null)[]) =>
    minutes.map(minute => values[positions.get(minute) ?? -1] ?? null)
  const [low, middle, high] = [flow.delta_lo, flow.delta, flow.delta_hi].map(onMinutes)
  const range = computeRange([low!, high!, [0]])
  if (range === null || middle!.every(value => value === null)) return EMPTY
  const scale = createScale(minutes, range.low, range.high)
  return html`<section class="panel all" aria-labelledby="flow-title">
<h2 id="flow-title">What customers bought: delta, $M of index</h2>
<p class="small quiet">Bought less sold, of the day so far, by whole order at its expected side. The
band holds the true flow in nine of ten minutes. <a href="/levels#flow">What it is</a></p>
<figure>${minutesPicture({
    id: 'flow-picture',
    says: describeFlow(flow),
    scale,
    behind: levelLines(scale),
    shapes: html`<path class="band" d="${bandPath(low!, high!, scale)}"/>
<path class="line flow" d="${linePath(middle!, scale)}"/>`,
  })}</figure>
<details><summary>Each half hour as a table</summary>
${renderTable({
  caption: 'Delta ($M of index) and gamma ($M a point) that customers bought, with 90 % intervals',
  columns: [
    { head: 'minute', isNumber: false },
    ...['delta', 'from', 'to', 'gamma', 'from', 'to', 'orders'].map(head => ({
      head,
      isNumber: true,
    })),
  ],
  rows: flow.minutes.flatMap((minute, at): Piece[][] =>
    Number(minute.slice(3)) % TABLE_MINUTES === 0 ? [tableRow(flow, minute, at)] : [],
  ),
})}</details></section>`
}

function tableRow(flow: FlowResponse, minute: string, at: number): Piece[] {
  const { delta_reason, gamma_reason } = flow
  const cells = (
    names:
      | readonly ('delta' | 'delta_lo' | 'delta_hi')[]
      | readonly ('gamma' | 'gamma_lo' | 'gamma_hi')[],
    reason: string | null,
  ) =>
    reason === null ? names.map(name => roughText(flow[name][at])) : [spellOut(reason), '–', '–']
  return [
    minute,
    ...cells(['delta', 'delta_lo', 'delta_hi'], delta_reason[at] ?? null),
    ...cells(['gamma', 'gamma_lo', 'gamma_hi'], gamma_reason[at] ?? null),
    countText(flow.orders[at] ?? 0),
  ]
}

function describeFlow({ minutes, delta, delta_lo, delta_hi }: FlowResponse): string {
  const at = delta.findLastIndex(value => value !== null)
  return (
    `From ${minutes[0]} to ${minutes.at(-1)}: by ${minutes[at]} customers had bought delta of ` +
    `${roughText(delta[at])} $M of index, between ${roughText(delta_lo[at])} and ` +
    `${roughText(delta_hi[at])}.`
  )
}

/** Releases during a session: marks in its chart, and a list below. */

type Releases = readonly SessionRelease[] | null

/** Indexes of the minutes with a release, each once. */
const findReleaseIndexes = (minutes: readonly string[], releases: Releases): number[] => {
  const indexes = (releases ?? []).map(({ minute }) => minutes.indexOf(minute ?? ''))
  return [...new Set(indexes)].filter(index => index >= 0)
}

/** List of releases with their times; marks those outside of the chart. */
function releaseList(minutes: readonly string[], releases: Releases): Html {
  if (releases === null) return html`<p class="quiet small">Releases cannot be read now.</p>`
  if (releases.length === 0) return EMPTY
  return html`<section class="releases" aria-label="Releases"><p class="small">Dotted: statistics
that came out, New York time${
    releases.some(one => one.simulated) &&
    html`
<span class="mark-simulated">SIMULATED</span>`
  }</p>
<ul class="small">${releases.map(
    ({ label, country, time, known_at, minute, url }) =>
      html`<li><time datetime="${known_at}">${time}</time> ${country} ${
        url === null ? label : html`<a href="${url}" rel="noreferrer">${label}</a>`
      }${(minute === null || !minutes.includes(minute)) && ', not in the chart'}</li>`,
  )}</ul></section>`
}

/** The pictures of a session, each with its table. */

type PanelsContent = {
  readonly view: { readonly book: Book }
  readonly sessionLevels: SessionLevels
  readonly curves: SessionCurves
  readonly ladders: SessionLadders
  readonly releases: readonly SessionRelease[] | null
  /** Index of the shown minute. */
  readonly at: number
  /** Null when it cannot be read. */
  readonly flow: FlowResponse | null
}

/** The levels by minute; below, on one scale of index points, the day, its strikes, its curve. */
export function renderPanels(content: PanelsContent): Html {
  const { sessionLevels, view, curves, at } = content
  const levels = sessionLevels.books[view.book]
  return html`<div class="panels">
${levelsPanel(content)}
${flowPanel(sessionLevels.minutes, content.flow)}
${heatPanel(curves, levels, at)}
${ladderPanel(content, levels)}
${curvePanel(curves, levels, at)}
</div>`
}

const LEGEND = [
  ['spot', 'index'],
  ['flip', 'flip'],
  ['band', 'its error bar'],
  ['wall-call', 'call wall'],
  ['wall-put', 'put wall'],
] as const

/** Lines of the levels; the convention has no band. */
const LEVEL_LINES = ['spot', 'flip', 'wall-call', 'wall-put']

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

function levelsPanel({ sessionLevels, view, releases, at }: PanelsContent): Html {
  const { minutes } = sessionLevels
  const marks = findReleaseIndexes(minutes, releases)
  const levels = sessionLevels.books[view.book]
  const picture = levelsPicture(minutes, levels, [at], marks)
  const marked = marks.length > 0 && html` data-releases="${marks.join(' ')}"`
  const rows = minutes.map((_, position) =>
    NOW.map(({ name }) => formatCell(name, minutes, levels, position)),
  )
  return html`<section class="panel all" aria-labelledby="levels-title">
<h2 id="levels-title">Index, flip and walls by minute</h2>
${legend(view.book === 'oi' ? LEVEL_LINES : [...LEVEL_LINES, 'band'])}
<figure id="levels-figure"${marked}>${picture}</figure>
${releaseList(minutes, releases)}
<details><summary>Each minute as a table</summary>
<div id="minutes">${renderTable({
    caption: `Levels by minute, index points; net gamma in $M a point`,
    columns: NOW.map(({ name }) => ({
      head: HEADS[name],
      isNumber: !['minute', 'regime'].includes(name),
    })),
    rows,
  })}</div></details></section>`
}

/** Rows of a heat map's table: as many minutes and points as a reader can take in. */
const HEAT_MINUTES = 30
const HEAT_POINTS = 50

function heatPanel(curves: SessionCurves, levels: BookLevels, at: number): Html {
  const picture = heatPicture(curves, levels, at)
  const { minutes, from, step, net } = curves
  const grid = heatGrid(curves)
  if (picture === EMPTY || from === null || step === null || !grid) return EMPTY
  const every = Math.max(1, Math.round(HEAT_POINTS / step))
  const indexes = Array.from(
    { length: grid.last - grid.first + 1 },
    (_, index) => grid.last - index,
  )
  const shown = indexes.filter(position => (from + position * step) % (every * step) === 0)
  const columns = minutes.flatMap((minute, index) =>
    Number(minute.slice(3)) % HEAT_MINUTES === 0 ? [{ minute, index }] : [],
  )
  return html`<section class="panel" aria-labelledby="heat-title">
<h2 id="heat-title">Net gamma over the day</h2>
${legend(['spot', 'flip'])}
<figure>${picture}</figure>
<details><summary>Each half hour as a table</summary>
${renderTable({
  caption: 'Net gamma of the dealers, $M a point, by index level and minute',
  columns: [{ head: 'index', isNumber: true }].concat(
    columns.map(({ minute }) => ({ head: minute, isNumber: true })),
  ),
  rows: shown.map(position => [
    countText(from + position * step),
    ...columns.map(({ index }) => roughText(net[index]?.[position])),
  ]),
})}</details></section>`
}

function ladderPanel({ curves, ladders, at }: PanelsContent, levels: BookLevels): Html {
  const { minutes, strikes, calls, puts, reason } = ladders
  const spot = levels.spot[at] ?? null
  const picture = ladderPicture(ladders, { curves, at, spot })
  const title = html`<h2 id="ladder-title">Gamma by strike at
<span id="ladder-minute">${minutes[at] ?? ''}</span></h2>`
  if (picture === EMPTY || strikes === null) {
    if (reason !== 'not_published') return EMPTY
    return html`<section class="panel" aria-labelledby="ladder-title">${title}
<p class="quiet">Older code kept no strikes of this session.</p></section>`
  }
  const rows = strikes.flatMap((strike, position): Piece[][] => {
    const [call, put] = [calls[at]?.[position] ?? null, puts[at]?.[position] ?? null]
    if (call === null && put === null) return []
    return [[grouped(strike), roughText(call), roughText(put)]]
  })
  return html`<section class="panel" aria-labelledby="ladder-title">${title}
<p class="small quiet">Of the dealers, $M a point. Striped: negative. The line is the index.</p>
<figure>${picture}</figure>
<details><summary>Each strike as a table</summary>
<div id="ladder-table">${renderTable({
    caption: 'Gamma of the dealers by strike at this minute, $M a point',
    columns: ['strike', 'calls', 'puts'].map(head => ({ head, isNumber: true })),
    rows: rows.toReversed(),
  })}</div></details></section>`
}

function curvePanel(curves: SessionCurves, levels: BookLevels, at: number): Html {
  const picture = curvePicture(curves, at, levels.spot[at] ?? null)
  const { minutes, from, step, net } = curves
  if (picture === EMPTY || from === null || step === null) return EMPTY
  const rows = (net[at] ?? []).flatMap((gamma, position): Piece[][] =>
    gamma === null ? [] : [[countText(from + position * step), roughText(gamma)]],
  )
  return html`<section class="panel" aria-labelledby="curve-title">
<h2 id="curve-title">Net gamma at <span id="curve-minute">${minutes[at] ?? ''}</span></h2>
<p class="small quiet">Left: negative, hatched. Right: positive. The line is the index.</p>
<figure id="curve" data-from="${from}" data-step="${step}">${picture}</figure>
<details><summary>Each point as a table</summary>
<div id="curve-table">${renderTable({
    caption: 'Net gamma of the dealers at this minute',
    columns: [
      { head: 'index', isNumber: true },
      { head: '$M a point', isNumber: true },
    ],
    rows: rows.toReversed(),
  })}</div></details></section>`
}
