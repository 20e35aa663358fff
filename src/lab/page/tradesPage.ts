import type { AccountPageResponse } from '../../accounts/accountPage.ts'
import { counted } from '../../core/text/counts.ts'
import { assetPath } from '../../platform/html/assets.ts'
import { countText, numberText } from '../../platform/html/figures.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html, type Piece } from '../../platform/html/template.ts'
import type { TradesPage } from '../runs/renderTrades.ts'
import type { TradeRow } from '../runs/tradeTable.ts'
import { nameOfMissed } from './eraParts.ts'
import { pagesNav, resultHead, type ShownResult } from './resultPage.ts'
import { type ShownRow, toViewedOption } from './shownRow.ts'
import { EXIT_NAMES, optionText, percentText, usdText } from './texts.ts'

/** Rows per page. */
export const TRADES_SHOWN = 100

/** Ledger of a test in pages: every trade, and every chance without one. */
export function tradesPage(of: ShownResult, page: number, read: TradesPage): AccountPageResponse {
  const { total } = read
  const rows = read.trades as readonly (TradeRow & ShownRow)[]
  const pages = Math.max(1, Math.ceil(total / TRADES_SHOWN))
  if (page > pages) return null
  const listed: Listed = {
    isTwo: of.result.legs.length > 1,
    path: `${of.path}/trades`,
    start: (page - 1) * TRADES_SHOWN,
  }
  return {
    page: {
      title: `Trades of ${of.name}`,
      styles: [assetPath('lab.css')],
      main: html`<div class="text lab">${resultHead(of, 'trades')}
<h1>Trades</h1>
<p>${counted(total, 'row')}: each trade of the rule and of its baseline, and each chance that was
none, with its reason. A session leads to its picture, with both quotes of each option and what each
condition said; all of that is also in the <a href="${of.path}/trades.csv">CSV</a> and the
<a href="${of.path}/trades.parquet">Parquet</a>
file.${
        of.result.sealed &&
        html` Of the ${counted(of.result.sealed.sessions, 'session')} from ${of.result.sealed.from} to
${of.result.sealed.to} nothing is shown that came after an entry: they are sealed.`
      }</p>
${rows.length === 0 ? html`<p>There is no trade.</p>` : tradesTable(rows, listed)}
${pagesNav(`${of.path}/trades`, page, pages)}</div>`,
    },
  }
}

const number = (head: string) => ({ head, isNumber: true })

type Listed = {
  readonly isTwo: boolean
  /** Path of the pages of single trades, and the number of trades before the first row. */
  readonly path: string
  readonly start: number
}

const tradesTable = (rows: readonly ShownRow[], { isTwo, path, start }: Listed): Html =>
  renderTable({
    caption: 'Trades, by session and minute; received above zero, paid below',
    columns: [
      'session',
      'options',
      ...['points in', 'points out'].map(number),
      'out',
      ...['fees', 'profit', 'of the risk'].map(number),
      'in the rule',
      ...(isTwo ? ['trade'] : []),
    ],
    rows: rows.map((row, index) => [
      html`<a href="${path}/${start + index + 1}">${row.session_date}</a><br>
<span class="quiet small">${row.era} ${row.decided_et}</span>`,
      ...renderCells(row),
      row.in_rule ? 'yes' : 'no',
      ...(isTwo ? [countText(row.rule_leg + 1)] : []),
    ]),
  })

function renderCells(row: ShownRow): Piece[] {
  if (row.missed !== null) {
    const why = html`<span class="name">none: ${nameOfMissed(row.missed)}</span>`
    return [why, '–', '–', '', '–', '–', '–']
  }
  if (row.is_sealed) {
    const points = numberText(row.net, 2)
    return [renderOptions(row), points, '–', SEALED, '–', '–', '–']
  }
  const day = row.exit_date === row.session_date ? '' : ` ${row.exit_date}`
  return [
    renderOptions(row),
    numberText(row.net, 2),
    numberText(row.close_net, 2),
    html`<span class="one-line">${EXIT_NAMES[row.exit_reason!]}</span><br>
<span class="quiet small">${row.exit_et}${day}</span>`,
    row.fees_usd === null ? '–' : `$${numberText(row.fees_usd, 2)}`,
    usdText(row.pnl_usd),
    percentText(row.r),
  ]
}

/** Shown instead of the end of a trade of a sealed session. */
const SEALED = html`<span class="quiet">sealed</span>`

const renderOptions = ({ legs }: ShownRow): Html =>
  html`<span class="options">${legs.map(
    leg => html`<span class="one-line">${optionText(toViewedOption(leg))}</span> `,
  )}</span>`
