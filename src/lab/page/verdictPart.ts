import { counted } from '../../core/text/counts.ts'
import { numberText } from '../../platform/html/figures.ts'
import type { Dotted } from '../../platform/html/glossary.ts'
import { tenth } from '../../platform/html/scale.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html } from '../../platform/html/template.ts'
import type { LabLeg } from '../result.ts'
import { axisFrom, createAxis } from './axis.ts'
import { chanceText, type DrawnLeg, percentText, plainText, toWords } from './texts.ts'

type Verdict = NonNullable<LabLeg['verdict']>

/** Verdict of a leg: each gate with its measured value and its requirement. */
export function verdictPart(verdict: Verdict | null, dotted: Dotted): Html {
  if (verdict === null) {
    return html`<p class="note">A rule alone is computed on the design sessions, and nothing of it
is judged: what looks good here may be luck. For a verdict type it as an idea and test it.</p>`
  }
  const { interesting, sentence, gates, clears_cost: clears } = verdict
  const passed = gates.filter(({ ok }) => ok).length
  return html`<p class="note ${interesting ? 'good' : 'bad'}">${sentence}</p>
${
  gates.length > 0 &&
  html`<p>${passed} of ${counted(gates.length, 'gate')} ${
    gates.length === 1 || passed === 1 ? 'is' : 'are'
  } passed; to be interesting, a rule has to pass every ${dotted('gate')}.</p>
<ul class="gates">${gates.map(gateItem)}</ul>`
}${
  clears &&
  html`<p>Without conditions there is no ${dotted('baseline')} to beat. After costs the mean is
${percentText(clears.mean)} of the risk (t ${numberText(clears.t, 2)}, p
${chanceText(clears.p)}).</p>`
}`
}

type Shown = { readonly name: string; readonly text: (value: number | null) => string }

/** Display names of the gates, and formats of their values. */
const GATES: Readonly<Record<string, Shown>> = {
  holdout: { name: 'sessions kept apart', text: plainText },
  conditions: { name: 'conditions', text: plainText },
  days_on: { name: 'days with a trade', text: plainText },
  days_off: { name: 'days left out', text: plainText },
  mean: { name: 'mean profit', text: percentText },
  above_core: { name: 'above the baseline', text: percentText },
  net_rr_t: { name: 'size against its error', text: value => numberText(value, 2) },
  placebo_p: { name: 'placebo', text: chanceText },
  quotes: { name: 'prices from quotes', text: percentText },
  unresolved: { name: 'trades without an end', text: percentText },
}

function gateItem({ gate, value, need, ok, says }: Verdict['gates'][number]): Html {
  const { name, text } = GATES[gate] ?? { name: toWords(gate), text: plainText }
  return html`<li>${
    ok ? html`<span class="green">passed</span>` : html`<span class="red">failed</span>`
  }<div><strong>${name}</strong>: ${text(value)}, needed: ${need}<br>
<span class="quiet">${says}</span></div></li>
`
}

/** Distribution of the profits of single trades. */
export function distributionPart({ histogram }: LabLeg, { leg, suffix }: DrawnLeg): Html {
  const { edges, rule, core } = histogram
  const picture = barPicture({
    says: 'Trades by profit, as shares of all: the rule filled, the baseline hatched.',
    edges,
    lists: [rule, core],
    text: edge => percentText(edge, 0),
  })
  return html`<section class="part" aria-labelledby="spread-${leg}-title">
<h3 id="spread-${leg}-title">Spread of the trades${suffix}</h3>
<p>Profit of single trades after costs, in percent of the risk: the rule filled, the baseline
hatched, each as shares of its own trades.</p>
${picture && html`<figure>${picture}</figure>`}
<details><summary>As a table</summary>${renderTable({
    caption: `Trades by profit${suffix}`,
    columns: ['from', 'to', 'rule', 'baseline'].map(head => ({ head, isNumber: true })),
    rows: rule.map((count, at) => [
      percentText(edges[at]),
      percentText(edges[at + 1]),
      plainText(count),
      plainText(core[at]),
    ]),
  })}</details></section>`
}

