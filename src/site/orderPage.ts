import { CONVENTION, describeReason } from '../data/published/reasons.ts'
import type { DetailedOrder, OrderLeg, OrderRevision, PayoffLine } from '../orders/ask.ts'
import {
  countText,
  gammaText,
  numberText,
  pointsText,
  shareText,
  spellOut,
} from '../platform/html/figures.ts'
import { term } from '../platform/html/glossary.ts'
import { renderPage } from '../platform/html/layout.ts'
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
import { belowSession, gammaMark, ledgerNote, simulatedMark } from './sessionParts.ts'
import { orderFacts } from './shareFacts.ts'

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
function payoffPart({ payoff = [], order, legs }: DetailedOrder): Html {
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

/** Maximum number of prints on the page of an order; files have them all. */
const PRINTS_MAX = 500

/** One order: its summary, legs, evidence print by print, and earlier versions. */
export function orderPage(
  day: string,
  detailed: DetailedOrder,
  { isOpen, publicUrl }: { readonly isOpen: boolean; readonly publicUrl: string | null },
): string {
  const { order, simulated } = detailed
  const path = `/sessions/${day}/orders/${order.oid}`
  const description = `${simulated ? 'SIMULATED. ' : ''}${orderFacts(day, order)}`
  const share = { description, publicUrl, path, picture: `${path}/picture.png` }
  const name = `${spellOut(order.kind)} ${order.legs}`
  return renderPage({
    title: `${name} at ${order.t}`,
    path: '/sessions',
    ...(isOpen ? {} : { share }),
    main: html`<div class="wide">
${belowSession(day, html`<a href="/sessions/${day}/orders">orders</a>`)}
<h1>${name}</h1>
${ledgerNote(detailed.note)}
<p>${simulatedMark(simulated)} First print at
<a href="/sessions/${day}?t=${order.t}">${order.t}</a>,
<code>${order.oid}</code></p>
${renderFacts(detailed)}
${legsPart(detailed)}
${payoffPart(detailed)}
${
  isOpen && detailed.prints.length === 0
    ? html`<p class="note">Its prints are shown when the session is finished.</p>`
    : printsPart(detailed)
}${revisionsPart(detailed)}</div>`,
  })
}

function renderFacts(detailed: DetailedOrder): Html {
  const { order } = detailed
  const { p, sign_null, confidence, rule, fold, flags, exp, size, contracts, net } = order
  const facts: (readonly [Piece, Piece])[] = [
    ['effect on dealer gamma', html`${gammaMark(order)} $M a point`],
    ['probability that it was bought', shareText(p)],
    ...(sign_null ? [['side not told', spellOut(sign_null)] as const] : []),
    ['size', `${countText(size)} times, ${countText(contracts)} contracts`],
    ['net premium', net === null ? 'not known' : `$${numberText(net, 3)} M`],
    ['main expiry', exp ?? '–'],
    [html`from the ${term('flip')}`, flipText(detailed)],
    ['sure that it is one order', shareText(confidence)],
    [
      'put together by',
      html`rule ${rule ?? '–'}, from ${READ[fold] ?? fold}
(<a href="/methodology">how</a>)`,
    ],
    ...(flags.length > 0 ? [['remarks', flags.map(spellOut).join(', ')] as const] : []),
  ]
  return html`<dl class="facts">
${facts.map(([head, value]) => html`<dt>${head}</dt><dd>${value}</dd>\n`)}</dl>`
}

/** Evidence used by the fold. */
const READ: Readonly<Record<string, string>> = {
  conditions: 'trade conditions',
  prints: 'prices, sizes and times',
}

/** Distance to the flip; where there is none, the reason, and the convention under its own name. */
function flipText({ order, flipReason, conventionFlip = null }: DetailedOrder): string {
  const { flip, side, flip_convention, side_convention } = order
  const distance = (points: number, way: string | null | undefined) =>
    `${pointsText(points)} points ${way ?? ''}`.trim()
  if (flip !== null) return distance(flip, side)
  const none = flipReason ? `none: ${describeReason(flipReason)}` : 'there was none'
  if (typeof flip_convention !== 'number') return none
  const level = conventionFlip === null ? '' : ` ${pointsText(conventionFlip)}`
  return `${none}; ${distance(flip_convention, side_convention)} the convention flip${level} (${CONVENTION})`
}

const SIGNS: Readonly<Record<string, string>> = { '1': 'bought', '-1': 'sold', '0': 'not known' }

const legsPart = ({ legs, hasPrices }: DetailedOrder): Html => html`<section class="part"
aria-labelledby="legs-title"><h2 id="legs-title">Legs</h2>
${renderTable({
  caption: 'Legs of the order',
  columns: [
    'leg',
    'contract',
    'customer',
    { head: 'p(buy)', isNumber: true },
    { head: 'contracts', isNumber: true },
    ...(hasPrices ? [{ head: 'average price', isNumber: true }] : []),
    { head: 'volatility', isNumber: true },
    { head: 'gamma of one', isNumber: true },
  ],
  rows: legs.map((leg): Piece[] => [
    leg.leg_number,
    html`<span class="one-line">${formatContract(leg)}</span>`,
    SIGNS[leg.customer_sign],
    shareText(leg.side_probability),
    `${countText(leg.contracts)} (${countText(leg.ratio)} each)`,
    ...(hasPrices ? [pointsText(leg.average_price)] : []),
    leg.implied_vol === null ? '–' : `${numberText(100 * leg.implied_vol, 1)} %`,
    leg.gamma === null ? '–' : leg.gamma.toPrecision(3),
  ]),
})}</section>`

const NO_PRICES = 'Prices of prints belong to the vendor of the tape and are not shown.'

function printsPart({ prints, hasPrices }: DetailedOrder): Html {
  const shown = prints.slice(0, PRINTS_MAX)
  return html`<section class="part" aria-labelledby="prints-title">
<h2 id="prints-title">Evidence: ${countText(prints.length)}
${prints.length === 1 ? 'print' : 'prints'}</h2>
${hasPrices ? EMPTY : html`<p>${NO_PRICES}</p>`}
${prints.length > PRINTS_MAX && html`<p>The first ${PRINTS_MAX}.</p>`}
${renderTable({
  caption: 'Prints of the order, times of New York',
  columns: [
    { head: 'time' },
    { head: 'sequence', isNumber: true },
    { head: 'leg', isNumber: true },
    { head: 'size', isNumber: true },
    { head: 'exchange' },
    { head: 'condition' },
    ...(hasPrices ? ['price', 'bid', 'ask'].map(head => ({ head, isNumber: true })) : []),
  ],
  rows: shown.map((print): Piece[] => [
    html`<span class="mono">${print.printed_et}</span>`,
    String(print.sequence),
    print.leg_number,
    countText(print.size),
    print.exchange ?? '–',
    print.condition ?? '–',
    ...(hasPrices ? [print.price, print.best_bid, print.best_ask].map(pointsText) : []),
  ]),
})}</section>`
}

const BY: Readonly<Record<string, string>> = { cancel: 'A cancel', late_print: 'A late print' }

/** Fields of a version that are compared. */
type Version = Pick<OrderRevision, 'structure' | 'gamma' | 'legs'>

/** Each superseded version, next to its successor. */
function revisionsPart({ order, revisions, legs }: DetailedOrder): Html {
  const now: Version = { structure: order.kind, gamma: order.g, legs }
  const before =
    revisions.length === 0
      ? html`<p>It was never known otherwise.</p>`
      : revisions.map((one, index) => renderRevision(one, revisions[index + 1] ?? now))
  return html`<section class="part" aria-labelledby="revisions-title">
<h2 id="revisions-title">Revisions</h2>
${before}</section>`
}

const renderRevision = (one: OrderRevision, after: Version): Html => html`
<h3>Known otherwise from <span class="mono">${one.visible_et}</span> to
<span class="mono">${one.superseded_et}</span></h3>
<p>As ${spellOut(one.structure)} ${one.legs_text}, ${countText(one.contracts)} contracts.
${BY[one.superseded_by] ?? spellOut(one.superseded_by)} changed that:</p>
${renderTable({
  caption: `Revision ${one.revision_number}, and what came after it`,
  columns: ['what', 'then', 'after'],
  rows: listChanges(one, after),
})}`

/** Compares two versions line by line, with the differences marked. */
function listChanges(before: Version, after: Version): Piece[][] {
  const both = [before, after]
  const names = [...new Set(both.flatMap(({ legs }) => legs.map(formatContract)))]
  const lines: (readonly [Piece, readonly string[]])[] = [
    ['kind', both.map(({ structure }) => spellOut(structure))],
    ['effect, $M a point', both.map(({ gamma }) => gammaText(gamma))],
    ...names.map(name => {
      const head = html`<span class="one-line">${name}</span>`
      return [head, both.map(({ legs }) => legText(legs, name))] as const
    }),
  ]
  return lines.map(([head, [then, now]]) => [
    head,
    then,
    then === now ? now : html`<strong>${now}</strong>`,
  ])
}

function legText(legs: readonly OrderLeg[], name: string): string {
  const leg = legs.find(one => formatContract(one) === name)
  return leg ? `${countText(leg.contracts)}, ${SIGNS[leg.customer_sign]}` : '–'
}

const formatContract = ({ root, expiry, strike, option_type }: OrderLeg): string =>
  `${root} ${expiry} ${countText(strike)} ${option_type}`
