import type { AccountPageResponse } from '../../accounts/accountPage.ts'
import { assetPath } from '../../platform/html/assets.ts'
import { numberText, pointsText } from '../../platform/html/figures.ts'
import { patterns } from '../../platform/html/levelsPicture.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html, type Piece } from '../../platform/html/template.ts'
import { type LabSessionView, levelsOfRule, type ViewedTrade } from '../desk/sessionView.ts'
import type { Viewed } from '../desk/views.ts'
import { sayCondition } from '../language/say.ts'
import { isCompared, type RuleCondition, type RuleSpec } from '../language/spec.ts'
import { listLegs } from '../verdict/leg.ts'
import { nameOfMissed } from './eraParts.ts'
import { resultHead, type ShownResult } from './resultPage.ts'
import { type ShownOption, type ShownRow, toViewedOption } from './shownRow.ts'
import { EXIT_NAMES, optionText, percentText, plainText, usdText } from './texts.ts'
import { dayText, minutesTable, noPicture, viewFigure } from './viewParts.ts'

/** Session drawn for a trade: that of its entry, or that of its exit. */
export type DrawnSession = { readonly viewed: Viewed; readonly path: string | null }

export type TradeContent = {
  /** Number in the list of all, from 1 on. */
  readonly number: number
  readonly total: number
  readonly row: ShownRow
  readonly spec: RuleSpec
  readonly sessions: readonly DrawnSession[]
}

/** Page of one trade of a test: its session with entry, exit and strikes, and all its figures. */
export function tradePage(of: ShownResult, content: TradeContent): AccountPageResponse {
  const { row, number } = content
  const isTrade = row.missed === null
  const what = isTrade ? 'Trade' : 'Chance without a trade'
  const title = `${what}, ${dayText(row.session_date)} ${row.decided_et}`
  return {
    page: {
      title: `${title} · ${of.name}`,
      styles: [assetPath('lab.css')],
      main: html`<div class="text lab">${patterns()}${resultHead(of, `trade ${number}`)}
<h1>${what}, <span class="one-line">${dayText(row.session_date)}</span> ${row.decided_et}</h1>
${summary(of, content)}
${content.sessions.map((one, index) => sessionPart(content, one, index))}
${isTrade && optionsTable(row)}
${conditionsTable(content)}
${neighbours(of, content)}</div>`,
    },
  }
}

function summary(of: ShownResult, { row }: TradeContent): Html {
  const { legs } = of.result
  const lines: [Piece, Piece][] = [
    ...(legs.length > 1
      ? [['trade of the rule', `${row.rule_leg + 1}: ${legs[row.rule_leg]?.title ?? ''}`] as const]
      : []
    ).map(([head, text]): [Piece, Piece] => [head, text]),
    ['in the rule', row.in_rule ? 'yes' : 'no: the conditions did not hold'],
    ['decided', row.decided_et],
  ]
  if (row.missed !== null) lines.push(['no trade', nameOfMissed(row.missed)])
  else lines.push(...tradeLines(row))
  return html`<dl class="facts">${lines.map(
    ([head, text]) => html`<dt>${head}</dt><dd>${text}</dd>\n`,
  )}</dl>`
}

function tradeLines(row: ShownRow): [Piece, Piece][] {
  const { net } = row
  const points = (value: number | null) =>
    value === null
      ? '–'
      : value === 0
        ? '0.00 points'
        : `${pointsText(Math.abs(value))} points ${value < 0 ? 'paid' : 'received'}`
  return [
    ['entry', `${points(net)} at ${row.filled_et}`],
    ...(row.is_sealed ? [SEALED] : endLines(row, points)),
  ]
}

/** Shown instead of the end of a trade of a sealed session. */
const SEALED: [Piece, Piece] = [
  'exit',
  'sealed: its session is in the holdout, and nothing is shown that came after the entry',
]

function endLines(row: ShownRow, points: (value: number | null) => string): [Piece, Piece][] {
  const { close_net: closeNet, exit_et: minute, exit_date: date, exit_reason: why } = row
  const when = minute === null ? '' : ` at ${date === row.session_date ? '' : `${date} `}${minute}`
  return [
    [
      'exit',
      `${EXIT_NAMES[why ?? 'unresolved']}${when}${
        closeNet === null ? '' : `, ${points(closeNet)}`
      }${row.is_late === true ? ', late: there was no price before' : ''}`,
    ],
    ...(why === 'settlement' ? [['settled on', pointsText(row.settlement)] as [Piece, Piece]] : []),
    ['fees', `$${numberText(row.fees_usd, 2)}`],
    [
      'profit',
      `${usdText(row.pnl_usd)}, ${percentText(row.r)} of the risk of ${usdText(row.risk_usd)}`,
    ],
  ]
}