const SHARES = ['least', '5 %', '25 %', 'middle', '75 %', '95 %', 'most']

/** Same triggers on other days: how often chance does as well. */
export function placeboPart({ placebo, verdict }: LabLeg, drawnLeg: DrawnLeg): Html | null {
  if (placebo === null) return null
  const { leg, dotted, suffix } = drawnLeg
  const { p, t, arrangements, shuffles, quantiles, histogram } = placebo
  const picture = barPicture({
    says: `t of the triggers on other days; the line is the rule's own, ${numberText(t, 2)}.`,
    edges: histogram.edges,
    lists: [histogram.counts],
    mark: t,
    text: edge => plainText(edge),
  })
  return html`<section class="part" aria-labelledby="placebo-${leg}-title">
<h3 id="placebo-${leg}-title">Placebo${suffix}</h3>
<p>A ${dotted('placebo')} puts the same triggers on other days of the holdout:
${counted(arrangements, 'arrangement')}${
  shuffles > 0 && ` and ${counted(shuffles, 'shuffle')} of 5 sessions at a time`
}. A share of ${chanceText(p)} of them did as well as the rule, whose own t is ${numberText(t, 2)}${
    verdict && `; at most ${chanceText(verdict.bar)} may`
  }.</p>
${
  picture &&
  html`<figure>${picture}<figcaption class="quiet small">t of each; the dashed line is the
rule.</figcaption></figure>`
}
${
  quantiles.length > 0 &&
  html`<details><summary>As a table</summary>${renderTable({
    caption: `t of the triggers on other days${suffix}`,
    columns: ['share of them below', { head: 't', isNumber: true }],
    rows: quantiles.map((value, at) => [SHARES[at] ?? '', numberText(value, 2)]),
  })}</details>`
}</section>`
}

type Bars = {
  /** Accessible description of the picture. */
  readonly says: string
  /** One more than bars. */
  readonly edges: readonly number[]
  /** One list per style: the first is filled, the second is hatched. */
  readonly lists: readonly (readonly number[])[]
  /** Formats an edge. */
  readonly text: (edge: number) => string
  /** A value to mark; null: none. */
  readonly mark?: number | null
}

/** Draws a histogram: each list as shares of its own sum, side by side. */
function barPicture({ says, edges, lists, text, mark = null }: Bars): Html | null {
  const [low, high] = [edges[0], edges.at(-1)]
  if (low === undefined || high === undefined || low === high) return null
  const shares = lists.map(computeShares)
  const y = createAxis(shares.flat())
  const x = axisFrom(Math.min(low, mark ?? low), Math.max(high, mark ?? high))
  const wide = (from: number, to: number) =>
    Math.max(0.2, tenth((x.at(to) - x.at(from)) / lists.length))
  const bars = shares.flatMap((list, look) =>
    list.flatMap((share, index) => {
      const [from, to] = [edges[index]!, edges[index + 1]!]
      if (share === 0) return []
      const left = tenth(x.at(from) + look * wide(from, to))
      const tall = y.at(share)
      const fill = look === 0 ? html`class="bar-own"` : html`class="bar-base" fill="url(#hatch)"`
      return html`<rect ${fill} x="${left}%"
y="${y.fromTop(share)}%" width="${wide(from, to)}%" height="${tall}%"/>
`
    }),
  )
  return html`<svg class="picture" role="img" width="100%" height="200" aria-label="${says}">
<svg width="100%" height="89%">${bars}</svg>
${
  mark !== null &&
  html`<line class="mark" x1="${x.at(mark)}%" x2="${x.at(mark)}%" y1="0" y2="89%"/>`
}
<g class="labels">${x.ticks
    .filter(tick => x.at(tick) > 3 && x.at(tick) < 95)
    .map(
      tick => html`<text class="middle" x="${x.at(tick)}%" y="100%" dy="-4">${text(tick)}</text>`,
    )}</g></svg>`
}

function computeShares(counts: readonly number[]): number[] {
  const sum = counts.reduce((all, count) => all + count, 0)
  return counts.map(count => (sum === 0 ? 0 : count / sum))
}
