import { counted } from '../../core/text/counts.ts'
import { numberText } from '../../platform/html/figures.ts'
import type { Dotted } from '../../platform/html/glossary.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html } from '../../platform/html/template.ts'
import type { LabLeg } from '../result.ts'
import { barPicture } from './barPicture.ts'
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
