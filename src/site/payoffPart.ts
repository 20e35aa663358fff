import type { DetailedOrder, PayoffLine } from '../orders/ask.ts'
import { countText, numberText } from '../platform/html/figures.ts'
import { pointLabels } from '../platform/html/minutesPicture.ts'
import {
  computeRange,
  computeTicks,
  createScale,
  linePath,
  percent,
  SIDE,
  tenth,
} from '../platform/html/scale.ts'
import { renderTable } from '../platform/html/table.ts'
import { EMPTY, type Html, html, type Piece } from '../platform/html/template.ts'

/** Rows of the table: each so many points of the picture. */
const TABLE_STEP = 6
const NAMES = [
  'at its minute',
  'half the way to its first expiration',
  'at that expiration',
] as const
const CLASSES = ['spot', 'wall-call', 'flip'] as const

/**
 * Picture of the value of an order over the index at three times, with its table; a sentence where
 * it cannot be priced, empty where older code or a running session has no forwards.
 */
export function payoffPart({ payoff = [], order, legs }: DetailedOrder): Html {
  if (payoff.length === 0) return EMPTY
  const title = html`<h2 id="value-title">Value over the index</h2>`
  const points = payoff[0]!.points
  const range = computeRange(payoff.map(({ values_musd }) => inThousands(values_musd)))
  if (range === null || points.length < 2) {
    return html`<section class="part" aria-labelledby="value-title">${title}
<p class="quiet">A leg has no volatility at this minute, or its pattern is not known: the value cannot be
drawn.</p></section>`
  }
  const holder = legs.every(leg => leg.customer_sign === 0)
    ? 'As one who bought it would hold it: its side is not known.'
    : 'As its customer holds it.'
  return html`<section class="part" aria-labelledby="value-title">${title}
<p>${holder} Each strike keeps the volatility of ${order.t}; thousands of dollars.</p>
<ul class="legend">${NAMES.map(
    (name, at) => html`<li><svg width="22" height="10" aria-hidden="true"><path
class="line ${CLASSES[at]!}" d="M0 5H22"/></svg> ${name}</li>`,
  )}</ul>
<figure>${drawLines(payoff, range)}</figure>
<details><summary>As a table</summary>
${renderTable({
  caption: 'Value of the order by level of the index, thousands of dollars',
  columns: [{ head: 'index', isNumber: true }, ...NAMES.map(head => ({ head, isNumber: true }))],
  rows: points.flatMap((point, at): Piece[][] =>
    at % TABLE_STEP === 0
      ? [
          [
            numberText(point, 0),
            ...payoff.map(line => numberText(inThousands(line.values_musd)[at] ?? null, 0)),
          ],
        ]
      : [],
  ),
})}</details></section>`
}

const inThousands = (values: readonly (number | null)[]): (number | null)[] =>
  values.map(value => (value === null ? null : 1000 * value))

type Range = NonNullable<ReturnType<typeof computeRange>>

function drawLines(payoff: readonly PayoffLine[], range: Range): Html {
  const { points, spot } = payoff[0]!
  const [first, last] = [points[0]!, points.at(-1)!]
  const along = (level: number) => tenth((SIDE * (level - first)) / (last - first))
  const scale = {
    ...createScale(points.map(String), range.low, range.high),
    x: (index: number) => along(points[index]!),
  }
  const x = (level: number) => percent(along(level))
  const ends = `${countText(Math.round(first))} to ${countText(Math.round(last))}`
  const zero = percent(scale.y(0))
  return html`<svg class="picture axes" id="payoff-picture" role="img" width="100%" height="320"
aria-label="Value of the order while the index is from ${ends}; the table below has each level.">
${range.low < 0 && range.high > 0 && html`<line class="grid" x1="0" x2="100%" y1="${zero}" y2="${zero}"/>`}
${spot !== null && html`<line class="mark" x1="${x(spot)}" x2="${x(spot)}" y1="0" y2="100%"/>`}
<svg width="100%" height="100%" viewBox="0 0 ${SIDE} ${SIDE}" preserveAspectRatio="none">
${payoff.map(
  (line, at) => html`<path class="line ${CLASSES[at]!}"
d="${linePath(inThousands(line.values_musd), scale)}"/>
`,
)}</svg>
<g class="labels">${pointLabels(scale)}
${computeTicks(first, last).map(
  level => html`<text class="hour" x="${x(level)}" y="100%" dy="16">${countText(level)}</text>`,
)}</g></svg>`
}
