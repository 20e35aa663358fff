import { countText, numberText } from '../../platform/html/figures.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html, type Piece } from '../../platform/html/template.ts'
import type { ExitReason } from '../engine/trade.ts'
import type { LabFigures, LabLeg, LabResult } from '../result.ts'
import { type DrawnLeg, EXIT_NAMES, percentText, usdText } from './texts.ts'

const NUMBER = { isNumber: true }

/** Wins, losses and capital of a leg, how its trades ended, and when they were; null without them. */
export function figuresPart(
  { figures, seen }: LabLeg,
  { leg, dotted, suffix }: DrawnLeg,
): Html | null {
  if (!figures) return null
  const id = `money-${leg}`
  const lines: [Piece, keyof LabFigures['reasons'], Piece][] = [
    ['average win', 'average_win_usd', usdText(figures.average_win_usd)],
    ['average loss', 'average_loss_usd', usdText(figures.average_loss_usd)],
    [dotted('profit factor'), 'profit_factor', numberText(figures.profit_factor, 2)],
    ['largest win', 'largest_win_usd', usdText(figures.largest_win_usd)],
    ['largest loss', 'largest_loss_usd', usdText(figures.largest_loss_usd)],
    [dotted('capital needed'), 'capital_usd', usdText(figures.capital_usd)],
  ]
  return html`<section class="part" aria-labelledby="${id}-title">
<h3 id="${id}-title">In dollars${suffix}</h3>
${seen && html`<p class="note">${seen.says}</p>`}
<dl class="facts">${lines.map(([head, name, text]) => {
    const reason = figures.reasons[name]
    return html`<dt>${head}</dt><dd>${
      reason === undefined ? text : html`– <span class="quiet small">${reason}</span>`
    }</dd>\n`
  })}</dl>
${groupTable('How trades ended', figures.exits, suffix, name => EXIT_NAMES[name as ExitReason])}
${groupTable('By weekday', figures.weekdays, suffix)}
${groupTable('By month', figures.months, suffix)}</section>`
}

function groupTable(
  title: string,
  groups: LabFigures['months'],
  suffix: string,
  findText: (name: string) => string = name => name,
): Html | null {
  if (groups.length === 0) return null
  return html`<details><summary>${title}</summary>${renderTable({
    caption: `${title}${suffix}`,
    columns: [
      '',
      ...['trades', 'mean, of the risk', 'won', 'profit'].map(head => ({ head, ...NUMBER })),
    ].map((column, index) =>
      index === 0 ? { head: html`<span class="hidden">which</span>` } : column,
    ),
    rows: groups.map(({ name, n, mean, win, sum_usd: usd }) => [
      findText(name),
      countText(n),
      percentText(mean),
      percentText(win, 0),
      usdText(usd),
    ]),
  })}</details>`
}

/** Statistical words of a result, each with its sentence; null where a result has none. */
export const wordsPart = ({ words }: LabResult): Html | null =>
  words === undefined
    ? null
    : html`<section class="part" aria-labelledby="words-title">
<h2 id="words-title">The words</h2>
<details><summary>Each statistical word in a sentence</summary><dl class="facts">${words.map(
        ({ word, means }) => html`<dt>${word.replaceAll('_', ' ')}</dt><dd>${means}</dd>\n`,
      )}</dl></details></section>`
