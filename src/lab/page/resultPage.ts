import type { AccountPageResponse } from '../../accounts/accountPage.ts'
import { counted } from '../../core/text/counts.ts'
import { assetPath } from '../../platform/html/assets.ts'
import { type Dotted, dottedOnce } from '../../platform/html/glossary.ts'
import { patterns } from '../../platform/html/levelsPicture.ts'
import { type Html, html } from '../../platform/html/template.ts'
import type { LabLeg, LabResult } from '../result.ts'
import { dataPart, limitsPart, lineagePart, sensitivityPart } from './dataPart.ts'
import { equityPart } from './equityPart.ts'
import { erasTable, missedTable } from './eraParts.ts'
import { figuresPart, wordsPart } from './figuresPart.ts'
import { optimizePart } from './optimizePart.ts'
import { STRUCTS_PATH } from './pageDeps.ts'
import { type DrawnLeg, KIND_NAMES } from './texts.ts'
import { distributionPart, placeboPart, verdictPart } from './verdictPart.ts'

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
