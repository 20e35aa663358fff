import { counted } from '../../core/text/counts.ts'
import { countText, numberText } from '../../platform/html/figures.ts'
import type { Dotted } from '../../platform/html/glossary.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html } from '../../platform/html/template.ts'
import type { LabResult } from '../result.ts'
import { computeStrength, headOfAxis, heatMap } from './heatMap.ts'
import { chanceText, percentText, plainText, usdText } from './texts.ts'

type Optimize = NonNullable<LabResult['optimize']>
type VariantRow = Optimize['variants'][number]

/** Results of the rule with other numbers: all of them, and none is picked. */
export function optimizePart(optimize: Optimize, variantsPath: string, dotted: Dotted): Html {
  const { variants_tried: tried, is_full_grid: isFull, planes, says } = optimize
  const strength = computeStrength(planes)
  return html`<section class="part" id="variants" aria-labelledby="variants-title">
<h2 id="variants-title">Variants</h2>
<p>${counted(tried, 'variant')} of the rule were tried on the design sessions alone${
    isFull ? ', every combination of the values below' : ': one or two numbers changed at a time'
  }. None is picked: a ${dotted('variant')} that stands alone above its neighbours is luck.</p>
${says.length > 0 && html`<ul>${says.map(sentence => html`<li>${sentence}</li>\n`)}</ul>`}
${chancesTable(optimize)}
${axesTable(optimize)}
<p><a href="${variantsPath}">All ${counted(tried, 'variant')}</a></p>
${
  planes.length > 0 &&
  html`<h3>Heat maps</h3><p>Mean profit after costs in percent of the risk, design sessions; hatched
where it is a loss. The framed cell is the rule as it stands.</p>
<div class="heats">${planes.map(plane => heatMap(optimize, plane, strength))}</div>`
}</section>`
}

function chancesTable({
  deflated_sharpe: sharpe,
  pbo,
  reality_check_p: reality,
  luck_t: luck,
  reasons,
}: Optimize): Html {
  const lines = [
    { head: 'deflated Sharpe', name: 'deflated_sharpe', value: chanceText(sharpe) },
    { head: 'chance of overfitting (PBO)', name: 'pbo', value: chanceText(pbo) },
    { head: 'reality check, p', name: 'reality_check_p', value: chanceText(reality) },
    { head: 'best t expected from luck', name: 'luck_t', value: numberText(luck, 2) },
  ]
  return renderTable({
    caption: 'How far luck goes',
    isCaptionHidden: false,
    columns: ['figure', { head: 'value', isNumber: true }],
    rows: lines.map(({ head, name, value }) => {
      const why = reasons[name]
      return [head, why ? html`${value}<br><span class="quiet small">${why}</span>` : value]
    }),
  })
}

const axesTable = ({ axes }: Optimize): Html =>
  renderTable({
    caption: 'The numbers that were changed',
    isCaptionHidden: false,
    columns: ['number', 'values', 'of the rule'],
    rows: axes.map(axis => [
      headOfAxis(axis),
      html`<span class="long">${axis.values.map(plainText).join(', ')}</span>`,
      plainText(axis.values[axis.own]),
    ]),
  })

/** A page of the variants, in the order of their parameters. */
export function variantsTable({ axes }: Optimize, rows: readonly VariantRow[]): Html {
  const number = (head: string) => ({ head, isNumber: true })
  return renderTable({
    caption: 'Variants, in the order of their parameters',
    columns: [
      ...axes.map(axis => number(headOfAxis(axis))),
      ...['trades', 'sessions', 'mean', 'median', 'won', 't', 'drawdown', 'over baseline'].map(
        number,
      ),
      number('mean of neighbours'),
      number('neighbours above 0'),
    ],
    rows: rows.map(row => [
      ...row.params.map((value, index) =>
        index === 0 && row.is_own
          ? html`<strong>the rule:</strong> ${plainText(value)}`
          : plainText(value),
      ),
      countText(row.n),
      countText(row.days),
      percentText(row.mean),
      percentText(row.median),
      percentText(row.win, 0),
      numberText(row.t, 2),
      usdText(row.drawdown_usd),
      percentText(row.net_rr),
      percentText(row.neighbours.mean),
      row.neighbours.n === 0
        ? '–'
        : `${percentText(row.neighbours.share_above_0, 0)} of ${countText(row.neighbours.n)}`,
    ]),
  })
}
