import type { PageAnswer } from '../../html/account.ts'
import { assetPath } from '../../html/assets.ts'
import { countText, numberText } from '../../html/figures.ts'
import { tableOf } from '../../html/table.ts'
import { type Html, html, type Piece } from '../../html/template.ts'
import type { TradesPage } from '../runs/renderTrades.ts'
import type { TradeRow } from '../runs/tradeTable.ts'
import { nameOfMissed } from './eraParts.ts'
import { pagesNav, resultHead, type ShownResult } from './resultPage.ts'
import { countOf, percentText, usdText, wordsOf } from './texts.ts'

/** Rows of a page. */
export const TRADES_SHOWN = 100

/** What a page shows of a row; the files have every column. */
type ShownRow = {
  readonly session_date: string
  readonly era: string
  readonly in_rule: boolean
  readonly rule_leg: number
  readonly decided_et: string
  readonly filled_et: string | null
  readonly missed: string | null
  readonly legs: readonly ShownOption[]
  readonly net: number | null
  readonly exit_reason: string | null
  readonly exit_date: string | null
  readonly exit_et: string | null
  readonly close_net: number | null
  readonly fees_usd: number | null
  readonly pnl_usd: number | null
  readonly r: number | null
}
type ShownOption = {
  readonly option_type: 'C' | 'P'
  readonly sign: number
  readonly strike: number
}

/** The ledger of a test by pages: every trade, and every chance that was none. */
export function tradesPage(of: ShownResult, page: number, read: TradesPage): PageAnswer {
  const { total } = read
  const rows = read.trades as readonly (TradeRow & ShownRow)[]
  const pages = Math.max(1, Math.ceil(total / TRADES_SHOWN))
  if (page > pages) return null
  const isTwo = of.result.legs.length > 1
  return {
    page: {
      title: `Trades of ${of.name}`,
      styles: [assetPath('lab.css')],
      main: html`<div class="text lab">${resultHead(of, 'trades')}
<h1>Trades</h1>
<p>${countOf(total, 'row')}: each trade of the rule and of its baseline, and each chance that was
none, with its reason. Prices of both sides of each option, and what the conditions said, are in the
<a href="${of.path}/trades.csv">CSV</a> and the <a href="${of.path}/trades.parquet">Parquet</a>
file.</p>
${rows.length === 0 ? html`<p>There is no trade.</p>` : tradesTable(rows, isTwo)}
${pagesNav(`${of.path}/trades`, page, pages)}</div>`,
    },
  }
}

const number = (head: string) => ({ head, isNumber: true })

const tradesTable = (rows: readonly ShownRow[], isTwo: boolean): Html =>
  tableOf({
    caption: 'Trades, by session and minute; received above zero, paid below',
    columns: [
      ...['session', 'decided', 'in the rule', ...(isTwo ? ['trade'] : []), 'options'],
      ...['points in', 'points out'].map(number),
      'out',
      ...['fees', 'profit', 'of the risk'].map(number),
    ],
    rows: rows.map(row => [
      html`${row.session_date}<br><span class="quiet small">${row.era}</span>`,
      row.decided_et,
      row.in_rule ? 'yes' : 'no',
      ...(isTwo ? [countText(row.rule_leg + 1)] : []),
      ...cellsOf(row),
    ]),
  })

function cellsOf(row: ShownRow): Piece[] {
  if (row.missed !== null) {
    const why = html`<span class="name">none: ${nameOfMissed(row.missed)}</span>`
    return [why, '–', '–', '', '–', '–', '–']
  }
  const day = row.exit_date === row.session_date ? '' : ` ${row.exit_date}`
  return [
    html`<span class="one-line">${row.legs.map(optionText).join(' ')}</span>`,
    ...[numberText(row.net, 2), numberText(row.close_net, 2)],
    html`<span class="one-line">${wordsOf(row.exit_reason ?? '')} ${row.exit_et}${day}</span>`,
    ...[row.fees_usd === null ? '–' : `$${numberText(row.fees_usd, 2)}`, usdText(row.pnl_usd)],
    percentText(row.r),
  ]
}

/** Such as "−5890P": one put of strike 5890 sold. */
const optionText = ({ option_type: type, sign, strike }: ShownOption): string =>
  `${sign < 0 ? '−' : '+'}${strike}${type}`
