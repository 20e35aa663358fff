import { countText } from '../../platform/html/figures.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html } from '../../platform/html/template.ts'
import type { LabLeg, LabResult } from '../result.ts'
import { axisFrom, createAxis, type PictureAxis } from './axis.ts'
import { type DrawnLeg, usdText } from './texts.ts'

type Series = LabLeg['series']

/**
 * Profit of a leg by session, and its drawdown, with the sealed sessions shaded. The script draws
 * the same from the table.
 */
export function equityPart(
  { series }: LabLeg,
  holdout: LabResult['holdout'],
  { leg, dotted, suffix }: DrawnLeg,
): Html {
  const { day } = series
  const isHeldOut = (date: string) => holdout !== null && date >= holdout.from && date <= holdout.to
  const from = day.findIndex(isHeldOut)
  const sealed = from < 0 ? day.length : from
  const id = `equity-${leg}`
  return html`<section class="part" aria-labelledby="${id}-title">
<h3 id="${id}-title">Profit by session${suffix}</h3>
<p>What the rule made by session after costs, in dollars, and its ${dotted('drawdown')} below.${
    sealed < day.length && html` Shaded: the ${dotted('holdout')}, from ${day[sealed]!} on.`
  }${
    holdout !== null &&
    from < 0 &&
    html` Left out: the ${dotted('holdout')}, ${holdout.from} to ${holdout.to}.`
  }</p>
<figure class="equity" id="${id}"${sealed < day.length && html` data-sealed="${sealed}"`}>
${day.length > 1 && pictures(series, sealed)}
<figcaption><ul class="legend">
<li><svg width="26" height="8" aria-hidden="true"><path class="line spot" d="M0 4H26"/></svg> the
rule</li>
<li><svg width="26" height="8" aria-hidden="true"><path class="line flip" d="M0 4H26"/></svg> one
mean trade of the ${dotted('baseline')} a session</li></ul>
<p class="readout small quiet"></p></figcaption></figure>
<details><summary>Every session as a table</summary>
${seriesTable(series, suffix)}</details></section>`
}

/** Cumulative sums. */
const summed = (values: readonly number[]): number[] => {
  let sum = 0
  return values.map(value => {
    sum += value
    return sum
  })
}

function pictures(series: Series, sealed: number): Html {
  const { day, total_usd: total, drawdown_usd: drawdown, core_usd: core } = series
  const base = summed(core)
  const x = axisFrom(0, Math.max(1, day.length - 1))
  const [money, fall] = [createAxis([...total, ...base]), createAxis(drawdown.map(value => -value))]
  const [last, deepest] = [total.at(-1) ?? 0, Math.max(0, ...drawdown)]
  const description = `From ${day[0]} to ${day.at(-1)}: ${usdText(last)} in all, at worst ${usdText(
    deepest,
  )} below its best.`
  return html`<svg class="picture axes amounts money" role="img" width="100%" height="260" aria-label="${description}">
${shade(sealed, day.length, x)}${grid(money)}
<svg width="100%" height="100%" viewBox="0 0 100 100" preserveAspectRatio="none">
<path class="line flip" d="${linePath(base, x, money)}"/>
<path class="line spot" d="${linePath(total, x, money)}"/></svg>${scaleTexts(money)}${yearTexts(
    day,
    x,
  )}</svg>
<svg class="picture axes amounts fall" role="img" width="100%" height="120" aria-label="The drawdown, at worst
${usdText(deepest)}.">
${shade(sealed, day.length, x)}${grid(fall)}
<svg width="100%" height="100%" viewBox="0 0 100 100" preserveAspectRatio="none">
<path class="fallen" d="${areaPath(
    drawdown.map(value => -value),
    x,
    fall,
  )}"/></svg>${scaleTexts(fall)}</svg>`
}

const linePath = (values: readonly number[], x: PictureAxis, y: PictureAxis): string =>
  values.map((value, at) => `${at === 0 ? 'M' : 'L'}${x.at(at)} ${y.fromTop(value)}`).join('')

const areaPath = (values: readonly number[], x: PictureAxis, y: PictureAxis): string =>
  `${linePath(values, x, y)}L${x.at(values.length - 1)} ${y.fromTop(0)}L0 ${y.fromTop(0)}Z`

const shade = (sealed: number, count: number, x: PictureAxis): Html | null =>
  sealed >= count
    ? null
    : html`<rect class="sealed" x="${x.at(Math.max(0, sealed - 0.5))}%" y="0" height="100%"
width="${x.fromTop(Math.max(0, sealed - 0.5))}%"/>
`

const grid = (y: PictureAxis): Html[] =>
  y.ticks.map(
    tick => html`<line class="grid" x1="0" x2="100%" y1="${y.fromTop(tick)}%"
y2="${y.fromTop(tick)}%"/>
`,
  )

const scaleTexts = (y: PictureAxis): Html =>
  html`<g class="labels">${y.ticks.map(
    tick =>
      html`<text class="end" x="0" dx="-6" y="${y.fromTop(tick)}%" dy="4">${usdText(tick)}</text>`,
  )}</g>`

/** First session of each month, or of every nth month, for about six labels. */
function yearTexts(day: readonly string[], x: PictureAxis): Html {
  const months = day.flatMap((date, at) =>
    at > 0 && date.slice(0, 7) !== day[at - 1]!.slice(0, 7) ? [{ text: date.slice(0, 7), at }] : [],
  )
  const every = Math.ceil(months.length / 6)
  const texts = months.filter((_, index) => index % every === 0)
  return html`<g class="labels">${texts
    .filter(({ at }) => x.at(at) < 93)
    .map(
      ({ text, at }, index) =>
        html`<text class="hour${index % 2 === 1 && ' odd'}" x="${x.at(at)}%" y="100%"
dy="16">${text}</text>`,
    )}</g>`
}

const NUMBER = { isNumber: true }

const seriesTable = (series: Series, suffix: string): Html =>
  renderTable({
    caption: `Profit and drawdown by session${suffix}, USD`,
    columns: [
      'session',
      { head: 'trades', ...NUMBER },
      { head: 'profit', ...NUMBER },
      { head: 'so far', ...NUMBER },
      { head: 'drawdown', ...NUMBER },
      { head: 'mean baseline trade', ...NUMBER },
    ],
    rows: series.day.map((date, at) => [
      date,
      countText(series.n[at]),
      usdText(series.usd[at]),
      usdText(series.total_usd[at]),
      usdText(series.drawdown_usd[at]),
      usdText(series.core_usd[at]),
    ]),
  })
