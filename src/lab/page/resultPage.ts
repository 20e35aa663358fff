import type { AccountPageResponse } from '../../accounts/accountPage.ts'
import { counted } from '../../core/text/counts.ts'
import { assetPath } from '../../platform/html/assets.ts'
import { countText, numberText } from '../../platform/html/figures.ts'
import { type Dotted, dottedOnce } from '../../platform/html/glossary.ts'
import { patterns } from '../../platform/html/levelsPicture.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html, type Piece } from '../../platform/html/template.ts'
import type { ExitReason } from '../engine/trade.ts'
import type { LabFigures, LabLeg, LabResult } from '../result.ts'
import { dataPart, limitsPart, lineagePart, sensitivityPart } from './dataPart.ts'
import { equityPart } from './equityPart.ts'
import { erasTable, missedTable } from './eraParts.ts'
import { optimizePart } from './optimizePart.ts'
import { STRUCTS_PATH } from './pageDeps.ts'
import { type DrawnLeg, EXIT_NAMES, KIND_NAMES, percentText, usdText } from './texts.ts'
import { distributionPart, placeboPart, verdictPart } from './verdictPart.ts'

const NUMBER = { isNumber: true }

/** Wins, losses and capital of a leg, how its trades ended, and when they were; null without them. */
function figuresPart({ figures, seen }: LabLeg, { leg, dotted, suffix }: DrawnLeg): Html | null {
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
const wordsPart = ({ words }: LabResult): Html | null =>
  words === undefined
    ? null
    : html`<section class="part" aria-labelledby="words-title">
<h2 id="words-title">The words</h2>
<details><summary>Each statistical word in a sentence</summary><dl class="facts">${words.map(
        ({ word, means }) => html`<dt>${word.replaceAll('_', ' ')}</dt><dd>${means}</dd>\n`,
      )}</dl></details></section>`

/** A result, its idea, and the path of its other pages. */
export type ShownResult = {
  readonly name: string
  /** Null for a rule without an idea. */
  readonly ideaPath: string | null
  readonly path: string
  readonly result: LabResult
  /** True when it is a result of the idea's current rule. */
  readonly isOfNow: boolean
}

/** Page of a result: the verdict with its gates comes before anything that can look good. */
export function resultPage(shown: ShownResult): AccountPageResponse {
  const { name, ideaPath, path, result } = shown
  const dotted = dottedOnce()
  const title = `${KIND_NAMES[result.kind]}: ${name}`
  return {
    page: {
      title,
      styles: [assetPath('uplot.css'), assetPath('lab.css')],
      scripts: [assetPath('lab.js')],
      main: html`<div class="text lab">
${patterns()}${resultHead(shown, 'result')}
<h1>${title}</h1>
${
  !shown.isOfNow &&
  html`<p class="note">The rule was changed since: this is of an earlier version, and a new test is
owed.</p>`
}
<p>${simulatedMark(result)} <span class="words">${result.say}</span></p>
${result.legs.map((leg, index) => verdictSection(leg, index, result, dotted))}
<section class="part" aria-labelledby="says-title"><h2 id="says-title">In words</h2>
<ul>${otherSentences(result).map(sentence => html`<li>${sentence}</li>\n`)}</ul></section>
${result.legs.map((leg, index) => legSection(leg, index, result, dotted))}
${sensitivityPart(result, dotted)}
${result.optimize && optimizePart(result.optimize, `${path}/variants`, dotted)}
${tradesPart(path)}
${dataPart(result, dotted)}
${lineagePart(result, dotted)}
${wordsPart(result)}
${limitsPart(result)}
<p class="quiet small">Job <span class="mono">${result.job}</span>, rule
<span class="mono">${result.rule_hash.slice(0, 12)}</span>, data
<span class="mono">${result.data.hash.slice(0, 12)}</span>. The same rule on the same data
by the same code gives the same bytes.${
        ideaPath !== null && html` <a href="${ideaPath}">Back to the idea</a>`
      }</p>
</div>`,
    },
  }
}

const simulatedMark = ({ data }: LabResult): Html | false =>
  data.kind === 'simulated' && html`<span class="mark-simulated">SIMULATED</span>`

/** Breadcrumbs of a page of a result. */
export const resultHead = (
  { ideaPath, path, name, result: { kind } }: ShownResult,
  here: string,
): Html => html`<nav class="crumbs" aria-label="Where this is"><ul><li><a
href="/account/lab">LAB</a></li><li>${
  ideaPath === null
    ? html`<a href="${STRUCTS_PATH}">Rules alone</a>`
    : html`<a href="${ideaPath}">${name}</a>`
}</li>${
  here === 'result'
    ? html`<li>${ideaPath === null ? name : KIND_NAMES[kind]}</li>`
    : html`<li><a href="${path}">${ideaPath === null ? name : KIND_NAMES[kind]}</a></li>
<li>${here}</li>`
}</ul></nav>`

/** Sentences that are not shown above as a verdict. */
const otherSentences = ({ says, legs }: LabResult): readonly string[] =>
  says.filter(
    text => !legs.some(({ verdict }) => verdict?.sentence === text.replace(/^Trade \d: /, '')),
  )

const formatTitle = (index: number, { legs }: LabResult): string =>
  legs.length > 1 ? `Figures of trade ${index + 1}` : 'Figures'

const verdictSection = (
  leg: LabLeg,
  index: number,
  result: LabResult,
  dotted: Dotted,
): Html => html`<section class="part" aria-labelledby="verdict-${index}-title">
<h2 id="verdict-${index}-title">${leg.verdict === null ? 'No verdict' : 'Verdict'}${
  result.legs.length > 1 && ` ${leg.verdict === null ? 'on' : 'of'} trade ${index + 1}`
}</h2>
${result.legs.length > 1 && html`<p class="words">${leg.title}.</p>`}
${verdictPart(leg.verdict, dotted)}</section>`

/** Figures behind a verdict. */
function legSection(leg: LabLeg, index: number, result: LabResult, dotted: Dotted): Html {
  const suffix = result.legs.length > 1 ? `, trade ${index + 1}` : ''
  const drawnLeg: DrawnLeg = { leg: index, dotted, suffix }
  return html`<section class="part" aria-labelledby="leg-${index}-title">
<h2 id="leg-${index}-title">${formatTitle(index, result)}</h2>
${equityPart(leg, result.holdout, drawnLeg)}
${figuresPart(leg, drawnLeg)}
${distributionPart(leg, drawnLeg)}
<section class="part" aria-labelledby="eras-${index}-title">
<h3 id="eras-${index}-title">Eras${suffix}</h3>
${erasTable(leg, drawnLeg)}
${missedTable(leg, drawnLeg)}</section>
${placeboPart(leg, drawnLeg)}</section>`
}

const tradesPart = (path: string): Html => html`<section class="part"
aria-labelledby="trades-title"><h2 id="trades-title">Trades</h2>
<p><a href="${path}/trades">Every trade and every chance that was none</a>, with prices, conditions
and costs; also as <a href="${path}/trades.csv">CSV</a> and
<a href="${path}/trades.parquet">Parquet</a>.</p></section>`

/** Navigation between the pages of a list. */
export const pagesNav = (path: string, page: number, pages: number): Html | null =>
  pages <= 1
    ? null
    : html`<nav class="paging" aria-label="Pages"><ul>
<li>${page > 1 && html`<a href="${path}?page=${page - 1}">before</a>`}</li>
<li>page ${page} of ${counted(pages, 'page').split(' ')[0]!}</li>
<li>${page < pages && html`<a href="${path}?page=${page + 1}">next</a>`}</li></ul></nav>`