function sessionPart(
  { row, spec }: TradeContent,
  { viewed, path }: DrawnSession,
  index: number,
): Html {
  const id = `session-${index}`
  if ('reason' in viewed) {
    return html`<section class="part" aria-labelledby="${id}"><h2 id="${id}">The session</h2>
${noPicture(viewed)}</section>`
  }
  const { view, isSimulated } = viewed
  const levels = levelsOfRule(spec)
  const trade = row.missed === null ? viewedTrade(row, view) : null
  return html`<section class="part" aria-labelledby="${id}">
<h2 id="${id}">${dayText(view.day)}</h2>
<p>${isSimulated && html`<span class="mark-simulated">SIMULATED</span> `}The index by minute${
    levels.length > 0 && ' with the levels that the rule refers to'
  }${trade !== null && ', and the strikes from entry to exit'}.${
    path !== null && html` <a href="${path}">The whole session</a>`
  }</p>
${viewFigure({
  id: `picture-${index}`,
  view,
  levels,
  isToTheEnd: false,
  trades: trade ? [{ number: 1, trade }] : [],
})}
${minutesTable(view, levels, trade ? [trade] : [])}</section>`
}

/** Converts a row of a test for the picture of one of its sessions. */
function viewedTrade(row: ShownRow, view: LabSessionView): ViewedTrade {
  const findMinuteIndex = (day: string, minute: string) =>
    day === view.day ? view.minutes.indexOf(minute) : null
  const { exit_date: date, exit_et: minute, filled_et: filled } = row
  return {
    ruleLeg: row.rule_leg,
    isUnresolved: date === null,
    net: row.net!,
    // excluded trades are drawn like the others: the page states which it is
    isInRule: true,
    entry: {
      day: row.session_date,
      minute: filled!,
      at: findMinuteIndex(row.session_date, filled!),
    },
    options: row.legs.map(toViewedOption),
    exit:
      date === null || minute === null
        ? null
        : {
            day: date,
            minute,
            at: findMinuteIndex(date, minute),
            reason: row.exit_reason!,
            net: row.close_net,
            pnlUsd: row.pnl_usd,
            r: row.r,
          },
  }
}

const number = (head: string) => ({ head, isNumber: true })

const optionsTable = ({ legs }: ShownRow): Html => html`<section class="part"
aria-labelledby="options-title"><h2 id="options-title">Options</h2>
${renderTable({
  caption: 'Each option at entry and exit, index points',
  columns: [
    'option',
    number('strike asked for'),
    ...['entry bid', 'entry ask', 'entry mid'].map(number),
    'priced by',
    ...['exit bid', 'exit ask', 'exit mid'].map(number),
    'priced by',
  ],
  rows: legs.map(leg => [
    html`<span class="one-line">${optionText(toViewedOption(leg))}</span>`,
    pointsText(leg.asked_strike),
    ...listPrices(leg, 'entry'),
    ...listPrices(leg, 'exit'),
  ]),
})}
<p class="quiet small">A price is the middle of a fresh quote; without one it is read off the smile
of the minute. An option that settled has no price at its exit.</p></section>`

const listPrices = (leg: ShownOption, when: 'entry' | 'exit'): Piece[] => [
  ...[leg[`${when}_bid`], leg[`${when}_ask`], leg[`${when}_mid`]].map(value =>
    numberText(value, 2),
  ),
  leg[`${when}_source`] ?? '–',
]

/** Outcomes of the conditions at the minute of the decision. */
function conditionsTable({ row, spec }: TradeContent): Html | null {
  const { when } = listLegs(spec)[row.rule_leg]!
  if (when.length === 0 || row.conditions.length !== when.length) return null
  return html`<section class="part" aria-labelledby="conditions-title">
<h2 id="conditions-title">Conditions at ${row.decided_et}</h2>
${renderTable({
  caption: 'Each condition at the minute of the decision',
  columns: ['condition', number('value then'), 'held'],
  rows: when.map((condition, index) => {
    const { value, holds } = row.conditions[index]!
    return [
      html`<span class="name">${sayCondition(condition)}</span>`,
      valueText(condition, value),
      holds === null ? 'not known' : holds ? 'yes' : 'no',
    ]
  }),
})}</section>`
}

const UNITS = { pt: 'points', musd_pt: '$M a point', pct: '%', em: 'moves', vol_pt: 'vol points' }

const valueText = (condition: RuleCondition, value: number | null): string =>
  value === null
    ? '–'
    : `${plainText(Number(value.toPrecision(6)))}${
        isCompared(condition) ? ` ${UNITS[condition.u]}` : ''
      }`

const neighbours = (
  { path }: ShownResult,
  { number, total }: TradeContent,
): Html => html`<nav class="paging" aria-label="Trades"><ul>
<li>${number > 1 && html`<a href="${path}/trades/${number - 1}">before</a>`}</li>
<li>${number} of ${total}</li>
<li>${number < total && html`<a href="${path}/trades/${number + 1}">next</a>`}</li></ul></nav>`
